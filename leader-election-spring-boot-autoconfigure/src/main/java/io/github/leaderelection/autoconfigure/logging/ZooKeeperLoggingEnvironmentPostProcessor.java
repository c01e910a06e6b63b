package io.github.leaderelection.autoconfigure.logging;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Reduces what ZooKeeper's client logs, unless the application sets the level of one of its loggers. During an outage,
 * the client logs a failed connection attempt with a stack trace about once per second, whereas elections report the
 * outage in one line. An unknown host, as during an outage in Kubernetes, is logged as an error each time; its logger
 * is off, because it has no other errors.
 */
final class ZooKeeperLoggingEnvironmentPostProcessor implements EnvironmentPostProcessor, Ordered {

    private static final String LEVEL = "logging.level.";
    private static final String ZOOKEEPER = "org.apache.zookeeper";

    private static final Map<String, Object> DEFAULTS = Map.of(
            LEVEL + ZOOKEEPER + ".ClientCnxn", "error",
            LEVEL + ZOOKEEPER + ".ClientCnxnSocket", "warn",
            LEVEL + ZOOKEEPER + ".ClientCnxnSocketNetty", "error",
            LEVEL + ZOOKEEPER + ".ZooKeeper", "warn",
            LEVEL + ZOOKEEPER + ".client.StaticHostProvider", "off",
            LEVEL + ZOOKEEPER + ".common.ClientX509Util", "error",
            LEVEL + ZOOKEEPER + ".common.X509Util", "warn");

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        Map<String, String> levels = Binder.get(environment)
                .bind("logging.level", Bindable.mapOf(String.class, String.class))
                .orElseGet(Map::of);
        boolean isConfigured = levels.keySet().stream()
                .anyMatch(logger ->
                        logger.equals("org.apache") || logger.equals(ZOOKEEPER) || logger.startsWith(ZOOKEEPER + "."));
        if (!isConfigured) {
            environment.getPropertySources().addLast(new MapPropertySource("leaderElectionLogging", DEFAULTS));
        }
    }

    /** After the application's configuration files have been read. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}
