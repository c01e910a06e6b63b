package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.server.Traffic;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Connection;
import io.github.leaderelection.benchmarks.subject.Subjects;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The load of elections in which nothing happens, each with a candidate on every connection. */
public final class Rest implements Scenario {

    private static final int ELECTIONS = 100;
    private static final List<Integer> CONNECTIONS = List.of(10, 20, 40);
    /** Those without a thread per candidate, since there are up to four thousand candidates. */
    private static final List<Subject> SUBJECTS =
            List.of(Subjects.named("bare recipe"), Subjects.named("LeaderLatch"), Subjects.named("ours"));

    /** Every election has been verified by then, which shows a former heir that it need not observe heartbeats any more. */
    private static final int SETTLING_MILLIS = 40_000;

    @Override
    public String name() {
        return "rest";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        String packets = ELECTIONS + " elections at rest: packets per connection";
        String ofFollower = "One election at rest: packets of the last candidate in the queue";
        String watched = ELECTIONS + " elections at rest: watches per candidate";
        List<Result> results = new ArrayList<>();
        for (int count : CONNECTIONS) {
            String row = count + " connections";
            var sent = new Result(packets, "packets/s", row + ", sent by the server");
            var received = new Result(packets, "packets/s", row + ", received by the server");
            var follower = new Result(ofFollower, "packets/s", row + ", received by the server");
            var watches = new Result(watched, "watches", row);
            List<Group> groups = new ArrayList<>();
            try {
                // At the same time, because it takes long: the server counts each connection by itself.
                for (Subject subject : SUBJECTS) {
                    groups.add(new Group(subject, servers, count, ELECTIONS));
                    groups.add(new Group(subject, servers, count, 1));
                }
                Pauses.millis(SETTLING_MILLIS);
                Map<Long, Traffic> before = servers.trafficBySession();
                Pauses.millis(1_000L * mode.restSeconds());
                Map<Long, Traffic> after = servers.trafficBySession();
                for (Group group : groups) {
                    double connectionSeconds = (double) mode.restSeconds() * count;
                    if (group.elections == 1) {
                        follower.add(
                                group.subject,
                                (double) group.last(before, after).received() / mode.restSeconds());
                    } else {
                        Traffic total = group.total(before, after);
                        sent.add(group.subject, total.sent() / connectionSeconds);
                        received.add(group.subject, total.received() / connectionSeconds);
                    }
                }
            } finally {
                // One after the other, which shows whose watches they were.
                for (Group group : groups) {
                    long all = servers.watches();
                    group.close();
                    if (group.elections > 1) {
                        watches.add(group.subject, (double) (all - servers.watches()) / (count * group.elections));
                    }
                }
            }
            results.addAll(List.of(sent, received, watches, follower));
        }
        return results;
    }

    /** The connections of one subject. They lead equally many elections, and the queues are in different orders. */
    private static final class Group implements AutoCloseable {
        final String subject;
        final int elections;
        private final List<Connection> connections = new ArrayList<>();

        Group(Subject subject, Servers servers, int count, int elections) throws Exception {
            this.subject = subject.name();
            this.elections = elections;
            for (int i = 0; i < count; i++) {
                connections.add(subject.connect(servers.address(i), TYPICAL_SESSION_MILLIS));
            }
            String root = "/rest/%s-%d-%d".formatted(Scenario.nodeName(subject), count, elections);
            try (AdminClient admin = new AdminClient(servers.address())) {
                Elections.createPaths(admin, root, elections);
                // The first of each queue leads before the others join.
                var led = new CountDownLatch(elections);
                join(root, elections, 0, led::countDown);
                if (!led.await(AdminClient.TIMEOUT_NANOS, TimeUnit.NANOSECONDS)) {
                    throw new TimeoutException(led.getCount() + " elections have no leader");
                }
                for (int place = 1; place < count; place++) {
                    join(root, elections, place, () -> {});
                }
                for (int i = 0; i < elections; i++) {
                    admin.awaitCandidates(Elections.path(root, i), count);
                }
            }
        }

        private void join(String root, int elections, int place, Runnable onGranted) {
            for (int i = 0; i < elections; i++) {
                connections
                        .get(order(i).get(place))
                        .candidate(Elections.path(root, i), onGranted)
                        .start();
            }
        }

        /** The connections in the order in which they join an election: each leads equally often, the rest is random. */
        private List<Integer> order(int election) {
            int leader = election % connections.size();
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < connections.size(); i++) {
                if (i != leader) {
                    order.add(i);
                }
            }
            Collections.shuffle(order, new Random(election));
            order.add(0, leader);
            return order;
        }

        /** The packets of all connections. */
        Traffic total(Map<Long, Traffic> before, Map<Long, Traffic> after) {
            return connections.stream().map(each -> since(before, after, each)).reduce(Traffic.NONE, Traffic::plus);
        }

        /** The packets of the connection that joined the first election last. */
        Traffic last(Map<Long, Traffic> before, Map<Long, Traffic> after) {
            return since(before, after, connections.get(order(0).get(connections.size() - 1)));
        }

        private static Traffic since(Map<Long, Traffic> before, Map<Long, Traffic> after, Connection connection) {
            long session = connection.session();
            return Objects.requireNonNull(after.get(session)).since(Objects.requireNonNull(before.get(session)));
        }

        @Override
        public void close() {
            Connection.closeAll(connections);
        }
    }
}
