package io.github.leaderelection.autoconfigure.zookeeper;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.apache.zookeeper.client.ConnectStringParser;

/** Finds out why ZooKeeper cannot be used, after its client has failed: the client reports the same for all reasons. */
final class ServerProbe {

    private static final int TIMEOUT_MILLIS = 500;

    private ServerProbe() {}

    /** Returns a sentence about the first server of a connect string. */
    static String describe(String connectString) {
        InetSocketAddress server =
                new ConnectStringParser(connectString).getServerAddresses().get(0);
        var address = new InetSocketAddress(server.getHostString(), server.getPort());
        String name = "%s:%d".formatted(server.getHostString(), server.getPort());
        if (address.isUnresolved()) {
            return "The host %s is unknown.".formatted(server.getHostString());
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, TIMEOUT_MILLIS);
            return ("%s accepts connections, but does not respond like a ZooKeeper server that can serve clients: is it"
                            + " ZooKeeper's client port, does it require TLS, and does the ensemble have a quorum?")
                    .formatted(name);
        } catch (IOException refused) {
            return "%s does not accept connections.".formatted(name);
        }
    }
}
