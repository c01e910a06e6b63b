package io.github.leaderelection;

/** Base class of exceptions of elections. The message says what is wrong and what to do. */
public class ElectionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ElectionException(String message) {
        super(message);
    }

    public ElectionException(String message, Throwable cause) {
        super(message, cause);
    }
}
