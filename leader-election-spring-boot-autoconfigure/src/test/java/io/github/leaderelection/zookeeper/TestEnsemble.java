package io.github.leaderelection.zookeeper;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Three ZooKeeper servers, each a process of its own. Every link between two of them passes a proxy, one per direction,
 * so that one server can be partitioned from the others while its clients stay connected. Each server has a
 * configuration of its own, in which the addresses of the others are those proxies.
 */
public final class TestEnsemble implements AutoCloseable {

    static final int TICK_MILLIS = 250;

    /** A server that hears nothing from the others goes on serving its clients for so long. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    /** That of {@link #OBLIVIOUS}: long enough to look at what it answers while the others have gone on without it. */
    static final Duration LONG_PATIENCE = Duration.ofSeconds(40);

    /** The server that takes long to notice that it is alone. */
    static final int OBLIVIOUS = 3;

    public static final List<Integer> IDS = List.of(1, 2, 3);
    private static final Duration STARTUP = Duration.ofSeconds(30);

    /** Jars of another version of ZooKeeper for the servers; unless told, they run on that of the tests. */
    private static final String SERVER_JARS = System.getProperty("zookeeper.server.jars", "");

    private final Duration longPatience;
    private final Path directory;
    private final Map<Integer, Server> servers = new TreeMap<>();

    private static final class Server {
        final int client = FreePort.pick();
        final int quorum = FreePort.pick();
        final int election = FreePort.pick();
        /** The ways to the other servers, by their ids. */
        final Map<Integer, TcpProxy> quorumLinks = new TreeMap<>();

        final Map<Integer, TcpProxy> electionLinks = new TreeMap<>();
        ChildProcess process;
    }

