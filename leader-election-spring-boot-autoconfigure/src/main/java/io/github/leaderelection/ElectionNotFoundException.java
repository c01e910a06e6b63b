package io.github.leaderelection;

/** Thrown if the node of an election does not exist and must not be created, or if the chroot does not exist. */
public class ElectionNotFoundException extends ElectionException {

    private static final long serialVersionUID = 1L;

    public ElectionNotFoundException(String message) {
        super(message);
    }
}
