package io.github.leaderelection.autoconfigure.zookeeper;

import io.github.leaderelection.autoconfigure.ZooKeeperConnectionDetails;
import io.github.leaderelection.support.MisconfigurationException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.zookeeper.client.ConnectStringParser;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** The servers' addresses. What can't be one is said at once: a client would try it until the time for that is over. */
final class ConnectStringValidator {

    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}._-]+");
    private static final Pattern IPV6 = Pattern.compile("[\\p{XDigit}.]*(:[\\p{XDigit}.]*){2,}(%.+)?");
    private static final Pattern SERVER_AFTER_PATH = Pattern.compile(",[^/]*:\\d");

    private ConnectStringValidator() {}

    /**
     * @throws InvalidConfigurationPropertyValueException if no server can be at these addresses
     * @throws MisconfigurationException the same, where they are not those of the property
     */
    static void validate(ZooKeeperConnectionDetails details) {
        String connectString = details.getConnectString();
        try {
            validate(connectString);
        } catch (IllegalArgumentException invalid) {
            String advice = "Use host:port pairs, separated by commas, such as zk1:2181,zk2:2181.";
            if (details instanceof PropertiesZooKeeperConnectionDetails) {
                throw new InvalidConfigurationPropertyValueException(
                        "leader-election.zookeeper.connect-string",
                        connectString,
                        "%s. %s".formatted(invalid.getMessage(), advice));
            }
            throw new MisconfigurationException(
                    "The connect string '%s' of %s cannot be used: %s."
                            .formatted(connectString, details.getClass().getName(), invalid.getMessage()),
                    advice);
        }
    }

    private static void validate(String connectString) {
        var parsed = new ConnectStringParser(connectString);
        validate(parsed.getServerAddresses());
        String path = parsed.getChrootPath();
        if (path != null && SERVER_AFTER_PATH.matcher(path).find()) {
            throw new IllegalArgumentException("A path comes once, after the last server");
        }
    }

    private static void validate(List<InetSocketAddress> servers) {
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("There is no server");
        }
        for (InetSocketAddress server : servers) {
            String host = server.getHostString();
            if (!NAME.matcher(host).matches() && !IPV6.matcher(host).matches()) {
                throw new IllegalArgumentException("'%s' is not a host".formatted(host));
            }
            if (server.getPort() == 0) {
                throw new IllegalArgumentException("Nothing listens at port 0");
            }
        }
    }
}