    private TestEnsemble(Duration longPatience) {
        this.longPatience = longPatience;
        try {
            directory = Files.createTempDirectory("ensemble");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        IDS.forEach(id -> servers.put(id, new Server()));
        servers.forEach((from, server) -> servers.forEach((to, other) -> {
            if (server != other) {
                TcpProxy quorumLink = new TcpProxy(other.quorum);
                // Followers may be there before their leader, and a connection that is closed upsets them.
                quorumLink.waitForTarget(1_000);
                server.quorumLinks.put(to, quorumLink);
                server.electionLinks.put(to, new TcpProxy(other.election));
            }
        }));
        // Who is called by a server with a lower id calls back, at the address that it is told.
        servers.forEach((from, server) -> server.electionLinks.forEach((to, connection) -> connection.rewrite(
                ":" + server.election,
                ":" + servers.get(to).electionLinks.get(from).port())));
    }

    /** Started in an order that lets {@link #OBLIVIOUS} lead: of two without data the higher id does. */
    static TestEnsemble ledByOblivious() {
        return new TestEnsemble(LONG_PATIENCE)
                .startInOrder(List.of(1, OBLIVIOUS), List.of(2))
                .requireLeader(true);
    }

    /** Started in an order that lets {@link #OBLIVIOUS} follow. */
    static TestEnsemble followedByOblivious() {
        return new TestEnsemble(LONG_PATIENCE)
                .startInOrder(List.of(1, 2), List.of(OBLIVIOUS))
                .requireLeader(false);
    }

    /** One whose server {@link #OBLIVIOUS} notices after the given time that it is alone. */
    public static TestEnsemble noticingAfter(Duration patience) {
        return new TestEnsemble(patience).startInOrder(List.of(1, 2), List.of(OBLIVIOUS));
    }

    private TestEnsemble startInOrder(List<Integer> first, List<Integer> then) {
        try {
            first.forEach(this::start);
            awaitServing(first);
            then.forEach(this::start);
            awaitServing(IDS);
            requireVersion();
            return this;
        } catch (RuntimeException failure) {
            var withLogs = new IllegalStateException("The servers did not start: " + logs(), failure);
            close();
            throw withLogs;
        }
    }

    /** What the servers have printed; it is gone once this is closed. */
    private String logs() {
        return IDS.stream().map(this::log).collect(Collectors.joining("\n"));
    }

    private Path logFile(int id) {
        return directory.resolve("server-" + id + ".log");
    }

    private String log(int id) {
        try {
            return Files.exists(logFile(id)) ? Files.readString(logFile(id)) : "Server " + id + " was not started.";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void requireVersion() {
        String wanted = System.getProperty("zookeeper.server.version", "");
        String server = ask(1, "srvr");
        if (!server.startsWith("Zookeeper version: " + wanted)) {
            throw new IllegalStateException("Not a server of version " + wanted + ": " + server);
        }
    }

    private TestEnsemble requireLeader(boolean oblivious) {
        if ((leader() == OBLIVIOUS) != oblivious) {
            int leader = leader();
            close();
            throw new IllegalStateException("Server " + leader + " leads");
        }
        return this;
    }

    /** Starts a server, or starts it again on the same ports and data. */
    public void start(int id) {
        servers.get(id).process = ChildProcess.start(
                ServerProcess.class, SERVER_JARS, logFile(id), configuration(id).toString());
    }

    private Path configuration(int id) {
        Server server = servers.get(id);
        Duration patience = id == OBLIVIOUS ? longPatience : PATIENCE;
        List<String> lines = new ArrayList<>(List.of(
                "tickTime=" + TICK_MILLIS,
                "initLimit=12",
                "syncLimit=" + patience.toMillis() / TICK_MILLIS,
                "maxSessionTimeout=60000",
                "admin.enableServer=false",
                "4lw.commands.whitelist=*",
                "standaloneEnabled=false",
                "clientPortAddress=127.0.0.1",
                "clientPort=" + server.client));
        IDS.forEach(other -> lines.add("server.%d=127.0.0.1:%d:%d"
                .formatted(
                        other,
                        other == id
                                ? server.quorum
                                : server.quorumLinks.get(other).port(),
                        other == id
                                ? server.election
                                : server.electionLinks.get(other).port())));
        try {
            Path data = Files.createDirectories(directory.resolve("data-" + id));
            lines.add("dataDir=" + data);
            Files.writeString(data.resolve("myid"), String.valueOf(id));
            // A new one for each start: the server writes to it.
            return Files.write(Files.createTempFile(directory, "server-" + id + "-", ".cfg"), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitServing(List<Integer> ids) {
        await("servers " + ids + " serve")
                .atMost(STARTUP)
                .until(() -> ids.stream().allMatch(id -> ask(id, "srvr").contains("Mode: ")));
    }

    public void awaitServing() {
        awaitServing(IDS);
    }

    /** Which server leads ZooKeeper, by its own account; while a leader is partitioned there may be two. */
    int leader() {
        return IDS.stream()
                .filter(this::leads)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No server leads"));
    }

    public boolean leads(int id) {
        return ask(id, "srvr").contains("Mode: leader");
    }

    /** A server that follows, by its own account. */
    int follower() {
        return IDS.stream()
                .filter(id -> ask(id, "srvr").contains("Mode: follower"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No server follows"));
    }

    public static List<Integer> others(int id) {
        return IDS.stream().filter(other -> other != id).collect(Collectors.toList());
    }

    public int port(int id) {
        return servers.get(id).client;
    }

    /** Where clients find these servers. */
    String address(Integer... ids) {
        return address(Arrays.asList(ids));
    }

    String address(List<Integer> ids) {
        return ids.stream().map(id -> "127.0.0.1:" + port(id)).collect(Collectors.joining(","));
    }

    public String address() {
        return address(IDS);
    }

    /** Lets nothing pass between that server and the others any more. */
    public void isolate(int id) {
        links(id).forEach(TcpProxy::blackHole);
    }

    /** Lets what passes between that server and the others take its time. */
    public void slowDown(int id, Duration delay) {
        links(id).forEach(connection -> connection.delay(delay.toMillis()));
    }

    public void heal() {
        IDS.stream().flatMap(this::links).forEach(connection -> {
            connection.delay(0);
            connection.open();
        });
    }

    private Stream<TcpProxy> links(int id) {
        Server server = servers.get(id);
        return Stream.concat(
                Stream.concat(server.quorumLinks.values().stream(), server.electionLinks.values().stream()),
                others(id).stream()
                        .map(servers::get)
                        .flatMap(other -> Stream.of(other.quorumLinks.get(id), other.electionLinks.get(id))));
    }

    /** SIGKILL. */
    public void kill(int id) {
        servers.get(id).process.kill();
    }

    /** SIGTERM, and wait. */
    public void stop(int id) {
        servers.get(id).process.terminate();
    }

    /** SIGSTOP. */
    public void pause(int id) {
        servers.get(id).process.pause();
    }

    /** SIGCONT. */
    public void resume(int id) {
        servers.get(id).process.resume();
    }

    /** The answer to a four-letter word; nothing if there is none. */
    public String ask(int id, String word) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(id))) {
            socket.setSoTimeout(2_000);
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            InputStream answer = socket.getInputStream();
            return new String(answer.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException down) {
            return "";
        }
    }

    @Override
    public void close() {
        for (Server server : servers.values()) {
            if (server.process != null) {
                server.process.kill();
            }
            server.quorumLinks.values().forEach(TcpProxy::close);
            server.electionLinks.values().forEach(TcpProxy::close);
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
