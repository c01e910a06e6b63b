package io.github.leaderelection;

/** Leadership was required, and this process does not hold it. */
public class NotLeaderException extends ElectionException {

    private static final long serialVersionUID = 1L;

    public NotLeaderException(String message) {
        super(message);
    }
}
