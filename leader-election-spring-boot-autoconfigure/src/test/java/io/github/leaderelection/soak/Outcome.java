package io.github.leaderelection.soak;

/** What became of a write. */
enum Outcome {
    ACCEPTED,
    REFUSED,
    UNKNOWN
}
