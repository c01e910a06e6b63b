package io.github.leaderelection;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown if leadership is required, and this process does not lead. */
public class NotLeaderException extends ElectionException {

    private static final long serialVersionUID = 1L;

    private final @Nullable String election;

    public NotLeaderException(String message) {
        super(message);
        this.election = null;
    }

    /** @param election the name of the election that this process does not lead */
    public NotLeaderException(String message, String election) {
        super(message);
        this.election = election;
    }

    /** Returns the name of the election that this process does not lead, if it is known. */
    public Optional<String> election() {
        return Optional.ofNullable(election);
    }
}
