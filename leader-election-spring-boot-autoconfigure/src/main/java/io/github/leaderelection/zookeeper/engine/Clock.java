package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.protocol.Moment;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The two clocks that measure a lease: one stands still while the machine is suspended, the other may be adjusted. */
public interface Clock {

    Clock SYSTEM = new Clock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long millis() {
            return System.currentTimeMillis();
        }
    };

    long nanos();

    long millis();

    /** The time after the given duration, which is capped to avoid an overflow. */
    default long nanosAfter(Duration time) {
        return nanos() + Math.min(TimeUnit.NANOSECONDS.convert(time), Long.MAX_VALUE / 2);
    }

    default Moment now() {
        return new Moment(nanos(), millis());
    }
}
