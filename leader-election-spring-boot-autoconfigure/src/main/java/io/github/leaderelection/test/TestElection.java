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
 * An election for tests, whose outcome the test decides. No server, no threads, nothing to wait for:
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
 * <p>Listeners are called before the method that brings an event about returns, on the thread that called it, with
 * {@link #isLeader()} already changed. An event that a listener itself brings about is delivered after the one that it
 * is being told; where several threads change the election at once, one of them delivers for all.
 *
 * <p>As an {@link io.github.leaderelection.Election} it behaves like any other, except that it leads only by
 * {@link #grant()}: {@link #nominate()} alone leaves it a candidate, and so do {@link #stepDown()} and a listener that
 * throws when it is granted leadership.
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
                new LocalSettings(() -> "test", Map.of(), drainTimeout, false, Runnable::run));
    }

    /**
     * Makes this process the leader, and nominates it before that if need be. Nothing changes if it leads already.
     *
     * @return the term; it is over if a listener threw
     * @throws IllegalStateException if leader-only work of the last term is still draining
     */
    public Leadership grant() {
        nominate();
        return leadership()
                .or(() -> status().candidate().flatMap(this::begin))
                .orElseThrow(
                        () -> new IllegalStateException("Election '%s' is still being handed over".formatted(name())));
    }

    private Optional<Leadership> begin(Candidate self) {
        otherLeader = null;
        return lead(self);
    }

    /**
     * Takes the leadership away at once, without draining, as when the lease is lost. Whatever the reason is, this
     * process remains a candidate, to which {@link #grant()} gives the next term. To go further there are
     * {@link #withdraw()}, {@link #resign()} and {@link #end()}.
     *
     * @throws IllegalStateException if this process does not lead
     */
    public void revoke(RevocationReason reason) {
        lose(reason);
    }

    /**
     * Makes another candidate the leader, behind which this process is a follower if it is nominated.
     *
     * @param leader null: nobody leads
     * @throws IllegalStateException if this process leads; {@link #revoke} its leadership first
     */
    public void leaderChanged(@Nullable Candidate leader) {
        changeOtherLeader(() -> {
            if (isLeader()) {
                throw new IllegalStateException(
                        "This process leads election '%s'; revoke its leadership first".formatted(name()));
            }
            otherLeader = leader;
        });
    }

    /** Ends the election, as when somebody else deletes it; does not wait for leader-only work. */
    public void end() {
        var unused = endForGood();
    }

    @Override
    protected void joined(Candidate self, int failures) {
        // The test says when it leads.
    }

    @Override
    protected Optional<Candidate> otherLeader() {
        return Optional.ofNullable(otherLeader);
    }
}
