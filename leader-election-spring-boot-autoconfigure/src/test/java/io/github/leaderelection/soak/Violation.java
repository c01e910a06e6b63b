package io.github.leaderelection.soak;

/** A promise that was broken. */
record Violation(Kind kind, String what) {

    enum Kind {
        TWO_LEADERS("Two lead at once"),
        TOKEN_DID_NOT_GROW("A fencing token did not grow"),
        OLDER_TOKEN_ACCEPTED("A fenced resource accepted an older token"),
        LEADER_REFUSED("A fenced resource refused who led"),
        GRANTED_AND_REVOKED_DO_NOT_ALTERNATE("Granted and revoked do not alternate"),
        VALID_WHEN_REVOKED("A term held while its end was told"),
        NO_LEADER_FOR_TOO_LONG("There was no leader for too long"),
        NOT_ONE_LEADER_AT_THE_END("At the end there was not exactly one leader"),
        STRAY_NODE("At the end there was a node of nobody"),
        NOTHING_SEEN("Too little was seen to say anything");

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
