package io.github.leaderelection.sample.demo;

import io.github.leaderelection.sample.JavaProcess;
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

/** Three ZooKeeper servers, each in its own process. */
final class ZooKeeperEnsemble implements AutoCloseable {

    private static final int SIZE = 3;

    private final Path directory;
    private final List<Integer> clientPorts;
    private final List<JavaProcess> servers = new ArrayList<>();

    ZooKeeperEnsemble() throws IOException {
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

    /** Picks ports below the ephemeral range: the system might hand out an ephemeral one before the server binds it. */
    private static List<Integer> freePorts(int count) {
        return new SplittableRandom()
                .ints(12_000, 32_000)
                .distinct()
                .filter(ZooKeeperEnsemble::isFree)
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

    boolean isServing() {
        return clientPorts.stream().allMatch(ZooKeeperEnsemble::isServing);
    }

    private static boolean isServing(int port) {
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
