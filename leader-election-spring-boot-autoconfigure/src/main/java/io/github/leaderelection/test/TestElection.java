package io.github.leaderelection.test;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.local.InProcessElection;
import io.github.leaderelection.local.LocalSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An election whose outcome a test decides. It needs no server and no threads, and there is nothing to wait for:
 *
 * <pre>{@code
 * var election = new TestElection("orders");
 * var importer = new Importer(election);
 * Leadership term = election.grant();
 * assertThat(importer.isRunning()).isTrue();
 * election.revoke(RevocationReason.CONNECTION_LOST);
 * assertThat(importer.isRunning()).isFalse();
 * }</pre>
 *
 * <p>Listeners are called on the thread that causes an event, before the method that causes it returns, and after
 * {@link #isLeader()} has changed. An event that a listener causes is delivered after the current one. If several threads
 * change the election at once, one of them delivers all events.
 *
 * <p>It behaves like any other {@link io.github.leaderelection.Election}, except that it leads only after
 * {@link #grant()}: it remains a candidate after {@link #nominate()}, after {@link #stepDown()}, and after a listener has
 * thrown an exception when leadership was granted.
 */
public final class TestElection extends InProcessElection {

    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

    private volatile @Nullable Candidate otherLeader;

    /** An election at {@code /elections/<name>}, with a drain timeout of 10 seconds. */
    public TestElection(String name) {
        this(name, DRAIN_TIMEOUT);
    }

    /**
     * An election at {@code /elections/<name>}.
     *
     * @param drainTimeout how long leader-only work may delay a hand-over before it is interrupted
     */
    public TestElection(String name, Duration drainTimeout) {
        super(
                name,
                "/elections/" + name,
                new LocalSettings(() -> "test", Map.of(), 0, drainTimeout, false, Runnable::run));
    }

    /**
     * Makes this process the leader, after nominating it if necessary. Has no effect if it leads already.
     *
     * @return the term, which is over if a listener threw an exception
     * @throws IllegalStateException if listeners or leader-only work of the last term are still draining
     */
    public Leadership grant() {
        nominate();
        return leadership()
                .or(() -> status().candidate().flatMap(this::begin))
                .orElseThrow(() -> new IllegalStateException(
                        "Election '%s' is still draining the listeners or the work of its last term"
                                .formatted(name())));
    }

    private Optional<Leadership> begin(Candidate self) {
        if (!mayLead()) {
            return Optional.empty();
        }
        otherLeader = null;
        return lead(self);
    }

    /**
     * Revokes the leadership at once, without draining, as if the lease was lost. Regardless of the reason, this
     * process remains a candidate that {@link #grant()} can give another term. To leave, use {@link #withdraw()},
     * {@link #resign()} or {@link #end()}.
     *
     * @throws IllegalStateException if this process does not lead
     */
    public void revoke(RevocationReason reason) {
        lose(reason);
    }

    /**
     * Makes another candidate the leader. This process follows it if it is nominated.
     *
     * @param leader null if there is no leader
     * @throws IllegalStateException if this process leads: {@link #revoke} its leadership first
     */
    public void leaderChanged(@Nullable Candidate leader) {
        changeOtherLeader(() -> {
            if (isLeader()) {
                throw new IllegalStateException(
                        "This process leads election '%s': revoke its leadership first".formatted(name()));
            }
            otherLeader = leader;
        });
    }

    /** Ends the election as if another instance had deleted it. Does not wait for leader-only work. */
    public void end() {
        endForGood();
    }

    @Override
    protected void joined(Candidate self, int failures) {
        // Leads only after grant().
    }

    @Override
    protected Optional<Candidate> otherLeader() {
        return Optional.ofNullable(otherLeader);
    }
}
