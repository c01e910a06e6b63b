package io.github.leaderelection.autoconfigure.messaging;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionCustomizer;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Handles the messages of one instance and reports that, and its terms, as lines of text. */
final class MessageHandler implements ElectionCustomizer, ElectionListener {

    /** Where the reports go. */
    interface Reports {
        void report(String line);
    }

    /** Long enough for others to be fetched by the client in the meantime. */
    private static final Duration WORK = Duration.ofMillis(5);

    private final Reports reports;
    private volatile Election election;

    MessageHandler(Reports reports) {
        this.reports = reports;
    }

    /** Enters a line into the journal. */
    static void enter(Journal journal, String instance, String line) {
        String[] words = line.split(" ");
        long nanos = Long.parseLong(words[1]);
        switch (words[0]) {
            case "granted" -> journal.granted(instance);
            case "revoked" -> journal.revoked(instance, nanos);
            case "took" -> journal.took(instance, Integer.parseInt(words[2]), Boolean.parseBoolean(words[3]), nanos);
            case "handled" -> journal.handled(instance, Integer.parseInt(words[2]), nanos);
            default -> throw new IllegalArgumentException(line);
        }
    }

    @Override
    public void customize(Election election) {
        this.election = election;
        election.addListener(this);
    }

    @Override
    public void granted(Leadership term) {
        report("granted %d");
    }

    @Override
    public void revoked(Leadership term, RevocationReason reason) {
        report("revoked %d");
    }

    void handle(String message) {
        report("took %d " + message + " " + election.isLeader());
        LockSupport.parkNanos(WORK.toNanos());
        report("handled %d " + message);
    }

    private synchronized void report(String line) {
        reports.report(line.formatted(System.nanoTime()));
    }
}
