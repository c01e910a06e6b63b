package io.github.leaderelection.support;

import org.jspecify.annotations.Nullable;

/** A mistake in an application's configuration: what it is, and what to do about it. */
public final class MisconfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String description;
    private final String action;

    public MisconfigurationException(String description, String action) {
        this(description, action, null);
    }

    public MisconfigurationException(String description, String action, @Nullable Throwable cause) {
        super(description + " " + action, cause);
        this.description = description;
        this.action = action;
    }

    /** What is wrong, with the property and its value. */
    public String description() {
        return description;
    }

    /** What to do about it. */
    public String action() {
        return action;
    }
}
