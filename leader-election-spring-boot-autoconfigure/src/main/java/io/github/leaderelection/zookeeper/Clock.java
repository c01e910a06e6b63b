package io.github.leaderelection.zookeeper;

/** The two clocks that a lease is measured with: one stands still in a suspended machine, the other may be set. */
interface Clock {

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

    default Moment now() {
        return new Moment(nanos(), millis());
    }
}
