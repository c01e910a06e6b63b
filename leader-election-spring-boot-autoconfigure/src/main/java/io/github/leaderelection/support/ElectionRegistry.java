package io.github.leaderelection.support;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The elections of this process by their names: one is open at a time, and earlier ones may still be on their way out. */
public final class ElectionRegistry<E extends Election> {

    private final Map<String, E> latest = new HashMap<>();
    /** Those in whose place another one has been opened: mostly there are none. */
    private final List<E> outgoing = new ArrayList<>();

    private boolean closed;

    /**
     * The election that is open under that name; null if there is none.
     *
     * @throws IllegalArgumentException if it is open with another path
     * @throws ElectionClosedException if no election is opened any more
     */
    public synchronized @Nullable E find(String name, String path) {
        requireOpen("open election '%s'".formatted(name));
        E known = latest.get(name);
        if (known == null || known.role() == Role.CLOSED) {
            return null;
        }
        if (!known.path().equals(path)) {
            throw new IllegalArgumentException("Election '%s' is open at %s; it can't be opened at %s as well"
                    .formatted(name, known.path(), path));
        }
        return known;
    }

    /**
     * The election that is open under that name, or else a new one.
     *
     * @param opening makes it, given the one that is on its way out, if there is one
     */
    public synchronized E open(String name, String path, Function<@Nullable E, E> opening) {
        E known = find(name, path);
        if (known != null) {
            return known;
        }
        E earlier = latest.get(name);
        E opened = opening.apply(earlier);
        latest.put(name, opened);
        if (earlier != null) {
            outgoing.add(earlier);
        }
        return opened;
    }

    /** To be called when nothing of it is left. */
    public synchronized void forget(E election) {
        if (!latest.remove(election.name(), election)) {
            outgoing.remove(election);
        }
    }

    /** All that are open or on their way out. */
    public synchronized List<E> all() {
        return Stream.concat(latest.values().stream(), outgoing.stream()).toList();
    }

    /** Opens none any more; tells whether it did until now. */
    public synchronized boolean close() {
        boolean wasOpen = !closed;
        closed = true;
        return wasOpen;
    }

    /**
     * Makes sure that this is not closed.
     *
     * @param what what is to be done
     * @throws ElectionClosedException if it can't be done any more
     */
    public synchronized void requireOpen(String what) {
        if (closed) {
            throw new ElectionClosedException("Cannot %s: these elections are closed".formatted(what));
        }
    }
}
