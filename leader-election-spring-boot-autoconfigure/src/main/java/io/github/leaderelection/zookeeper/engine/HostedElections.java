package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.protocol.Candidacy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The elections of one connection, by their paths. While one is leaving, the next may already be open at its path. */
final class HostedElections {

    /** The lists are replaced, never changed: an election may be removed while it handles an event. */
    private final Map<String, List<HostedElection>> byPath = new HashMap<>();

    void add(HostedElection hosted) {
        List<HostedElection> there = at(hosted.path());
        List<HostedElection> more = List.of(hosted);
        if (!there.isEmpty()) {
            more = new ArrayList<>(there);
            more.add(hosted);
        }
        byPath.put(hosted.path(), more);
    }

    void remove(HostedElection hosted) {
        List<HostedElection> left = new ArrayList<>(at(hosted.path()));
        left.remove(hosted);
        if (left.isEmpty()) {
            byPath.remove(hosted.path());
        } else {
            byPath.put(hosted.path(), left);
        }
    }

    /** A copy, for the same reason. */
    List<HostedElection> all() {
        List<HostedElection> all = new ArrayList<>(byPath.size());
        for (List<HostedElection> there : byPath.values()) {
            all.addAll(there);
        }
        return all;
    }

    List<HostedElection> at(String path) {
        List<HostedElection> there = byPath.get(path);
        return there == null ? List.of() : there;
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
