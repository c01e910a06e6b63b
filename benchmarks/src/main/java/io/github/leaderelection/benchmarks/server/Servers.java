package io.github.leaderelection.benchmarks.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A ZooKeeper server or an ensemble, each server in a process of its own. {@link #close()} ends them and deletes their data. */
public final class Servers implements AutoCloseable {

    public static final int TICK_MILLIS = 500;

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final Duration STARTUP = Duration.ofSeconds(60);
    private static final List<String> JVM_OPTIONS = List.of("-Xmx512m", "-XX:+UseSerialGC");

    private final String name;
    private final Path directory;
    private final List<ChildProcess> processes = new CopyOnWriteArrayList<>();
    private final List<FourLetterWords> words = new ArrayList<>();

    private Servers(String name, Path directory, int count) {
        this.name = name;
        this.directory = directory;
        // Ctrl-C does not run finally blocks, and files in /dev/shm would stay.
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "close-servers"));
        try {
            start(count);
        } catch (RuntimeException failure) {
            close();
            throw failure;
        }
    }

    /** One server with its data in memory; empty if the machine has no such file system. */
    public static Optional<Servers> inMemory() {
        return Files.isWritable(MEMORY)
                ? Optional.of(new Servers("standalone, in memory", temporary(MEMORY), 1))
                : Optional.empty();
    }

    /** One server with its data on disk. */
    public static Servers onDisk(Path parent) {
        return new Servers("standalone, on disk", temporary(parent), 1);
    }

    /** Three servers, with their data in memory where possible. */
    public static Servers ensemble(Path parent) {
        return new Servers("ensemble of three", temporary(Files.isWritable(MEMORY) ? MEMORY : parent), 3);
    }

    private static Path temporary(Path parent) {
        try {
            return Files.createTempDirectory(Files.createDirectories(parent), "benchmark");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void start(int count) {
        List<Integer> ports = freePorts(3 * count);
        for (int id = 1; id <= count; id++) {
            Path configuration = configuration(id, count, ports);
            processes.add(ChildProcess.start(ServerMain.class, JVM_OPTIONS, configuration.toString()));
            words.add(new FourLetterWords(ports.get(3 * (id - 1))));
        }
        for (int i = 0; i < count; i++) {
            words.get(i).awaitServing(processes.get(i), STARTUP);
        }
    }

    private Path configuration(int id, int count, List<Integer> ports) {
        int first = 3 * (id - 1);
        List<String> lines = new ArrayList<>(List.of(
                "tickTime=" + TICK_MILLIS,
                "initLimit=20",
                "syncLimit=20",
                "maxSessionTimeout=60000",
                "maxClientCnxns=0",
                "admin.enableServer=false",
                "4lw.commands.whitelist=*",
                "clientPortAddress=127.0.0.1",
                "clientPort=" + ports.get(first)));
        for (int other = 1; count > 1 && other <= count; other++) {
            int port = 3 * (other - 1);
            lines.add("server.%d=127.0.0.1:%d:%d".formatted(other, ports.get(port + 1), ports.get(port + 2)));
        }
        try {
            Path data = Files.createDirectories(directory.resolve("data-" + id));
            lines.add("dataDir=" + data);
            Files.writeString(data.resolve("myid"), String.valueOf(id));
            return Files.write(directory.resolve("server-" + id + ".cfg"), lines);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<Integer> freePorts(int count) {
        List<ServerSocket> probes = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                probes.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            List<Integer> ports = new ArrayList<>();
            for (ServerSocket probe : probes) {
                ports.add(probe.getLocalPort());
                probe.close();
            }
            return ports;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public String name() {
        return name;
    }

    public String address() {
        return IntStream.range(0, count()).mapToObj(this::address).collect(Collectors.joining(","));
    }

    /**
     * The address of one server. If clients chose a server of the ensemble themselves, some would be connected to its leader
     * and some to a follower, which makes a greater difference than the differences to be measured.
     *
     * @param index may exceed the number of servers, and then starts over
     */
    public String address(int index) {
        return "127.0.0.1:" + words.get(index % count()).port();
    }

    public int count() {
        return words.size();
    }

    /** The packets that all servers together have counted so far. */
    public Traffic traffic() {
        return words.stream().map(FourLetterWords::traffic).reduce(Traffic.NONE, Traffic::plus);
    }

    /** The packets of each session, on its present connection. */
    public Map<Long, Traffic> trafficBySession() {
        Map<Long, Traffic> traffic = new HashMap<>();
        words.forEach(server -> traffic.putAll(server.trafficBySession()));
        return traffic;
    }

    /** The number of watches of all servers; not to be called while packets are counted. */
    public long watches() {
        return words.stream().mapToLong(FourLetterWords::watches).sum();
    }

    /** Called again when the JVM shuts down. */
    @Override
    public synchronized void close() {
        processes.forEach(ChildProcess::close);
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
