package io.github.leaderelection.soak;

/** A broken guarantee. */
record Violation(Kind kind, String what) {

    enum Kind {
        TWO_LEADERS("Two leaders at once"),
        TOKEN_DID_NOT_GROW("A fencing token did not grow"),
        OLDER_TOKEN_ACCEPTED("A fenced resource accepted an older token"),
        LEADER_REFUSED("A fenced resource refused the leader"),
        GRANTED_AND_REVOKED_DO_NOT_ALTERNATE("Granted and revoked do not alternate"),
        VALID_WHEN_REVOKED("A term was valid when it was revoked"),
        NO_LEADER_FOR_TOO_LONG("No leader for too long"),
        NOT_ONE_LEADER_AT_THE_END("Not exactly one leader at the end"),
        STRAY_NODE("A stray node at the end"),
        NOTHING_OBSERVED("Too little was observed");

        private final String title;

        Kind(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    @Override
    public String toString() {
        return kind.title() + ": " + what;
    }
}
