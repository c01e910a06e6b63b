package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.protocol.Candidacy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The elections of one connection, by their paths. While one is leaving, the next may already be open at its path. */
final class HostedElections {

    /** The one that was opened last, which knows those before it: there may be thousands of paths, and hardly any second. */
    private final Map<String, HostedElection> lastByPath = new HashMap<>();

    void add(HostedElection hosted) {
        hosted.before = lastByPath.put(hosted.path(), hosted);
    }

    void remove(HostedElection removed) {
        HostedElection last = lastByPath.get(removed.path());
        if (last != removed) {
            for (HostedElection hosted = last; hosted != null; hosted = hosted.before) {
                hosted.before = hosted.before == removed ? removed.before : hosted.before;
            }
        } else if (removed.before == null) {
            lastByPath.remove(removed.path());
        } else {
            lastByPath.put(removed.path(), removed.before);
        }
    }

    /** A copy: an election may be removed while it handles an event. */
    List<HostedElection> all() {
        List<HostedElection> all = new ArrayList<>(lastByPath.size());
        for (HostedElection last : lastByPath.values()) {
            addAll(last, all);
        }
        return all;
    }

    /** A copy, for the same reason. */
    List<HostedElection> at(String path) {
        HostedElection last = lastByPath.get(path);
        if (last == null) {
            return List.of();
        }
        List<HostedElection> found = new ArrayList<>(1);
        addAll(last, found);
        return found;
    }

    private static void addAll(HostedElection last, List<HostedElection> target) {
        for (@Nullable HostedElection hosted = last; hosted != null; hosted = hosted.before) {
            target.add(hosted);
        }
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
