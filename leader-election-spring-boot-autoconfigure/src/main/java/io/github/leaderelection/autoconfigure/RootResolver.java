package io.github.leaderelection.autoconfigure;

import io.github.leaderelection.support.OneLine;
import org.apache.zookeeper.common.PathUtils;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Resolves the root: the configured root, or else a node named after the application, so that applications that use the
 * same ZooKeeper do not share elections by accident.
 */
final class RootResolver {

    private static final String PARENT = "/elections";

    private RootResolver() {}

    static String resolve(LeaderElectionProperties properties, Environment environment) {
        if (properties.root() != null) {
            return properties.root();
        }
        String application = environment.getProperty("spring.application.name");
        return StringUtils.hasText(application) ? PARENT + "/" + nodeName(application.strip()) : PARENT;
    }

    /** Replaces characters that are not allowed. A leading dot is reserved for nodes that are not elections. */
    private static String nodeName(String application) {
        var name = new StringBuilder(application.length());
        application.codePoints().forEach(codePoint -> {
            String character = Character.toString(codePoint);
            name.append(isAllowed(character) ? character : "-");
        });
        if (name.charAt(0) == '.') {
            name.setCharAt(0, '-');
        }
        return name.toString();
    }

    private static boolean isAllowed(String character) {
        try {
            // Followed by a letter, because a dot alone is a relative path.
            PathUtils.validatePath("/" + character + "a");
            return !character.equals("/") && OneLine.isReadable(character);
        } catch (IllegalArgumentException forbidden) {
            return false;
        }
    }
}
