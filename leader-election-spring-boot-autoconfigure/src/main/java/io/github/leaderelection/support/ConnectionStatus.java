package io.github.leaderelection.support;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The status of the connection to ZooKeeper, as this process sees it.
 *
 * @param sessionId the id of the session; null if there is none
 * @param sessionTimeout the timeout negotiated with the server; null if there has not been a session yet
 * @param lease how long a leader leads without a connection
 * @param down how long the connection has been lost; zero while it is established
 */
public record ConnectionStatus(
        State state, @Nullable Long sessionId, @Nullable Duration sessionTimeout, Duration lease, Duration down) {

    /** Elections inside this process do not need a connection. */
    public static final ConnectionStatus LOCAL =
            new ConnectionStatus(State.LOCAL, null, null, Duration.ZERO, Duration.ZERO);

    /** There is no connection, because no election has been opened. */
    public static final ConnectionStatus UNUSED =
            new ConnectionStatus(State.UNUSED, null, null, Duration.ZERO, Duration.ZERO);

    public enum State {
        CONNECTED,
        DISCONNECTED,
        LOCAL,
        UNUSED
    }

    /** Whether a leader can no longer lead because of the lost connection. */
    public boolean isLost() {
        return state == State.DISCONNECTED && down.compareTo(lease) > 0;
    }
}
