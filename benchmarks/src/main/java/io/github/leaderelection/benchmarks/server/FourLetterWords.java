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

/** ZooKeeper's monitoring commands, sent to one server. */
final class FourLetterWords {

    private static final Pattern CONNECTION = Pattern.compile("recved=(\\d+),sent=(\\d+),.*?sid=0x(\\p{XDigit}+)");

    private final int port;
    private long commands;

    FourLetterWords(int port) {
        this.port = port;
    }

    int port() {
        return port;
    }

    /** @param process the process of the server: if it ends, waiting ends as well */
    void awaitServing(ChildProcess process, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
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
     * The packets that the server has counted, without those of this command. The server counts the command itself at once
     * and its answer when it is sent. This answer always fits into one packet.
     */
    Traffic traffic() {
        String numbers = ask("srvr");
        commands++;
        return new Traffic(number(numbers, "Received: ") - commands, number(numbers, "Sent: ") - (commands - 1));
    }

    /** The packets of each session. */
    Map<Long, Traffic> trafficBySession() {
        Map<Long, Traffic> traffic = new HashMap<>();
        Matcher connection = CONNECTION.matcher(ask("cons"));
        while (connection.find()) {
            traffic.put(
                    Long.parseUnsignedLong(connection.group(3), 16),
                    new Traffic(Long.parseLong(connection.group(1)), Long.parseLong(connection.group(2))));
        }
        return traffic;
    }

    /** The number of watches. The answer takes several packets, so do not call this while packets are counted. */
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
