package io.github.leaderelection.soak;

import io.github.leaderelection.zookeeper.fixture.ChildProcess;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import io.github.leaderelection.zookeeper.fixture.TestEnsemble;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A candidate: its proxies to the servers, and its process, which may be killed and started again. */
final class CandidateSlot implements AutoCloseable {

    private final String name;
    private final SoakSettings settings;
    private final String database;
    private final Path directory;
    private final List<TcpProxy> links;
    private @Nullable ChildProcess process;
    private int incarnation;

    CandidateSlot(String name, TestEnsemble ensemble, SoakSettings settings, String database, Path directory) {
        this.name = name;
        this.settings = settings;
        this.database = database;
        this.directory = directory;
        this.links = TestEnsemble.IDS.stream()
                .map(id -> new TcpProxy(ensemble.port(id)))
                .toList();
    }

    String name() {
        return name;
    }

    /** The id of its current process. */
    synchronized String id() {
        return name + "." + incarnation;
    }

    synchronized void start() {
        incarnation++;
        process = ChildProcess.start(
                SoakCandidate.class,
                directory.resolve(name + ".log"),
                id(),
                links.stream().map(TcpProxy::address).collect(Collectors.joining(",")),
                settings.session().toString(),
                database,
                directory.resolve(id() + HistoryReader.SUFFIX).toString(),
                String.valueOf(settings.naive()));
    }

    synchronized void kill() {
        process.kill();
    }

    synchronized void pause() {
        process.pause();
    }

    synchronized void resume() {
        process.resume();
    }

    synchronized void send(String command) {
        process.tell(command);
    }

    synchronized void awaitEnd() {
        process.awaitEnd();
    }

    void cutLinksOnce() {
        links.forEach(TcpProxy::cutOnce);
    }

    void blackHoleLinks() {
        links.forEach(TcpProxy::blackHole);
    }

    void slowLinks(long millis) {
        links.forEach(link -> link.delay(millis));
    }

    void healLinks() {
        links.forEach(link -> {
            link.delay(0);
            link.open();
        });
    }

    @Override
    public synchronized void close() {
        if (process != null) {
            process.kill();
        }
        links.forEach(TcpProxy::close);
    }
}
