package io.github.leaderelection.zookeeper.engine;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a connection's elections do later, so that any number of them can share it. Thousands that began all at once would
 * be in each other's way: a beat would be answered after all that they have sent, and leases would be over by then. So
 * those that have begun go on first, and others begin as there is room. Errands can wait until all of them lead, and
 * whoever is told so has come to know of it; but not for ever. Confined to the loop.
 */
public final class RequestThrottle {

    /** So many that the server is never idle; so few that a beat among them does not take long. */
    public static final int MOST_UNDER_WAY = 256;

    private static final long IDLE_NANOS = 1_000_000;
    private static final long LONGEST = 1_500;

    private record Errand(long latest, Runnable task) {}

    private final Clock clock;
    private final LongSupplier lease;
    private final int mostUnderWay;
    private final DeadlineTimer alarm;
    private final Queue<Runnable> newcomers = new ArrayDeque<>();
    private final Queue<Errand> errands = new ArrayDeque<>();
    private int underWay;
    private long idleSince;
    /** The connection was found idle: all errands are done now, a few at a time, though they make it busy again. */
    private boolean leisure;

    /** @param lease in milliseconds; what an errand is good for has to be done well before it ends */
    RequestThrottle(Timers timers, Clock clock, LongSupplier lease, int mostUnderWay) {
        this.clock = clock;
        this.lease = lease;
        this.mostUnderWay = mostUnderWay;
        this.alarm = new DeadlineTimer(timers, this::look);
        this.idleSince = clock.nanos();
    }

    boolean hasRoom() {
        return underWay < mostUnderWay;
    }

    /** To be called while there is no room: the answers to what is under way make some. */
    void whenThereIsRoom(Runnable beginning) {
        newcomers.add(beginning);
    }

    /** Once nothing else has been under way for a moment; on a connection that is never idle, soon, and as there is room. */
    void whenIdle(Runnable errand) {
        errands.add(new Errand(clock.nanos() + Math.min(LONGEST, lease.getAsLong() / 3) * 1_000_000, errand));
        setAlarm();
    }

    void sent() {
        underWay++;
    }

    void answered() {
        underWay--;
        if (underWay == 0) {
            idleSince = clock.nanos();
        }
        goOn();
    }

    /** What was under way is no longer waited for, and nothing that was to be done makes sense on the next session. */
    void expired() {
        underWay = 0;
        idleSince = clock.nanos();
        leisure = false;
        newcomers.clear();
        errands.clear();
    }

    private void look() {
        leisure = underWay == 0 && clock.nanos() - idleSince >= IDLE_NANOS;
        goOn();
    }

    private void goOn() {
        for (Runnable next = next(); next != null; next = next()) {
            next.run();
        }
        setAlarm();
    }

    private @Nullable Runnable next() {
        if (!hasRoom()) {
            return null;
        }
        Errand errand = errands.peek();
        if (errand == null) {
            leisure = false;
        } else if (isLate(errand) || leisure && newcomers.isEmpty()) {
            errands.remove();
            return errand.task();
        }
        return newcomers.poll();
    }

    private boolean isLate(Errand errand) {
        return errand.latest() - clock.nanos() <= 0;
    }

    private void setAlarm() {
        Errand errand = errands.peek();
        // Where there is no room the next answer counts, not the time.
        if (errand != null && hasRoom()) {
            long idle = idleSince + IDLE_NANOS;
            alarm.noLaterThan(underWay == 0 && idle - errand.latest() < 0 ? idle : errand.latest());
        }
    }
}
