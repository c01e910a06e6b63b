package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.protocol.Moment;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The two clocks that a lease is measured with: one stands still in a suspended machine, the other may be set. */
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

    /** The moment so long from now; however long that is. */
    default long nanosAfter(Duration time) {
        return nanos() + Math.min(TimeUnit.NANOSECONDS.convert(time), Long.MAX_VALUE / 2);
    }

    default Moment now() {
        return new Moment(nanos(), millis());
    }
}
