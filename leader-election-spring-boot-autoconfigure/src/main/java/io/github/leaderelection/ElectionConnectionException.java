package io.github.leaderelection;

/** Thrown if ZooKeeper cannot be reached, or does not respond in time. */
public class ElectionConnectionException extends ElectionException {

    private static final long serialVersionUID = 1L;

    public ElectionConnectionException(String message) {
        super(message);
    }

    public ElectionConnectionException(String message, Throwable cause) {
        super(message, cause);
    }
}
