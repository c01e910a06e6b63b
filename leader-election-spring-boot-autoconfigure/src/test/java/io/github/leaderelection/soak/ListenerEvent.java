package io.github.leaderelection.soak;

/**
 * An event that a candidate's listener received.
 *
 * @param reason why the term was revoked; empty for a grant
 * @param valid whether the term was still valid when it was revoked
 */
record ListenerEvent(String candidate, long at, long term, long token, String reason, boolean valid) {

    boolean granted() {
        return reason.isEmpty();
    }
}
