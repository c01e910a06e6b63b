package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

class OversizedReplyBackoffTests {

    private static final Request OWN_NODE = new Request.Get("/elections/orders/c-abc-0000000001", true);
    private static final Request QUEUE = new Request.Children("/elections/orders", true);

    private final OversizedReplyBackoff backoff = new OversizedReplyBackoff(new ManualConnection());

    /** Other requests are answered: it is not the server that is down. */
    private void loseAgainAndAgain(Request request) {
        for (int i = 0; i < 3; i++) {
            backoff.answered(request, Reply.of(Code.CONNECTIONLOSS));
            backoff.answered(new Request.Exists("/"), Reply.stat(new Stat()));
        }
    }

    @Test
    void aRequestThatBreaksTheConnectionAgainAndAgainIsHeldBack() {
        loseAgainAndAgain(QUEUE);

        assertThat(backoff.holdBack(QUEUE)).isTrue();
        assertThat(backoff.holdBack(OWN_NODE)).isFalse();
    }

    @Test
    void losingOneAnswerIsNoReasonToHoldARequestBack() {
        backoff.answered(QUEUE, Reply.of(Code.CONNECTIONLOSS));

        assertThat(backoff.holdBack(QUEUE)).isFalse();
    }

    @Test
    void aNewSessionForgetsCandidatesNodesButNotTheQueue() {
        loseAgainAndAgain(OWN_NODE);
        loseAgainAndAgain(QUEUE);
        assertThat(backoff.holdBack(OWN_NODE)).isTrue();

        backoff.expired();

        assertThat(backoff.holdBack(OWN_NODE)).isFalse();
        assertThat(backoff.holdBack(QUEUE)).isTrue();
    }
}
