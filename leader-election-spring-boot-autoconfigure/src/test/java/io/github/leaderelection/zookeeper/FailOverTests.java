package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.Participant;
import io.github.leaderelection.zookeeper.fixture.ReportFile;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How long an election is without a leader. */
class FailOverTests extends ElectionTestSupport {

    /** So long that a wait for it would be noticed. */
    private static final Duration LONG_LEASE = Duration.ofMillis(2_500);

    @Test
    @DisplayName(
            "After a crash, a follower that saw the leader's heartbeats waits for the session timeout but not for a lease")
    void aCrashCostsNoMoreThanTheSessionTimeout() throws Exception {
        Participant leader = participant("leader").lease(LONG_LEASE).nominate();
        leader.awaitLeading();
        Participant next = participant("next").lease(LONG_LEASE).nominate().awaitFollowing();
        awaitHeartbeatWatched(leader);
        var deleted = new CompletableFuture<Long>();
        admin.client().exists(admin.node(leader), event -> deleted.complete(System.nanoTime()));

        leader.proxy().cut();
        long crash = System.nanoTime();
        assertThat(next.election().awaitLeadership(BOUND)).isTrue();
        long led = System.nanoTime();

        Duration afterDeletion = Duration.ofNanos(led - deleted.get(20, TimeUnit.SECONDS));
        ReportFile.of("fail-over.txt")
                .line("Led %s after the crash (session timeout %s), %s after the deletion of the node"
                        .formatted(Duration.ofNanos(led - crash), SESSION, afterDeletion));
        assertThat(afterDeletion).isLessThan(LONG_LEASE.dividedBy(2));
    }
}
