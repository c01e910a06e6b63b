package io.github.leaderelection.lifecycle;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionCustomizer;
import io.github.leaderelection.Elections;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ManagedElection;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The elections of one application: those that are configured, each of which is a bean, others that the application has
 * as beans, and those that it opens at run time.
 */
public final class ApplicationElections implements Elections {

    private final Map<String, ElectionSettings> configured = new LinkedHashMap<>();
    private final Function<String, ElectionSettings> settings;
    private final ElectionProvider source;
    private final Supplier<Collection<Election>> beans;
    private final List<ElectionCustomizer> customizers;
    private final NominationCoordinator participation = new NominationCoordinator();
    private final Map<String, Election> known = new LinkedHashMap<>();
    /** The names of those opened at run time: once closed they are there no more. */
    private final Set<String> transients = ConcurrentHashMap.newKeySet();

    private boolean complete;

    /**
     * @param settings those of an election that is opened at run time, by its name
     * @param beans all elections that are beans; they are asked for when they are needed
     */
    public ApplicationElections(
            List<ElectionSettings> configured,
            Function<String, ElectionSettings> settings,
            ElectionProvider source,
            Supplier<Collection<Election>> beans,
            List<ElectionCustomizer> customizers) {
        configured.forEach(election -> this.configured.put(election.name(), election));
        this.settings = settings;
        this.source = source;
        this.beans = beans;
        this.customizers = List.copyOf(customizers);
    }

    /** Opens a configured election; to be called by the one who makes its bean. */
    public Election configured(String name) {
        ElectionSettings settings = configured.get(name);
        if (settings == null) {
            throw new IllegalArgumentException("Election '%s' is not configured".formatted(name));
        }
        return add(source.open(settings), settings.participate());
    }

    @Override
    public Election get(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException("There is no election '%s'; there are %s"
                        .formatted(name, all().stream().map(Election::name).toList())));
    }

    private Optional<Election> find(String name) {
        return all().stream().filter(election -> election.name().equals(name)).findFirst();
    }

    @Override
    public List<Election> all() {
        return known().stream()
                .filter(election -> !transients.contains(election.name()) || !isOver(election))
                .toList();
    }

    /** Also those opened at run time that are closed, and have not been forgotten yet. */
    private List<Election> known() {
        gatherBeans();
        synchronized (this) {
            return List.copyOf(known.values());
        }
    }

    /** Beans are made meanwhile, perhaps by other threads: not to be done under the lock. */
    private void gatherBeans() {
        if (!isComplete()) {
            beans.get().forEach(bean -> {
                ElectionSettings settings = configured.get(bean.name());
                add(bean, settings != null && settings.participate());
            });
            putInOrder();
        }
    }

    private synchronized boolean isComplete() {
        return complete;
    }

    private synchronized void putInOrder() {
        Map<String, Election> unordered = new LinkedHashMap<>(known);
        known.clear();
        configured.keySet().forEach(name -> {
            Election election = unordered.remove(name);
            if (election != null) {
                known.put(name, election);
            }
        });
        known.putAll(unordered);
        complete = true;
    }

    @Override
    public Election open(String name) {
        ElectionSettings wanted = settings.apply(name);
        known().stream()
                .filter(election -> election.name().equals(name) && isOver(election))
                .forEach(this::forget);
        return find(name).orElseGet(() -> openAnew(wanted));
    }

    /** Closed a moment ago, and perhaps not yet drained. */
    private boolean isOver(Election election) {
        return election.role() == Role.CLOSED && !configured.containsKey(election.name());
    }

    private Election openAnew(ElectionSettings wanted) {
        Election election = source.open(wanted);
        Election added = add(election, wanted.participate());
        if (added != election && isOver(added)) {
            // Another thread has opened and closed one meanwhile.
            forget(added);
            return openAnew(wanted);
        }
        if (added == election && election instanceof ManagedElection managed) {
            transients.add(election.name());
            managed.whenClosed(() -> forget(managed));
        }
        return added;
    }

    /** Opening may have taken its time, so somebody else may have been faster. */
    private Election add(Election election, boolean participate) {
        synchronized (this) {
            Election earlier = known.putIfAbsent(election.name(), election);
            if (earlier != null) {
                return earlier;
            }
        }
        customizers.forEach(customizer -> customizer.customize(election));
        participation.include(election, participate);
        return election;
    }

    private void forget(Election election) {
        boolean forgotten;
        synchronized (this) {
            forgotten = known.remove(election.name(), election);
        }
        if (forgotten) {
            transients.remove(election.name());
            customizers.forEach(customizer -> customizer.closed(election));
        }
    }

    NominationCoordinator participation() {
        return participation;
    }

    ElectionProvider source() {
        return source;
    }
}
