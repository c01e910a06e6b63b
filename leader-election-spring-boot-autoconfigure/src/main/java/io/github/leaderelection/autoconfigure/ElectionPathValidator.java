package io.github.leaderelection.autoconfigure;

import static io.github.leaderelection.autoconfigure.LeaderElectionPropertiesValidator.invalid;

import io.github.leaderelection.lifecycle.ElectionSettings;
import io.github.leaderelection.support.MisconfigurationException;
import io.github.leaderelection.support.OneLine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.common.PathUtils;

/**
 * Validates names and paths of elections. No election may be inside another election, or above the root: the nodes
 * below an election must not be mistaken for those of another election.
 */
final class ElectionPathValidator {

    private static final String INVALID_NAME =
            "The name of an election must not be blank, start with a dot, or contain a slash or control characters. To use another node, set the election's path.";

    private final String root;

    ElectionPathValidator(String root) {
        this.root = root;
    }

    void validate(List<ElectionSettings> elections) {
        Map<String, String> namesByPath = new HashMap<>();
        for (ElectionSettings election : elections) {
            validateName(election.name());
            validateNode(election);
            String other = namesByPath.put(election.path(), election.name());
            if (other != null) {
                throw overlap(election, "which is also the path of election '%s'".formatted(other));
            }
        }
        elections.forEach(election -> validateHierarchy(election, namesByPath));
    }

    private static void validateName(String name) {
        if (!isValidName(name)) {
            throw invalid("elections." + OneLine.of(name), OneLine.of(name), INVALID_NAME);
        }
    }

    private static boolean isValidName(String name) {
        return !name.isBlank() && !name.contains("/") && !name.startsWith(".") && OneLine.isReadable(name);
    }

    private void validateNode(ElectionSettings election) {
        String property = "elections.%s.path".formatted(election.name());
        validatePath(property, election.path());
        if (election.path().equals("/") || isWithin(election.path(), root + "/.beats")) {
            throw invalid(property, election.path(), "Choose another node, such as /elections/orders.");
        }
    }

    static void validatePath(String property, String path) {
        try {
            PathUtils.validatePath(path);
        } catch (IllegalArgumentException invalid) {
            throw invalid(
                    property,
                    path,
                    "It is not a valid ZooKeeper path: %s. Use a path such as /elections/orders."
                            .formatted(invalid.getMessage()));
        }
    }

    private void validateHierarchy(ElectionSettings election, Map<String, String> namesByPath) {
        String path = election.path();
        if (isWithin(root, path)) {
            throw overlap(election, "but leader-election.root, which contains other elections, is %s".formatted(root));
        }
        for (int end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
            String parent = path.substring(0, end);
            String other = namesByPath.get(parent);
            if (other != null) {
                throw overlap(
                        election,
                        "inside the node of election '%s': leader-election.elections.%s.path is %s"
                                .formatted(other, other, parent));
            }
        }
    }

    private static boolean isWithin(String path, String node) {
        return (path + "/").startsWith(node + "/");
    }

    /** Not reported as an invalid property value, because the path may be derived from the name. */
    private static MisconfigurationException overlap(ElectionSettings election, String reason) {
        return new MisconfigurationException(
                "leader-election.elections.%s.path is %s, %s.".formatted(election.name(), election.path(), reason),
                "Each election needs its own node, neither above nor below that of another election. Set the path of one of them, such as /elections/orders, or remove it to use a node below the root.");
    }

    /** @throws IllegalArgumentException if an election with that name cannot be opened at run time */
    void validateAtRunTime(String name, String path, List<ElectionSettings> configured) {
        if (!isValidName(name)) {
            throw new IllegalArgumentException("Cannot open election '%s'. %s".formatted(name, INVALID_NAME));
        }
        PathUtils.validatePath(path);
        for (ElectionSettings other : configured) {
            if (!other.name().equals(name) && (isWithin(other.path(), path) || isWithin(path, other.path()))) {
                throw new IllegalArgumentException(
                        "Cannot open election '%s' at %s: election '%s' is at %s. Choose another name."
                                .formatted(name, path, other.name(), other.path()));
            }
        }
    }
}
