package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.States.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Candidate;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ElectionStateTests {

    private static final ElectionState.Config CONFIG =
            new ElectionState.Config("orders", ELECTION, true, () -> "shop-1", Map.of("zone", "a"));

    @Test
    @DisplayName("an election begins as an observer that remembers nothing")
    void begins() {
        assertThat(ElectionState.of(CONFIG))
                .isEqualTo(new ElectionState(CONFIG, new Observing(), 0, 0, 0, null, false, 0, null));
    }

    @Test
    @DisplayName("a follower observes the heartbeat of its predecessor, also while its place is verified")
    void observes() {
        assertThat(heartbeat(following())).isEqualTo("/b/other");
        assertThat(heartbeat(evaluating().verifying(following()))).isEqualTo("/b/other");
        assertThat(heartbeat(evaluating().last(OTHER))).isEqualTo("/b/other");
    }

    @Test
    @DisplayName("there is no heartbeat to observe before the predecessor's is known, or without a predecessor")
    void observesNothing() {
        assertThat(heartbeat(following().behind(OTHER_UNREAD))).isNull();
        assertThat(heartbeat(evaluating())).isNull();
        assertThat(heartbeat(leading())).isNull();
        assertThat(heartbeat(nodeLost(0))).isNull();
    }

    private static String heartbeat(Row.StateBuilder state) {
        return in(state.build()).observedHeartbeat();
    }

    @Test
    @DisplayName("only a leader leads")
    void leads() {
        Leading leading = leading().build();

        assertThat(in(leading).leading()).contains(leading);
        assertThat(in(named().build()).leading()).isEmpty();
    }

    private static ElectionState in(State state) {
        return new ElectionState(CONFIG, state, REQUEST, 0, 0, null, false, 0, null);
    }

    @Test
    @DisplayName("a candidate is known by its id, and has joined when its node was created")
    void candidate() {
        CandidateNode node = new CandidateNode(path(ME), SESSION, MY_CZXID, 5_000, true, null);

        assertThat(CONFIG.candidate(node))
                .isEqualTo(new Candidate("shop-1", Map.of("zone", "a"), 7, MY_CZXID, Instant.ofEpochMilli(5_000)));
    }
}
