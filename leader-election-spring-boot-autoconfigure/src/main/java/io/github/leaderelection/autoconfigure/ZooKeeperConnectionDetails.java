package io.github.leaderelection.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/** Where ZooKeeper is, and how to be let in. A bean of this type takes the place of the properties. */
public interface ZooKeeperConnectionDetails extends ConnectionDetails {

    /** Comma-separated {@code host:port} pairs of the servers, with an optional path at the end. */
    String getConnectString();

    /** The authentication scheme, such as {@code digest}; null if there are no credentials. */
    default @Nullable String getAuthScheme() {
        return null;
    }

    /** The credentials in the form that the scheme asks for; null if there are none. */
    default @Nullable String getAuthCredentials() {
        return null;
    }

    /** With which certificates the connection is encrypted; null if it is not. */
    default @Nullable SslBundle getSslBundle() {
        return null;
    }
}
