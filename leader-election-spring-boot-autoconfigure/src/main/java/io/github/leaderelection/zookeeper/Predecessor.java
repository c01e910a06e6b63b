package io.github.leaderelection.zookeeper;

/**
 * The candidate right before us.
 *
 * @param path the same String instance that the watch is registered under, to save memory
 * @param beat the path of its connection's beat; empty as long as that is not known
 */
record Predecessor(String path, String beat) {
    String node() {
        return Paths.name(path);
    }
}
