package io.github.leaderelection.support;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of this host. */
public final class HostName {

    private HostName() {}

    public static String local() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "localhost";
        }
    }
}
