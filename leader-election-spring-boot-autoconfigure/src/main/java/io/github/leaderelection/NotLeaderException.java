package io.github.leaderelection;

/** Thrown if leadership is required, and this process does not lead. */
public class NotLeaderException extends ElectionException {

    private static final long serialVersionUID = 1L;

    public NotLeaderException(String message) {
        super(message);
    }
}
