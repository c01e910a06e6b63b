package io.github.leaderelection.benchmarks.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks one server how it is. */
final class FourLetterWords {

    private static final Pattern CONNECTION = Pattern.compile("recved=(\\d+),.*,sid=0x(\\p{XDigit}+)");

    private final int port;
    private long asked;

    FourLetterWords(int port) {
        this.port = port;
    }

    int port() {
        return port;
    }

    /** @param process that of the server, which may have failed to start */
    void awaitServing(ChildProcess process, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!serves()) {
            process.requireAlive();
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

    /**
     * What it has counted, without these questions. They count as packets as well, and so do the answers, once they are
     * sent; the one to this word is so short that it is always one packet.
     */
    Traffic traffic() {
        String numbers = ask("srvr");
        asked++;
        return new Traffic(number(numbers, "Received: ") - asked, number(numbers, "Sent: ") - (asked - 1));
    }

    /** How many packets each session's connection has sent to this server. */
    Map<Long, Long> receivedBySession() {
        Map<Long, Long> received = new HashMap<>();
        Matcher connection = CONNECTION.matcher(ask("cons"));
        while (connection.find()) {
            received.put(Long.parseUnsignedLong(connection.group(2), 16), Long.parseLong(connection.group(1)));
        }
        return received;
    }

    /** How many watches are set. The answer is long and sent in parts, so not to be asked while packets are counted. */
    long watches() {
        return number(ask("mntr"), "zk_watch_count\t");
    }

    private static long number(String numbers, String name) {
        return numbers.lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.substring(name.length())))
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
