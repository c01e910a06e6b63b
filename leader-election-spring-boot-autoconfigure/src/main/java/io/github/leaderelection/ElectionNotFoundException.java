package io.github.leaderelection;

/** There is no such election node, and it may not be created; or no chroot for it to lie under. */
public class ElectionNotFoundException extends ElectionException {

    private static final long serialVersionUID = 1L;

    public ElectionNotFoundException(String message) {
        super(message);
    }
}
