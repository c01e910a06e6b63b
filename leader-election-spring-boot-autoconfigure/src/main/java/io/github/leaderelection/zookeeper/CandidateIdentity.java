package io.github.leaderelection.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.leaderelection.support.HostName;
import io.github.leaderelection.support.OneLine;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import java.util.HashMap;
import java.util.Map;

/** The id and metadata of a candidate. Their size is limited, because every other candidate reads them. */
final class CandidateIdentity {

    private static final int LONGEST_ID = 500;
    private static final int MOST_DATA = 65_536;

    private CandidateIdentity() {}

    /** Resolved lazily, because the host name lookup takes time. */
    private static final class ThisProcess {
        private static final String ID = ProcessHandle.current().pid() + "@" + HostName.local();
    }

    static String idOfThisProcess() {
        return ThisProcess.ID;
    }

    /**
     * Returns the id as one line.
     *
     * @throws IllegalArgumentException if the id is too long
     */
    static String validId(String id) {
        String line = OneLine.of(id);
        if (line.length() > LONGEST_ID) {
            throw new IllegalArgumentException("The candidate id must have at most %d characters, but has %d"
                    .formatted(LONGEST_ID, line.length()));
        }
        return line;
    }

    /** Returns the id as one line, truncated if it is too long. */
    static String truncated(String id) {
        String line = OneLine.of(id);
        return line.length() <= LONGEST_ID ? line : line.substring(0, LONGEST_ID);
    }

    /**
     * Replaces characters that UTF-8 cannot encode.
     *
     * @throws IllegalArgumentException if the metadata is too long
     */
    static Map<String, String> validMetadata(Map<String, String> metadata) {
        Map<String, String> encodable = new HashMap<>();
        metadata.forEach((key, value) -> encodable.put(encodable(key), encodable(value)));
        int size = new CandidateData("", "", encodable, "").toJson().length;
        if (size > MOST_DATA) {
            throw new IllegalArgumentException(
                    "The candidate's metadata must have at most %d bytes, but has %d".formatted(MOST_DATA, size));
        }
        return Map.copyOf(encodable);
    }

    private static String encodable(String text) {
        return new String(text.getBytes(UTF_8), UTF_8);
    }
}
