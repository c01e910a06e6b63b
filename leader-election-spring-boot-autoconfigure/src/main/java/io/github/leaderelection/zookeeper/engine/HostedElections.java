package io.github.leaderelection.zookeeper.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The elections of one connection, by their paths. */
public final class HostedElections {

    private final Map<String, HostedElection> latest = new HashMap<>();
    /** Those at whose path another one has been opened since: mostly they are on their way out, and there are none. */
    private final List<HostedElection> earlier = new ArrayList<>();

    void add(HostedElection hosted) {
        HostedElection before = latest.put(hosted.path(), hosted);
        if (before != null) {
            earlier.add(before);
        }
    }

    void remove(HostedElection hosted) {
        if (!latest.remove(hosted.path(), hosted)) {
            earlier.remove(hosted);
        }
    }

    /** A copy: whoever is told of something may be gone afterwards. */
    List<HostedElection> all() {
        List<HostedElection> all = new ArrayList<>(latest.values());
        all.addAll(earlier);
        return all;
    }

    List<HostedElection> at(String path) {
        List<HostedElection> found = new ArrayList<>(1);
        HostedElection current = latest.get(path);
        if (current != null) {
            found.add(current);
        }
        for (HostedElection hosted : earlier) {
            if (hosted.path().equals(path)) {
                found.add(hosted);
            }
        }
        return found;
    }
}
