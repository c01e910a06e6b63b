package io.github.leaderelection.soak;

import static org.awaitility.Awaitility.await;

import io.github.leaderelection.zookeeper.fixture.TestEnsemble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.core.ConditionTimeoutException;

/** Injects the faults of a plan, each on a thread of its own, and records them. */
final class Nemesis {

    /** How many candidates may be disturbed at once, so that another one can lead. */
    private static final int VICTIMS = 3;

    private static final Set<FaultKind> LEADER_FAULTS =
            EnumSet.of(FaultKind.LEADER_FROZEN_WITHIN_LEASE, FaultKind.LEADER_FROZEN_PAST_LEASE);
    private static final Set<FaultKind> PROCESS_FAULTS = EnumSet.of(
            FaultKind.CANDIDATE_KILLED,
            FaultKind.CANDIDATE_PAUSED,
            FaultKind.CANDIDATE_PAUSED_BRIEFLY,
            FaultKind.LEADER_FROZEN_WITHIN_LEASE,
            FaultKind.LEADER_FROZEN_PAST_LEASE,
            FaultKind.HAND_OVER,
            FaultKind.HAND_OVER_TO);
    private static final String ENSEMBLE_LINKS = "links of the ensemble";

    private final TestEnsemble ensemble;
    private final List<CandidateSlot> candidates;
    private final ElectionAdministrator administrator;
    private final HealthMonitor health;
    private final Set<String> disturbed = new HashSet<>();
    private final List<Fault> faults = Collections.synchronizedList(new ArrayList<>());
    private volatile String leader = "";
    private volatile boolean over;

    Nemesis(
            TestEnsemble ensemble,
            List<CandidateSlot> candidates,
            ElectionAdministrator administrator,
            HealthMonitor health) {
        this.ensemble = ensemble;
        this.candidates = candidates;
        this.administrator = administrator;
        this.health = health;
    }

