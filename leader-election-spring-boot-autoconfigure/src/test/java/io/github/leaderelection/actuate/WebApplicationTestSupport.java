package io.github.leaderelection.actuate;

import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Web applications that take part in the election "orders" of a real ZooKeeper. Each test has a root of its own. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class WebApplicationTestSupport {

    protected static final String UNRESTRICTED = "management.endpoint.election.access=unrestricted";

    protected static TestServer server;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    protected String root;

    @BeforeAll
    static void startServer() {
        server = new TestServer();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void prepare(TestInfo test) {
        root = "/%s-%d".formatted(test.getTestMethod().orElseThrow().getName(), System.nanoTime());
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    /** Closes it at the end of the test, the last one first. */
    protected <T extends AutoCloseable> T closedAtEnd(T resource) {
        opened.push(resource);
        return resource;
    }

    protected WebApplication start(String... properties) {
        return start(List.of(), properties);
    }

    protected WebApplication start(List<Class<?>> configurations, String... properties) {
        var common = Stream.of(
                "leader-election.zookeeper.connect-string=" + server.address(),
                "leader-election.root=" + root,
                "leader-election.elections.orders=");
        return closedAtEnd(WebApplication.start(
                configurations, Stream.concat(common, Stream.of(properties)).toArray(String[]::new)));
    }
}
