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
            new ElectionState.Config("orders", ELECTION, true, () -> "shop-1", Map.of("zone", "a"), 2, null, "");

    @Test
    @DisplayName("an election begins as an observer that remembers nothing")
    void begins() {
        assertThat(ElectionState.of(CONFIG))
                .isEqualTo(new ElectionState(CONFIG, new Observing(), 0, 0, 0, null, false, 0, null));
    }

    @Test
    @DisplayName("an heir observes the heartbeat of the holder, also while its place is verified or it takes over")
    void observes() {
        assertThat(heartbeat(following().asHeir())).isEqualTo("/b/other");
        assertThat(heartbeat(evaluating().verifying(following().asHeir()))).isEqualTo("/b/other");
        assertThat(heartbeat(evaluating().last(OTHER))).isEqualTo("/b/other");
        assertThat(heartbeat(takingOver())).isEqualTo("/b/other");
    }

    @Test
    @DisplayName("a follower that is not the heir observes no heartbeat, nor does one that does not know it yet")
    void observesNothing() {
        assertThat(heartbeat(following())).isNull();
        assertThat(heartbeat(evaluating().verifying(following()))).isNull();
        assertThat(heartbeat(following().asHeir().behind(OTHER_UNREAD))).isNull();
        assertThat(heartbeat(evaluating())).isNull();
        assertThat(heartbeat(leading())).isNull();
        assertThat(heartbeat(nodeLost(0))).isNull();
    }

    private static String heartbeat(Row.StateBuilder state) {
        return in(state.build()).observedHeartbeat();
    }

    @Test
    @DisplayName("a leader knows the heir that it wants, whether or not that is appointed")
    void heir() {
        assertThat(in(leading().build()).heir()).isEqualTo(AFTER);
        assertThat(in(leading().appointed("").build()).heir()).isEqualTo(AFTER);

        assertThat(in(leading().succession(NO_HEIR).build()).heir()).isNull();
        assertThat(in(following().build()).heir()).isNull();
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
        CandidateNode node = new CandidateNode(path(ME), SESSION, MY_CZXID, 5_000, 0, true, null);

        assertThat(CONFIG.candidate(node))
                .isEqualTo(new Candidate("shop-1", Map.of("zone", "a"), 2, 7, Instant.ofEpochMilli(5_000)));
    }
}
