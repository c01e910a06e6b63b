package io.github.leaderelection.zookeeper.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Role;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AfterLeavingTests {

    @ParameterizedTest(name = "{0}: {1}, final: {2}")
    @CsvSource({
        "REJOIN, CANDIDATE, false",
        "PAUSE, CANDIDATE, false",
        "CLEAR, CANDIDATE, false",
        "OBSERVE, OBSERVER, false",
        "CLOSE, CLOSED, true",
        "END, CLOSED, true"
    })
    @DisplayName("a candidate that leaves shows the role that follows, and only a closed one stays closed")
    void roleAndFinality(AfterLeaving then, Role role, boolean isFinal) {
        assertThat(then.role()).isEqualTo(role);
        assertThat(then.isFinal()).isEqualTo(isFinal);
    }
}
