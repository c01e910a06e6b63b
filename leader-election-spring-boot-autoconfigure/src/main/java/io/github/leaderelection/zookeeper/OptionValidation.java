package io.github.leaderelection.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.leaderelection.support.OneLine;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Validates the values of {@link ElectionOptions}; the messages name the option. */
final class OptionValidation {

    /** Clocks count nanoseconds in a long. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    // Every other candidate reads the id and the metadata.
    private static final int LONGEST_ID = 500;
    private static final int MOST_METADATA = 65_536;

    private OptionValidation() {}

    static Duration positive(String name, Duration value) {
        if (Objects.requireNonNull(value, name).compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException(name + " must be at least 1 ms, but is " + value);
        }
        return notNegative(name, value);
    }

    static Duration notNegative(String name, Duration value) {
        if (Objects.requireNonNull(value, name).isNegative()) {
            throw new IllegalArgumentException(name + " must not be negative, but is " + value);
        }
        if (value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "%s must be at most %d days, but is %s".formatted(name, LONGEST.toDays(), value));
        }
        return value;
    }

    /** Returns the id as one line. */
    static String candidateId(String id) {
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

    /** Replaces characters that UTF-8 cannot encode. */
    static Map<String, String> metadata(Map<String, String> metadata) {
        if (metadata.isEmpty()) {
            // To measure it would load the JSON library, which takes a while at startup.
            return Map.of();
        }
        Map<String, String> encodable = new HashMap<>();
        metadata.forEach((key, value) -> encodable.put(encodable(key), encodable(value)));
        int size = new CandidateData("", "", encodable, "").toJson().length;
        if (size > MOST_METADATA) {
            throw new IllegalArgumentException(
                    "The candidate's metadata must have at most %d bytes, but has %d".formatted(MOST_METADATA, size));
        }
        return Map.copyOf(encodable);
    }

    private static String encodable(String text) {
        return new String(text.getBytes(UTF_8), UTF_8);
    }
}
