package io.github.leaderelection.lifecycle;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionCustomizer;
import io.github.leaderelection.Elections;
import io.github.leaderelection.support.ManagedElection;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The elections of one application: those that are configured, each of which is a bean, others that the application has
 * as beans, and those that it opens at run time.
 */
public final class ApplicationElections implements Elections {

    private final Map<String, ElectionSettings> configured = new LinkedHashMap<>();
    private final Function<String, ElectionSettings> settings;
    private final ElectionSource source;
    private final Supplier<Collection<Election>> beans;
    private final List<ElectionCustomizer> customizers;
    private final Participation participation = new Participation();
    private final Map<String, Election> known = new LinkedHashMap<>();
    private boolean complete;

    /**
     * @param settings those of an election that is opened at run time, by its name
     * @param beans all elections that are beans; they are asked for when they are needed
     */
    public ApplicationElections(
            List<ElectionSettings> configured,
            Function<String, ElectionSettings> settings,
            ElectionSource source,
            Supplier<Collection<Election>> beans,
            List<ElectionCustomizer> customizers) {
        configured.forEach(election -> this.configured.put(election.name(), election));
        this.settings = settings;
        this.source = source;
        this.beans = beans;
        this.customizers = List.copyOf(customizers);
    }

    /** Opens a configured election; to be called by the one who makes its bean. */
    public synchronized Election configured(String name) {
        Election election = known.get(name);
        if (election == null) {
            ElectionSettings settings = configured.get(name);
            if (settings == null) {
                throw new IllegalArgumentException("Election '%s' is not configured".formatted(name));
            }
            election = add(source.open(settings), settings.participate());
        }
        return election;
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
        gatherBeans();
        synchronized (this) {
            return List.copyOf(known.values());
        }
    }

    /** Not under the lock: beans are made meanwhile, perhaps by other threads. */
    private void gatherBeans() {
        if (!isComplete()) {
            Collection<Election> all = beans.get();
            synchronized (this) {
                all.forEach(bean -> {
                    if (!known.containsKey(bean.name())) {
                        ElectionSettings settings = configured.get(bean.name());
                        add(bean, settings != null && settings.participate());
                    }
                });
                inConfiguredOrder();
                complete = true;
            }
        }
    }

    private synchronized boolean isComplete() {
        return complete;
    }

    private void inConfiguredOrder() {
        Map<String, Election> unordered = new LinkedHashMap<>(known);
        known.clear();
        configured.keySet().forEach(name -> {
            Election election = unordered.remove(name);
            if (election != null) {
                known.put(name, election);
            }
        });
        known.putAll(unordered);
    }

    @Override
    public Election open(String name) {
        ElectionSettings wanted = settings.apply(name);
        Election open = find(name).orElse(null);
        return open != null ? open : openAnew(wanted);
    }

    private Election openAnew(ElectionSettings wanted) {
        // Not under the lock: it may take its time. Asked by several at once, the source has the same for all of them.
        Election opened = source.open(wanted);
        synchronized (this) {
            Election known = this.known.get(wanted.name());
            if (known != null) {
                return known;
            }
            add(opened, wanted.participate());
        }
        if (opened instanceof ManagedElection managed) {
            managed.whenClosed(() -> forget(managed));
        }
        return opened;
    }

    private Election add(Election election, boolean participate) {
        known.put(election.name(), election);
        customizers.forEach(customizer -> customizer.customize(election));
        if (participate) {
            participation.include(election);
        }
        return election;
    }

    private void forget(Election election) {
        boolean forgotten;
        synchronized (this) {
            forgotten = known.remove(election.name(), election);
        }
        if (forgotten) {
            customizers.forEach(customizer -> customizer.closed(election));
        }
    }

    Participation participation() {
        return participation;
    }

    ElectionSource source() {
        return source;
    }
}
