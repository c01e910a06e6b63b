package io.github.leaderelection.support;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The elections of this process. At most one per name is open; earlier elections of that name may still be leaving. */
public final class ElectionRegistry<E extends Election> {

    private final Map<String, E> latest = new HashMap<>();
    /** Elections that were replaced by another election of the same name before they had left. */
    private final List<E> leaving = new ArrayList<>();

    private boolean closed;

    /**
     * Returns the open election of that name, or null.
     *
     * @throws IllegalArgumentException if it is open with another path
     * @throws ElectionClosedException if this registry is closed
     */
    public synchronized @Nullable E find(String name, String path) {
        if (closed) {
            throw new ElectionClosedException("Cannot open election '%s': all elections are closed".formatted(name));
        }
        E known = latest.get(name);
        if (known == null || known.role() == Role.CLOSED) {
            return null;
        }
        if (!known.path().equals(path)) {
            throw new IllegalArgumentException("Election '%s' is already open at %s and cannot be opened at %s"
                    .formatted(name, known.path(), path));
        }
        return known;
    }

    /**
     * Returns the open election of that name, or a new one.
     *
     * @param factory creates it; its argument is the last election of that name if that is still leaving, or null
     */
    public synchronized E open(String name, String path, Function<@Nullable E, E> factory) {
        E known = find(name, path);
        if (known != null) {
            return known;
        }
        E earlier = latest.get(name);
        E opened = factory.apply(earlier);
        latest.put(name, opened);
        if (earlier != null) {
            leaving.add(earlier);
        }
        return opened;
    }

    /** To be called when an election has left. */
    public synchronized void forget(E election) {
        if (!latest.remove(election.name(), election)) {
            leaving.remove(election);
        }
    }

    /** All elections that are open or leaving. */
    public synchronized List<E> all() {
        List<E> all = new ArrayList<>(latest.values());
        all.addAll(leaving);
        return all;
    }

    /** Refuses to open elections from now on; returns whether it did not do so before. */
    public synchronized boolean close() {
        boolean wasOpen = !closed;
        closed = true;
        return wasOpen;
    }

    public synchronized boolean isClosed() {
        return closed;
    }
}
