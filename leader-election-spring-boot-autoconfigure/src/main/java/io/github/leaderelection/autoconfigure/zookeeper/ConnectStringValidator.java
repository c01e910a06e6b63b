package io.github.leaderelection.autoconfigure.zookeeper;

import io.github.leaderelection.autoconfigure.ZooKeeperConnectionDetails;
import io.github.leaderelection.support.MisconfigurationException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.zookeeper.client.ConnectStringParser;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Validates connect strings. If they are invalid, the client would retry until the connection timeout has elapsed. */
final class ConnectStringValidator {

    private static final String ADVICE = "Use host:port pairs, separated by commas, such as zk1:2181,zk2:2181.";
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}._-]+");
    /** If there is no host, the parser takes the port for the host. */
    private static final Pattern PORT = Pattern.compile("\\d+");

    private static final Pattern IPV6 = Pattern.compile("[\\p{XDigit}.]*(:[\\p{XDigit}.]*){2,}(%.+)?");
    private static final Pattern SERVER_AFTER_PATH = Pattern.compile(",[^/]*:\\d");

    private ConnectStringValidator() {}

    /**
     * Validates the connect string of the given details.
     *
     * @throws InvalidConfigurationPropertyValueException if it is invalid and comes from the property
     * @throws MisconfigurationException if it is invalid and comes from elsewhere
     */
    static void validate(ZooKeeperConnectionDetails details) {
        String connectString = details.getConnectString();
        try {
            validate(connectString);
        } catch (IllegalArgumentException invalid) {
            if (details instanceof PropertiesZooKeeperConnectionDetails) {
                throw new InvalidConfigurationPropertyValueException(
                        "leader-election.zookeeper.connect-string",
                        connectString,
                        "%s. %s".formatted(invalid.getMessage(), ADVICE));
            }
            throw new MisconfigurationException(
                    "The connect string '%s' of %s is invalid: %s."
                            .formatted(connectString, details.getClass().getName(), invalid.getMessage()),
                    ADVICE);
        }
    }

    private static void validate(String connectString) {
        var parsed = new ConnectStringParser(connectString);
        validate(parsed.getServerAddresses());
        String path = parsed.getChrootPath();
        if (path != null && SERVER_AFTER_PATH.matcher(path).find()) {
            throw new IllegalArgumentException("Only one path is allowed, after the last server");
        }
    }

    private static void validate(List<InetSocketAddress> servers) {
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("There is no server");
        }
        for (InetSocketAddress server : servers) {
            String host = server.getHostString();
            if (host.isEmpty() || PORT.matcher(host).matches()) {
                throw new IllegalArgumentException(
                        "There is no host before port %s".formatted(host.isEmpty() ? server.getPort() : host));
            }
            if (!NAME.matcher(host).matches() && !IPV6.matcher(host).matches()) {
                throw new IllegalArgumentException("'%s' is not a host".formatted(host));
            }
            if (server.getPort() == 0) {
                throw new IllegalArgumentException("No server can listen on port 0");
            }
        }
    }
}
