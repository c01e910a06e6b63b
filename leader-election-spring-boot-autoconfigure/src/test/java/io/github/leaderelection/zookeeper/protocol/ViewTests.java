package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ViewTests {

    @ParameterizedTest(name = "own lease {0}, grace {1}, record''s lease {2}: {3}")
    @CsvSource({
        "3000, 0, 3000, 3000",
        "3000, 500, 3000, 2500",
        "3000, 500, 2000, 1500",
        "3000, 500, 9000, 2500",
        "3000, 2000, 3000, 1500",
        "1, 500, 3000, 1",
        "3000, 500, 1, 1"
    })
    @DisplayName("R15 a leader goes by the shorter lease, less the grace, which is at most half of that (F63, F88)")
    void validity(long lease, long grace, long granted, long validity) {
        View view = new View(
                NOW,
                true,
                true,
                SESSION,
                SESSION_TIMEOUT,
                lease,
                grace,
                HEARTBEAT_PATH,
                HEARTBEAT_CZXID,
                0,
                0,
                heartbeat -> null,
                Heirs.NONE,
                () -> null,
                () -> "new");

        assertThat(view.validity(granted)).isEqualTo(validity);
    }
}
