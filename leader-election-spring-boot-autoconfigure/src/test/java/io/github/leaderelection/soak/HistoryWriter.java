package io.github.leaderelection.soak;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Writes what a candidate observes to a file, a line for each event. Lines are not buffered: they survive a kill. */
final class HistoryWriter {

    private final OutputStream file;

    HistoryWriter(Path path) {
        try {
            file = new FileOutputStream(path.toFile(), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first "yes" of a term, given between two readings of the clock. */
    void leads(long before, long after, long term, long token) {
        line("leads " + before + " " + after + " " + term + " " + token);
    }

    /** A further "yes". */
    void still(long before, long after) {
        line("still " + before + " " + after);
    }

    void leadsNot(long before, long after) {
        line("not " + before + " " + after);
    }

    void granted(long term, long token) {
        line("granted " + System.nanoTime() + " " + term + " " + token);
    }

    /** @param valid whether the term was still valid when it was revoked */
    void revoked(long term, long token, String reason, boolean valid) {
        line("revoked " + System.nanoTime() + " " + term + " " + token + " " + reason + " " + valid);
    }

    /** @param valid whether the term was valid before and after the write */
    void write(FencedResource resource, WriteOutcome outcome, long token, boolean valid) {
        line("write " + System.nanoTime() + " " + resource + " " + outcome + " " + token + " " + valid);
    }

    void note(String text) {
        line("note " + System.nanoTime() + " " + text.replaceAll("\\p{Cntrl}+", " "));
    }

    private synchronized void line(String line) {
        try {
            file.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
