package io.github.leaderelection.sample.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.springframework.util.FileSystemUtils;

/** Three ZooKeeper servers, each a process of its own. */
final class Ensemble implements AutoCloseable {

    private static final int SIZE = 3;

    private final Path directory;
    private final List<Integer> clientPorts;
    private final List<JavaProcess> servers = new ArrayList<>();

    Ensemble() throws IOException {
        directory = Files.createTempDirectory("ensemble");
        List<Integer> ports = freePorts(3 * SIZE);
        clientPorts = ports.subList(0, SIZE);
        String members = IntStream.range(0, SIZE)
                .mapToObj(index -> "server.%d=127.0.0.1:%d:%d;127.0.0.1:%d"
                        .formatted(index + 1, ports.get(SIZE + index), ports.get(2 * SIZE + index), ports.get(index)))
                .collect(Collectors.joining("\n"));
        for (int id = 1; id <= SIZE; id++) {
            servers.add(start(id, members));
        }
    }

    private JavaProcess start(int id, String members) throws IOException {
        Path data = Files.createDirectories(directory.resolve("data-" + id));
        Files.writeString(data.resolve("myid"), String.valueOf(id));
        Path configuration = Files.writeString(directory.resolve(id + ".cfg"), """
                tickTime=500
                initLimit=20
                syncLimit=10
                standaloneEnabled=false
                admin.enableServer=false
                4lw.commands.whitelist=srvr
                dataDir=%s
                %s
                """.formatted(data, members));
        return new JavaProcess(List.of(
                "-Dzookeeper.forceSync=no",
                "-cp",
                System.getProperty("java.class.path"),
                QuorumPeerMain.class.getName(),
                configuration.toString()));
    }

    /** Below those that the system gives away: one of these could be somebody else's when its server comes. */
    private static List<Integer> freePorts(int count) {
        return new SplittableRandom()
                .ints(12_000, 32_000)
                .distinct()
                .filter(Ensemble::isFree)
                .limit(count)
                .boxed()
                .toList();
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    boolean serves() {
        return clientPorts.stream().allMatch(Ensemble::serves);
    }

    private static boolean serves(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(2_000);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).contains("Mode: ");
        } catch (IOException down) {
            return false;
        }
    }

    String connectString() {
        return clientPorts.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        servers.forEach(JavaProcess::close);
        try {
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
