package io.github.leaderelection.actuate;

/**
 * The path of a request below that of the endpoint, such as {@code orders} or {@code orders/leader}. Parameters in the body
 * or the query of a request override those in its path if they have the same name. They are text, and cannot be converted to
 * this type, so that a request can access only the election in its path, to which security rules refer.
 */
final class ElectionPath {

    private final String[] segments;

    /** Called by Spring to convert the segments of a path. */
    public ElectionPath(String[] segments) {
        this.segments = segments.clone();
    }

    String election() {
        return segments.length == 0 ? "" : segments[0];
    }

    boolean isElection() {
        return segments.length == 1;
    }

    boolean isLeader() {
        return segments.length == 2 && segments[1].equals("leader");
    }
}
