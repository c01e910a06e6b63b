package io.github.leaderelection.zookeeper.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MomentTests {

    private static final long SECOND = 1_000_000_000;
    private static final Moment SENT = new Moment(7 * SECOND, 5_000);

    @Test
    @DisplayName("a lease lasts until it is over by both clocks alike")
    void within() {
        assertThat(SENT.within(1_000, SENT)).isTrue();
        assertThat(SENT.within(1_000, new Moment(8 * SECOND - 1, 5_999))).isTrue();
        assertThat(SENT.within(1_000, new Moment(8 * SECOND, 6_000))).isFalse();
    }

    @Test
    @DisplayName("R5 the lease is over if only the wall clock says so: the machine was suspended (F19)")
    void overByTheWallClock() {
        assertThat(SENT.within(1_000, new Moment(7 * SECOND + 1, 6_000))).isFalse();
    }

    @Test
    @DisplayName("R5 the lease is over if only the monotonic clock says so: the wall clock was set back (F20)")
    void overByTheMonotonicClock() {
        assertThat(SENT.within(1_000, new Moment(8 * SECOND, 5_001))).isFalse();
        assertThat(SENT.within(1_000, new Moment(8 * SECOND, 5_000 - 3_600_000)))
                .isFalse();
    }

    @Test
    @DisplayName("a wall clock that was set back does not end a lease (F20)")
    void wallClockSetBack() {
        assertThat(SENT.within(1_000, new Moment(7 * SECOND + 1, 5_000 - 3_600_000)))
                .isTrue();
    }

    @Test
    @DisplayName("the monotonic clock may overflow")
    void overflow() {
        Moment sent = new Moment(Long.MAX_VALUE, 5_000);

        assertThat(sent.within(1_000, new Moment(Long.MIN_VALUE, 5_001))).isTrue();
        assertThat(sent.within(1_000, new Moment(Long.MIN_VALUE + SECOND, 5_001)))
                .isFalse();
    }

    @Test
    @DisplayName("milliseconds after a moment are counted by the monotonic clock")
    void nanosAfter() {
        assertThat(SENT.nanosAfter(1_500)).isEqualTo(8 * SECOND + SECOND / 2);
    }
}
