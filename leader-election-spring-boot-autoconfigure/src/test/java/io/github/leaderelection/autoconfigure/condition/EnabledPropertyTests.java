package io.github.leaderelection.autoconfigure.condition;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.github.leaderelection.support.MisconfigurationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.env.MockEnvironment;

class EnabledPropertyTests {

    @ParameterizedTest
    @CsvSource({"true, false", "false, true"})
    void valueAtRunTimeMustBeThatOfAheadOfTimeProcessing(boolean runTime, boolean processed) {
        MockEnvironment environment = new MockEnvironment()
                .withProperty("leader-election.zookeeper.embedded.enabled", String.valueOf(runTime));
        assertThatExceptionOfType(MisconfigurationException.class)
                .isThrownBy(() -> EnabledProperty.EMBEDDED_ZOOKEEPER.requireBuildTimeValue(processed, environment));
        assertThatNoException()
                .isThrownBy(() -> EnabledProperty.EMBEDDED_ZOOKEEPER.requireBuildTimeValue(runTime, environment));
    }
}
