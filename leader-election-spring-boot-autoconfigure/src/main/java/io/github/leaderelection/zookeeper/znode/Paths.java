package io.github.leaderelection.zookeeper.znode;

import java.util.ArrayList;
import java.util.List;

/** Composes and takes apart the paths of nodes. */
public final class Paths {

    private Paths() {}

    public static String child(String parent, String name) {
        return (parent.equals("/") ? "" : parent) + "/" + name;
    }

    public static String parent(String path) {
        int end = path.lastIndexOf('/');
        return end <= 0 ? "/" : path.substring(0, end);
    }

    public static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** The path and all its ancestors but the root, from the top down. */
    public static List<String> fromTop(String path) {
        List<String> paths = new ArrayList<>();
        for (int end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
            paths.add(path.substring(0, end));
        }
        paths.add(path);
        return paths;
    }
}
