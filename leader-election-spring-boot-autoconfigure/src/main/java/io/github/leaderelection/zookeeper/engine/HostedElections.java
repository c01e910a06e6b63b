package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.protocol.Candidacy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The elections of one connection, by their paths. While one is leaving, the next may already be open at its path. */
final class HostedElections {

    private final Map<String, List<HostedElection>> byPath = new HashMap<>();

    void add(HostedElection hosted) {
        byPath.computeIfAbsent(hosted.path(), path -> new ArrayList<>(1)).add(hosted);
    }

    void remove(HostedElection hosted) {
        byPath.computeIfPresent(hosted.path(), (path, there) -> {
            there.remove(hosted);
            return there.isEmpty() ? null : there;
        });
    }

    /** A copy: an election may be removed while it handles an event. */
    List<HostedElection> all() {
        List<HostedElection> all = new ArrayList<>(byPath.size());
        byPath.values().forEach(all::addAll);
        return all;
    }

    List<HostedElection> at(String path) {
        return List.copyOf(byPath.getOrDefault(path, List.of()));
    }

    /** Whether another election at that path has, or may have, a node of that candidacy. */
    boolean isOfAnother(HostedElection hosted, String guid) {
        for (HostedElection other : at(hosted.path())) {
            Candidacy candidacy = other.election().state().candidacy();
            if (other != hosted && candidacy != null && candidacy.guid().equals(guid)) {
                return true;
            }
        }
        return false;
    }
}
