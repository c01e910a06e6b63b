package io.github.leaderelection;

/** Something about an election went wrong; the message says what, and what to do. */
public class ElectionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ElectionException(String message) {
        super(message);
    }

    public ElectionException(String message, Throwable cause) {
        super(message, cause);
    }
}
