package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CandidateNodeTests {

    private static final CandidateNode NODE = new CandidateNode(path(ME), SESSION, MY_CZXID, 5_000, 3, true, null);

    @Test
    @DisplayName("a node that was never proven is not proven")
    void neverProven() {
        assertThat(NODE.provenWithin(Long.MAX_VALUE / 1_000_000, NOW)).isFalse();
    }

    @Test
    @DisplayName("R1 a proof counts from the moment at which the heartbeat was sent")
    void provenWithin() {
        CandidateNode proven = NODE.prove(ago(1_000));

        assertThat(proven.provenWithin(1_001, NOW)).isTrue();
        assertThat(proven.provenWithin(1_000, NOW)).isFalse();
    }

    @Test
    @DisplayName("R5 a proof is too old if only one of the clocks says so (F19)")
    void bothClocks() {
        assertThat(NODE.prove(new Moment(NOW.nanos(), NOW.millis() - 1_000)).provenWithin(1_000, NOW))
                .isFalse();
        assertThat(NODE.prove(new Moment(NOW.nanos() - 1_000_000_000, NOW.millis()))
                        .provenWithin(1_000, NOW))
                .isFalse();
    }

    @Test
    @DisplayName("the watch, the proof and the version change by themselves")
    void armAndProve() {
        assertThat(NODE.arm(false)).isEqualTo(new CandidateNode(path(ME), SESSION, MY_CZXID, 5_000, 3, false, null));
        assertThat(NODE.prove(NOW)).isEqualTo(new CandidateNode(path(ME), SESSION, MY_CZXID, 5_000, 3, true, NOW));
        assertThat(NODE.version(4)).isEqualTo(new CandidateNode(path(ME), SESSION, MY_CZXID, 5_000, 4, true, null));
        assertThat(NODE.prove(NOW).arm(false))
                .isEqualTo(new CandidateNode(path(ME), SESSION, MY_CZXID, 5_000, 3, false, NOW));
    }

    @Test
    @DisplayName("a node is known by its name, and belongs to the candidacy whose GUID is in it")
    void identity() {
        assertThat(NODE.name()).isEqualTo(ME);
        assertThat(NODE.candidacy()).isEqualTo(new Candidacy("me", SESSION));
    }

    @Test
    @DisplayName("a node is as old as its Stat says, and not proven by being read")
    void ofStat() {
        Stat stat = new Stat();
        stat.setCzxid(MY_CZXID);
        stat.setCtime(5_000);
        stat.setVersion(3);

        assertThat(CandidateNode.of(path(ME), SESSION, stat, true)).isEqualTo(NODE);
    }
}
