package io.github.leaderelection.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads the files of a {@link HistoryWriter}. */
final class HistoryReader {

    static final String SUFFIX = ".history";

    private final List<ObservedTerm> terms = new ArrayList<>();
    private final List<ListenerEvent> events = new ArrayList<>();
    private final List<WriteAttempt> attempts = new ArrayList<>();

    static HistoryReader read(Path directory) {
        var reader = new HistoryReader();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(path -> path.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList()) {
                String name = file.getFileName().toString();
                reader.read(name.substring(0, name.length() - SUFFIX.length()), Files.readString(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return reader;
    }

    void read(String candidate, String text) {
        var history = new CandidateHistory(candidate);
        // A kill can leave half a line at the end.
        text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(history::line);
        history.endTerm(Long.MAX_VALUE);
    }

    List<ObservedTerm> terms() {
        return terms;
    }

    List<ListenerEvent> events() {
        return events;
    }

    List<WriteAttempt> attempts() {
        return attempts;
    }

    /** The file of one candidate. */
    private final class CandidateHistory {

        private final String candidate;
        private long no = Long.MIN_VALUE;
        private long[] first;
        private long[] last;

        CandidateHistory(String candidate) {
            this.candidate = candidate;
        }

        void line(String line) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "leads" -> {
                    endTerm(number(words[1]));
                    first = new long[] {number(words[1]), number(words[2]), number(words[3]), number(words[4])};
                    last = first;
                }
                case "still" -> last = new long[] {number(words[1]), number(words[2])};
                case "not" -> {
                    endTerm(number(words[2]));
                    no = number(words[1]);
                }
                case "granted" ->
                    events.add(new ListenerEvent(
                            candidate, number(words[1]), number(words[2]), number(words[3]), "", false));
                case "revoked" ->
                    events.add(new ListenerEvent(
                            candidate,
                            number(words[1]),
                            number(words[2]),
                            number(words[3]),
                            words[4],
                            Boolean.parseBoolean(words[5])));
                case "write" ->
                    attempts.add(new WriteAttempt(
                            candidate,
                            number(words[1]),
                            FencedResource.valueOf(words[2]),
                            WriteOutcome.valueOf(words[3]),
                            number(words[4]),
                            Boolean.parseBoolean(words[5])));
                case "note" -> {}
                default -> throw new IllegalArgumentException("Not a line of a history: " + line);
            }
        }

        /** Ends a term. A candidate that was killed cannot have led much longer than its last line says. */
        void endTerm(long noAfter) {
            if (first != null) {
                terms.add(new ObservedTerm(
                        candidate,
                        first[2],
                        first[3],
                        no == Long.MIN_VALUE ? first[0] : no,
                        first[0],
                        first[1],
                        last[0],
                        last[1],
                        noAfter == Long.MAX_VALUE ? last[1] : noAfter));
                no = last[1];
                first = null;
            }
        }

        private static long number(String word) {
            return Long.parseLong(word);
        }
    }
}
