package io.github.leaderelection.support;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the connection to ZooKeeper is, as this process sees it; found out without asking anybody.
 *
 * @param sessionId the session's; null if there is none
 * @param sessionTimeout as negotiated with the server; null if there was never a session
 * @param lease for how long a leader leads without a connection
 * @param down how long there has been no connection; zero while there is one
 */
public record ConnectionStatus(
        State state, @Nullable Long sessionId, @Nullable Duration sessionTimeout, Duration lease, Duration down) {

    /** Elections inside this process, which need no connection. */
    public static final ConnectionStatus LOCAL =
            new ConnectionStatus(State.LOCAL, null, null, Duration.ZERO, Duration.ZERO);

    /** There is no election, and so no connection was made. */
    public static final ConnectionStatus UNUSED =
            new ConnectionStatus(State.UNUSED, null, null, Duration.ZERO, Duration.ZERO);

    public enum State {
        CONNECTED,
        DISCONNECTED,
        LOCAL,
        UNUSED
    }

    /** Whether whoever led by this connection leads no more. */
    public boolean isLost() {
        return state == State.DISCONNECTED && down.compareTo(lease) > 0;
    }
}
