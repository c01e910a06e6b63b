package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Election;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.ZooKeeper;

/** A candidate in a process of its own, which can be paused. It prints whether it leads, again and again. */
final class CandidateProcess {

    private static final String LEADER = "LEADER";

    private CandidateProcess() {}

    /** Starts one; what it says goes to the timeline. */
    static ChildProcess start(
            String id, String address, Duration session, Duration lease, String path, Timeline timeline) {
        ChildProcess process = ChildProcess.start(
                CandidateProcess.class,
                id,
                address,
                String.valueOf(session.toMillis()),
                String.valueOf(lease.toMillis()),
                path);
        Thread thread = new Thread(() -> read(process.output(), id, timeline), "candidate-" + id);
        thread.setDaemon(true);
        thread.start();
        return process;
    }

    private static void read(BufferedReader output, String id, Timeline timeline) {
        try (output) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                String[] words = line.split(" ");
                if (words.length == 3 && (words[0].equals(LEADER) || words[0].equals("NOT"))) {
                    timeline.add(id, words[0].equals(LEADER), Long.parseLong(words[1]), Long.parseLong(words[2]));
                } else {
                    System.out.println("[" + id + "] " + line);
                }
            }
        } catch (IOException ended) {
            // It was killed.
        }
    }

    public static void main(String[] arguments) {
        ChildProcess.endWithParent();
        int session = Integer.parseInt(arguments[2]);
        ElectionOptions options = ElectionOptions.defaults()
                .candidate(arguments[0], Map.of())
                .lease(Duration.ofMillis(Long.parseLong(arguments[3])))
                .failFast(false);
        ZooKeeperElections elections =
                ZooKeeperElections.over(watcher -> new ZooKeeper(arguments[1], session, watcher), options);
        Election election = elections.election("orders", arguments[4]);
        election.nominate();
        while (true) {
            long before = System.nanoTime();
            boolean leads = election.isLeader();
            long after = System.nanoTime();
            System.out.println((leads ? LEADER : "NOT") + " " + before + " " + after);
            if (System.out.checkError()) {
                throw new UncheckedIOException(new IOException("Nobody listens"));
            }
            LockSupport.parkNanos(500_000);
        }
    }
}
