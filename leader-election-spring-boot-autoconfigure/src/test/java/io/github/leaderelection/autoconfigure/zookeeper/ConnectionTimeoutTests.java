package io.github.leaderelection.autoconfigure.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leaderelection.autoconfigure.Instances;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Ports that are not ZooKeeper's: an application gives up within the connection timeout, and stops without delay. */
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectionTimeoutTests {

    private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(3);
    /** To find out why there is no connection. */
    private static final Duration PROBE = Duration.ofSeconds(2);

    private final List<Socket> accepted = new ArrayList<>();
    private ServerSocket port;
    /** What the application itself needs on this machine. */
    private Duration start;

    @BeforeEach
    void open() throws IOException {
        port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        // The first one loads the classes that every other start needs.
        timeToStart();
        start = timeToStart();
    }

    private static Duration timeToStart() {
        long begin = System.nanoTime();
        new Instances("leader-election.mode=local", "leader-election.elections.orders=")
                .start()
                .close();
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    @AfterEach
    void close() throws IOException {
        port.close();
        synchronized (accepted) {
            for (Socket socket : accepted) {
                socket.close();
            }
        }
    }

    /** Accepts connections, and does the given thing with each of them. */
    private void serve(Behaviour behaviour) {
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    Socket socket = port.accept();
                    synchronized (accepted) {
                        accepted.add(socket);
                    }
                    behaviour.serve(socket);
                }
            } catch (IOException closed) {
                // The test is over.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private interface Behaviour {
        void serve(Socket socket) throws IOException;
    }

    private enum OtherServer implements Behaviour {
        SILENT {
            @Override
            public void serve(Socket socket) {}
        },
        CLOSES_AT_ONCE {
            @Override
            public void serve(Socket socket) throws IOException {
                socket.close();
            }
        },
        RESETS {
            @Override
            public void serve(Socket socket) throws IOException {
                socket.setSoLinger(true, 0);
                socket.close();
            }
        },
        HTTP {
            @Override
            public void serve(Socket socket) throws IOException {
                send(socket, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
            }
        },
        GREETS {
            @Override
            public void serve(Socket socket) throws IOException {
                send(socket, "SSH-2.0-Example\r\n");
            }
        },
        /** A length that a client of ZooKeeper accepts, and then waits for the rest. */
        ANSWERS_IN_PART {
            @Override
            public void serve(Socket socket) throws IOException {
                send(socket, "\0\0\0\u0025\0");
            }
        },
        ANSWERS_WITH_ZEROS {
            @Override
            public void serve(Socket socket) throws IOException {
                send(socket, "\0\0\0\u0025" + "\0".repeat(37));
            }
        };

        private static void send(Socket socket, String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private Instances instances(String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "leader-election.zookeeper.connect-string=127.0.0.1:" + port.getLocalPort(),
                "leader-election.zookeeper.session-timeout=20s",
                "leader-election.zookeeper.connection-timeout=" + CONNECTION_TIMEOUT.toSeconds() + "s",
                "leader-election.elections.orders="));
        properties.addAll(List.of(more));
        return new Instances(properties.toArray(String[]::new));
    }

    private void assertFailsInTime(String... more) {
        long begin = System.nanoTime();
        assertThatThrownBy(() -> instances(more).start()).hasStackTraceContaining("cannot be used");
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isLessThan(CONNECTION_TIMEOUT.plus(PROBE).plus(start.multipliedBy(5)));
    }

    private static Duration timeToClose(ConfigurableApplicationContext context) {
        long start = System.nanoTime();
        context.close();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @ParameterizedTest
    @EnumSource
    void aPortThatIsNotZooKeepersFailsTheStartupInTime(OtherServer server) {
        serve(server);
        assertFailsInTime();
    }

    @Test
    void severalPortsThatAreNotZooKeepersTakeNoLonger() {
        serve(OtherServer.SILENT);
        String address = "127.0.0.1:" + port.getLocalPort();
        assertFailsInTime("leader-election.zookeeper.connect-string=%s,%s,%s".formatted(address, address, address));
    }

    @Test
    void aPortWhoseQueueIsFullFailsTheStartupInTime() throws IOException {
        port.close();
        port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        for (int i = 0; i < 3; i++) {
            Socket socket = new Socket();
            try {
                socket.connect(port.getLocalSocketAddress(), 200);
            } catch (IOException full) {
                // As intended.
            }
            accepted.add(socket);
        }
        assertFailsInTime();
    }

    @Test
    void aClosedPortFailsTheStartupInTime() {
        try {
            port.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertFailsInTime();
    }

    @Test
    void anApplicationThatStillWaitsForZooKeeperStopsWithoutDelay() {
        serve(OtherServer.SILENT);
        ConfigurableApplicationContext waiting =
                instances("leader-election.fail-fast=false").start();
        assertThat(timeToClose(waiting)).isLessThan(Duration.ofSeconds(2).plus(start));
    }
}
