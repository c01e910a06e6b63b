package io.github.leaderelection;

/** ZooKeeper could not be reached, or did not answer in time. */
public class ElectionConnectionException extends ElectionException {

    private static final long serialVersionUID = 1L;

    public ElectionConnectionException(String message) {
        super(message);
    }

    public ElectionConnectionException(String message, Throwable cause) {
        super(message, cause);
    }
}
