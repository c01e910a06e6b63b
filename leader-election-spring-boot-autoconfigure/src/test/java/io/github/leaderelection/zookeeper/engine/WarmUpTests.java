package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.protocol.Closed;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import org.junit.jupiter.api.Test;

class WarmUpTests {

    @Test
    void aCandidateLeadsForATermAndLeaves() {
        ElectionState end = new WarmUp().run();

        assertThat(end.terms()).isEqualTo(1);
        assertThat(end.state()).isEqualTo(new Closed(false));
        assertThat(end.error()).isNull();
    }
}
