package io.github.leaderelection.support;

import org.jspecify.annotations.Nullable;

/** Thrown if an application is misconfigured. Carries the description and the action of a failure analysis. */
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

    /** The problem, with the property and its value. */
    public String description() {
        return description;
    }

    /** What to do about the problem. */
    public String action() {
        return action;
    }
}
