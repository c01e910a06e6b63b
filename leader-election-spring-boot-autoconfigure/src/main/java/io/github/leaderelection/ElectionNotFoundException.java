package io.github.leaderelection;

/** There is no such election node, and it may not be created. */
public class ElectionNotFoundException extends ElectionException {

    private static final long serialVersionUID = 1L;

    public ElectionNotFoundException(String message) {
        super(message);
    }
}
