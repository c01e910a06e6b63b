package io.github.leaderelection.soak;

/**
 * What a candidate's listener was told.
 *
 * @param reason why it was revoked; empty where it was granted
 * @param valid whether a term claimed to hold while its end was told
 */
record Told(String who, long at, long term, long token, String reason, boolean valid) {

    boolean granted() {
        return reason.isEmpty();
    }
}
