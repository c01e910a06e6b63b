package io.github.leaderelection.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/** Details required to connect to ZooKeeper. A bean of this type replaces the connection properties. */
public interface ZooKeeperConnectionDetails extends ConnectionDetails {

    /** The comma-separated {@code host:port} pairs of the servers, with an optional path at the end. */
    String getConnectString();

    /** The authentication scheme, such as {@code digest}; null if there are no credentials. */
    default @Nullable String getAuthScheme() {
        return null;
    }

    /** The credentials in the format of the scheme; null if there are none. */
    default @Nullable String getAuthCredentials() {
        return null;
    }

    /** The SSL bundle of an encrypted connection; null if the connection is not encrypted. */
    default @Nullable SslBundle getSslBundle() {
        return null;
    }
}