    /** Returns when all faults have ended. */
    List<Fault> carryOut(FaultPlan plan) {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            threads.execute(this::followLeader);
            long start = System.nanoTime();
            List<CompletableFuture<Void>> pending = new ArrayList<>();
            for (FaultPlan.Step step : plan.steps()) {
                pause(start + step.at().toNanos() - System.nanoTime());
                pending.add(CompletableFuture.runAsync(() -> carryOut(step), threads));
            }
            CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new)).join();
            pause(start + plan.length().toNanos() - System.nanoTime());
            return List.copyOf(faults);
        } finally {
            over = true;
            threads.shutdownNow();
        }
    }

    /** Keeps track of the leader, which is the preferred victim; during a fault ZooKeeper may not answer. */
    private void followLeader() {
        while (!over) {
            administrator.leader().ifPresent(node -> leader = node.owner());
            pause(Duration.ofMillis(100));
        }
    }

    private static void pause(Duration duration) {
        pause(duration.toNanos());
    }

    private static void pause(long nanos) {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void carryOut(FaultPlan.Step step) {
        var random = new Random(step.seed());
        switch (step.kind().scope()) {
            case ENSEMBLE -> disturbEnsemble(step, random);
            case CANDIDATE, LINK_QUALITY, REQUEST -> {
                if (step.kind() == FaultKind.NODE_DELETED || step.kind() == FaultKind.HEARTBEAT_DELETED) {
                    deleteNode(step, random);
                } else {
                    disturbCandidate(step, random);
                }
            }
        }
    }

    private void record(FaultPlan.Step step, String target, long from) {
        faults.add(new Fault(step.kind(), target, from, System.nanoTime()));
    }

    // the ensemble

    private void disturbEnsemble(FaultPlan.Step step, Random random) {
        List<Integer> servers = serversFor(step.kind(), random);
        Optional<Set<String>> claimed = claimServers(step.kind(), servers);
        if (claimed.isEmpty()) {
            return;
        }
        long from = System.nanoTime();
        health.faultBegins();
        try {
            disturb(step, servers, random);
        } finally {
            record(
                    step,
                    "server "
                            + String.join(
                                    ", ", servers.stream().map(String::valueOf).toList()),
                    from);
            health.faultEnds();
            release(claimed.get());
        }
    }

    private List<Integer> serversFor(FaultKind kind, Random random) {
        List<Integer> servers = new ArrayList<>(TestEnsemble.IDS);
        Collections.shuffle(servers, random);
        Optional<Integer> first =
                servers.stream().filter(id -> serves(id, kind)).findFirst();
        return switch (kind) {
            case ROLLING_RESTART -> servers;
            case QUORUM_LOST -> servers.subList(0, 2);
            default -> List.of(first.orElse(servers.get(0)));
        };
    }

    private boolean serves(int id, FaultKind kind) {
        return switch (kind) {
            case LEADER_PARTITIONED -> ensemble.leads(id);
            case FOLLOWER_PARTITIONED -> !ensemble.leads(id);
            default -> true;
        };
    }

    private synchronized Optional<Set<String>> claimServers(FaultKind kind, List<Integer> servers) {
        boolean links = kind == FaultKind.LEADER_PARTITIONED
                || kind == FaultKind.FOLLOWER_PARTITIONED
                || kind == FaultKind.ENSEMBLE_SLOW;
        Set<String> wanted = new HashSet<>();
        if (links) {
            wanted.add(ENSEMBLE_LINKS);
        } else {
            servers.forEach(id -> wanted.add("server " + id));
        }
        return claim(wanted);
    }

    private void disturb(FaultPlan.Step step, List<Integer> servers, Random random) {
        int server = servers.get(0);
        switch (step.kind()) {
            case SERVER_KILLED, QUORUM_LOST -> {
                servers.forEach(ensemble::kill);
                pause(step.duration());
                servers.forEach(ensemble::start);
            }
            case SERVER_PAUSED, SERVER_PAUSED_BRIEFLY -> {
                ensemble.pause(server);
                pause(step.duration());
                ensemble.resume(server);
            }
            case LEADER_PARTITIONED, FOLLOWER_PARTITIONED -> {
                ensemble.isolate(server);
                pause(step.duration());
                ensemble.heal();
            }
            case ENSEMBLE_SLOW -> {
                ensemble.slowDown(server, Duration.ofMillis(20 + random.nextInt(200)));
                pause(step.duration());
                ensemble.heal();
            }
            case ROLLING_RESTART -> servers.forEach(this::restart);
            default -> throw new IllegalArgumentException(step.kind().name());
        }
    }

    private void restart(int server) {
        ensemble.stop(server);
        ensemble.start(server);
        try {
            await().atMost(Duration.ofSeconds(8))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> ensemble.ask(server, "srvr").contains("Mode: "));
        } catch (ConditionTimeoutException partitioned) {
            // Another fault may keep it from serving; the restart goes on all the same.
        }
    }

    // candidates

    private void disturbCandidate(FaultPlan.Step step, Random random) {
        String what = PROCESS_FAULTS.contains(step.kind()) ? "process of " : "links of ";
        List<CandidateSlot> order = new ArrayList<>(candidates);
        Collections.shuffle(order, random);
        if (LEADER_FAULTS.contains(step.kind()) || random.nextInt(4) > 0) {
            order.sort((a, b) -> Boolean.compare(isLeader(b), isLeader(a)));
        }
        for (CandidateSlot victim : order) {
            Optional<Set<String>> claimed = claimVictim(what, victim);
            if (claimed.isPresent()) {
                long from = System.nanoTime();
                String target = victim.id();
                try {
                    disturb(step, victim, random);
                } finally {
                    record(step, target, from);
                    release(claimed.get());
                }
                return;
            }
        }
    }

    private boolean isLeader(CandidateSlot candidate) {
        return candidate.id().equals(leader);
    }

    private void disturb(FaultPlan.Step step, CandidateSlot victim, Random random) {
        switch (step.kind()) {
            case CANDIDATE_KILLED -> {
                victim.kill();
                pause(step.duration());
                victim.start();
            }
            case CANDIDATE_PAUSED, CANDIDATE_PAUSED_BRIEFLY, LEADER_FROZEN_WITHIN_LEASE, LEADER_FROZEN_PAST_LEASE -> {
                victim.pause();
                pause(step.duration());
                victim.resume();
            }
            case LINKS_BLACK_HOLED, LINKS_BLACK_HOLED_BRIEFLY -> {
                victim.blackHoleLinks();
                pause(step.duration());
                victim.healLinks();
            }
            case LINKS_FLAPPING -> {
                long until = System.nanoTime() + step.duration().toNanos();
                while (System.nanoTime() - until < 0) {
                    victim.cutLinksOnce();
                    pause(Duration.ofMillis(20 + random.nextInt(600)));
                }
            }
            case LINKS_SLOW -> {
                victim.slowLinks(20 + random.nextInt(400));
                pause(step.duration());
                victim.healLinks();
            }
            case HAND_OVER_TO ->
                victim.send(SoakCandidate.HAND_OVER_TO
                        + candidates.get(random.nextInt(candidates.size())).id());
            case HAND_OVER -> victim.send(random.nextBoolean() ? SoakCandidate.STEP_DOWN : SoakCandidate.WITHDRAW);
            default -> throw new IllegalArgumentException(step.kind().name());
        }
    }

    private void deleteNode(FaultPlan.Step step, Random random) {
        long from = System.nanoTime();
        Optional<ElectionAdministrator.CandidateNode> deleted = step.kind() == FaultKind.NODE_DELETED
                ? administrator.deleteRandomNode(random)
                : administrator.deleteRandomHeartbeat(random);
        deleted.ifPresent(node -> record(step, node.owner(), from));
    }

    // targets that are in use

    private synchronized Optional<Set<String>> claimVictim(String what, CandidateSlot victim) {
        Set<String> victims = new HashSet<>(Set.of(victim.name()));
        candidates.stream()
                .map(CandidateSlot::name)
                .filter(name -> disturbed.contains("process of " + name) || disturbed.contains("links of " + name))
                .forEach(victims::add);
        return victims.size() > VICTIMS ? Optional.empty() : claim(Set.of(what + victim.name()));
    }

    private Optional<Set<String>> claim(Set<String> wanted) {
        if (!Collections.disjoint(disturbed, wanted)) {
            return Optional.empty();
        }
        disturbed.addAll(wanted);
        return Optional.of(wanted);
    }

    private synchronized void release(Set<String> claimed) {
        disturbed.removeAll(claimed);
    }
}
