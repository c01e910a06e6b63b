package io.github.leaderelection.benchmarks.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Asks one server how it is. */
final class FourLetterWords {

    private final int port;
    private long asked;

    FourLetterWords(int port) {
        this.port = port;
    }

    int port() {
        return port;
    }

    void awaitServing(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!serves()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("The server at port " + port + " does not serve");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private boolean serves() {
        try {
            return ask("srvr").contains("Mode: ");
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    /** What it has counted, without these questions. */
    Traffic traffic() {
        String numbers = ask("mntr");
        asked++;
        return new Traffic(
                number(numbers, "zk_packets_received") - asked,
                number(numbers, "zk_packets_sent"),
                number(numbers, "zk_watch_count"));
    }

    private static long number(String numbers, String name) {
        return numbers.lines()
                .filter(line -> line.startsWith(name + "\t"))
                .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    private String ask(String word) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
