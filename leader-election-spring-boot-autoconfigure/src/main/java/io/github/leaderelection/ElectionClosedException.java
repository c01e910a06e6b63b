package io.github.leaderelection;

/** Thrown if this process has resigned from the election, or the election was closed or deleted. Queries still work. */
public class ElectionClosedException extends ElectionException {

    private static final long serialVersionUID = 1L;

    public ElectionClosedException(String message) {
        super(message);
    }
}
