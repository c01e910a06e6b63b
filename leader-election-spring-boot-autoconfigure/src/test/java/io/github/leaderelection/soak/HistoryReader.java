package io.github.leaderelection.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads what candidates wrote, see {@link HistoryWriter}. */
final class HistoryReader {

    static final String SUFFIX = ".history";

    private final List<Reign> reigns = new ArrayList<>();
    private final List<Told> told = new ArrayList<>();
    private final List<Attempt> attempts = new ArrayList<>();

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

    void read(String who, String text) {
        var account = new Account(who);
        // A kill can leave half a line at the end.
        text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(account::line);
        account.over(Long.MAX_VALUE);
    }

    List<Reign> reigns() {
        return reigns;
    }

    List<Told> told() {
        return told;
    }

    List<Attempt> attempts() {
        return attempts;
    }

    /** What one candidate wrote. */
    private final class Account {

        private final String who;
        private long no = Long.MIN_VALUE;
        private long[] first;
        private long[] last;

        Account(String who) {
            this.who = who;
        }

        void line(String line) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "leads" -> {
                    over(number(words[1]));
                    first = new long[] {number(words[1]), number(words[2]), number(words[3]), number(words[4])};
                    last = first;
                }
                case "still" -> last = new long[] {number(words[1]), number(words[2])};
                case "not" -> {
                    over(number(words[2]));
                    no = number(words[1]);
                }
                case "granted" ->
                    told.add(new Told(who, number(words[1]), number(words[2]), number(words[3]), "", false));
                case "revoked" ->
                    told.add(new Told(
                            who,
                            number(words[1]),
                            number(words[2]),
                            number(words[3]),
                            words[4],
                            Boolean.parseBoolean(words[5])));
                case "write" ->
                    attempts.add(new Attempt(
                            who,
                            number(words[1]),
                            Resource.valueOf(words[2]),
                            Outcome.valueOf(words[3]),
                            number(words[4]),
                            Boolean.parseBoolean(words[5])));
                case "note" -> {}
                default -> throw new IllegalArgumentException("Not a line of a history: " + line);
            }
        }

        /** Who was killed can not have led after its last answer by more than the time between two lines. */
        void over(long noAfter) {
            if (first != null) {
                reigns.add(new Reign(
                        who,
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
