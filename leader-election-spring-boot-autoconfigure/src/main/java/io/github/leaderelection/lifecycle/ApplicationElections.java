package io.github.leaderelection.lifecycle;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionCustomizer;
import io.github.leaderelection.Elections;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ElectionMonitor;
import io.github.leaderelection.support.ManagedElection;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The elections of one application: the configured elections, each of which is a bean; other elections that are beans;
 * and elections that are opened at run time.
 */
public final class ApplicationElections implements Elections {

    /** An election as the application knows it, which may be its own implementation, and as it is managed. */
    private record Entry(Election election, ManagedElection managed) {

        Entry(Election election) {
            this(election, ManagedElection.of(election));
        }

        String name() {
            return election.name();
        }
    }

    private final Map<String, ElectionSettings> configured = new LinkedHashMap<>();
    private final Function<String, ElectionSettings> runTimeSettings;
    private final ElectionProvider provider;
    private final Supplier<Collection<Election>> beans;
    private final List<ElectionCustomizer> customizers;
    private final NominationCoordinator nominations = new NominationCoordinator();
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    /** Names of the elections opened at run time, which are removed after they have been closed. */
    private final Set<String> openedAtRunTime = ConcurrentHashMap.newKeySet();

    private boolean beansAdded;

    /**
     * Creates the elections of an application.
     *
     * @param runTimeSettings returns the settings of an election that is opened at run time, by its name
     * @param beans returns all elections that are beans; called when they are first needed
     */
    public ApplicationElections(
            List<ElectionSettings> configured,
            Function<String, ElectionSettings> runTimeSettings,
            ElectionProvider provider,
            Supplier<Collection<Election>> beans,
            List<ElectionCustomizer> customizers) {
        configured.forEach(election -> this.configured.put(election.name(), election));
        this.runTimeSettings = runTimeSettings;
        this.provider = provider;
        this.beans = beans;
        this.customizers = List.copyOf(customizers);
    }

    /** Opens a configured election, to be registered as a bean. */
    public Election openConfigured(String name) {
        ElectionSettings settings = configured.get(name);
        if (settings == null) {
            throw new IllegalArgumentException("Election '%s' is not configured".formatted(name));
        }
        return add(provider.open(settings), settings);
    }

    @Override
    public Election get(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException("There is no election '%s'. The elections are %s"
                        .formatted(name, all().stream().map(Election::name).toList())));
    }

    private Optional<Election> find(String name) {
        return all().stream().filter(election -> election.name().equals(name)).findFirst();
    }

    @Override
    public List<Election> all() {
        return available().map(Entry::election).toList();
    }

    private Stream<Entry> available() {
        return entries().stream().filter(entry -> !openedAtRunTime.contains(entry.name()) || !isGone(entry.election()));
    }

    /** Includes elections opened at run time that have been closed, but not removed yet. */
    private List<Entry> entries() {
        addBeans();
        synchronized (this) {
            return List.copyOf(entries.values());
        }
    }

    /** Does not hold the lock while beans are created, because other threads may create beans too. */
    private void addBeans() {
        if (!areBeansAdded()) {
            beans.get().forEach(bean -> add(bean, configured.get(bean.name())));
            sortEntries();
        }
    }

    private synchronized boolean areBeansAdded() {
        return beansAdded;
    }

    /** Puts the configured elections first, in the order of the configuration. */
    private synchronized void sortEntries() {
        Map<String, Entry> unordered = new LinkedHashMap<>(entries);
        entries.clear();
        configured.keySet().forEach(name -> {
            Entry entry = unordered.remove(name);
            if (entry != null) {
                entries.put(name, entry);
            }
        });
        entries.putAll(unordered);
        beansAdded = true;
    }

    @Override
    public Election open(String name) {
        ElectionSettings settings = runTimeSettings.apply(name);
        entries().stream()
                .map(Entry::election)
                .filter(election -> election.name().equals(name) && isGone(election))
                .forEach(this::remove);
        return find(name).orElseGet(() -> open(settings));
    }

    /** Whether an election has been closed and may be opened again; its work may still be draining. */
    private boolean isGone(Election election) {
        return election.role() == Role.CLOSED && !configured.containsKey(election.name());
    }

    private Election open(ElectionSettings settings) {
        ManagedElection election = provider.open(settings);
        Election added = add(election, settings);
        if (added != election) {
            if (isGone(added)) {
                // Another thread has opened and closed the election in the meantime.
                remove(added);
                return open(settings);
            }
            return added;
        }
        openedAtRunTime.add(election.name());
        election.whenClosed(() -> remove(election));
        return election;
    }

    /**
     * Adds an election. Returns the election of that name that another thread has added in the meantime, if any.
     *
     * @param settings null if the election is not configured
     */
    private Election add(Election election, @Nullable ElectionSettings settings) {
        Entry entry = new Entry(election);
        synchronized (this) {
            Entry existing = entries.putIfAbsent(entry.name(), entry);
            if (existing != null) {
                return existing.election();
            }
        }
        customizers.forEach(customizer -> customizer.customize(election));
        nominations.add(entry.managed(), settings != null && settings.participate());
        if (settings != null && !settings.participate()) {
            entry.managed().addMonitor(new ObserverMonitor(election.name()));
        }
        return election;
    }

    private record ObserverMonitor(String election) implements ElectionMonitor {
        @Override
        public void awaitedWithoutNomination() {
            throw new IllegalStateException(
                    "This application only observes election '%s', so that it does not lead: leader-election.elections.%s.participate is false. Remove that property, or call nominate() first"
                            .formatted(election, election));
        }
    }

    private void remove(Election election) {
        synchronized (this) {
            Entry entry = entries.get(election.name());
            if (entry == null || entry.election() != election) {
                return;
            }
            entries.remove(election.name());
        }
        openedAtRunTime.remove(election.name());
        customizers.forEach(customizer -> customizer.closed(election));
    }

    void nominateAll() {
        nominations.nominateAll();
    }

    /** Completes when all elections have been handed over. */
    CompletableFuture<?> withdrawAll(RevocationReason reason) {
        return nominations.withdrawAll(managed(), reason);
    }

    List<ManagedElection> managed() {
        return available().map(Entry::managed).toList();
    }

    void suspend(ManagedElection election, RevocationReason reason) {
        nominations.suspend(election, reason);
    }

    void resume(ManagedElection election) {
        nominations.resume(election);
    }

    ElectionProvider provider() {
        return provider;
    }
}
