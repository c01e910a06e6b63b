package io.github.leaderelection.soak;

/** The result of a write. */
enum WriteOutcome {
    ACCEPTED,
    REFUSED,
    UNKNOWN
}
