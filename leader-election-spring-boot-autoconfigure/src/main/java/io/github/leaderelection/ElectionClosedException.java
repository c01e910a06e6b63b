package io.github.leaderelection;

/** The election was resigned, closed or deleted; only queries are answered. */
public class ElectionClosedException extends ElectionException {

    private static final long serialVersionUID = 1L;

    public ElectionClosedException(String message) {
        super(message);
    }
}
