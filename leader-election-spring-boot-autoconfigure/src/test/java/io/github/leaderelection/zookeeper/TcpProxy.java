package io.github.leaderelection.zookeeper;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** A TCP link on a free loopback port that can be cut, black-holed and slowed down. */
public final class TcpProxy implements AutoCloseable {

    private enum Mode {
        OPEN,
        /** Connections are closed, and new ones are refused. */
        CUT,
        /** Connections stay, and nothing comes through. */
        BLACK_HOLE
    }

    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Object change = new Object();
    private Mode mode = Mode.OPEN;
    private volatile UnaryOperator<byte[]> rewritten = UnaryOperator.identity();
    private volatile long delayMillis;
    private volatile long patienceMillis;
    private volatile boolean closed;

    public TcpProxy(int targetPort) {
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        target = targetPort;
        start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    public String address() {
        return "127.0.0.1:" + port();
    }

    /** Closes all connections and refuses new ones. */
    public void cut() {
        set(Mode.CUT);
        closeSockets();
    }

    /** Closes all connections; new ones are possible at once. */
    public void cutOnce() {
        closeSockets();
    }

    /** Lets nothing through, and lets nobody know. */
    public void blackHole() {
        set(Mode.BLACK_HOLE);
    }

    public void delay(long millis) {
        delayMillis = millis;
    }

    /** Lets new connections wait for a target that does not listen yet, instead of closing them at once. */
    void waitForTarget(long millis) {
        patienceMillis = millis;
    }

    /** Replaces a text by another of the same length wherever it passes: addresses that the parties tell each other. */
    void rewrite(String text, String by) {
        rewritten = bytes ->
                new String(bytes, StandardCharsets.ISO_8859_1).replace(text, by).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Everything comes through again, what was held back too. */
    public void open() {
        set(Mode.OPEN);
    }

    private void set(Mode next) {
        synchronized (change) {
            mode = next;
            change.notifyAll();
        }
    }

    private void closeSockets() {
        sockets.forEach(TcpProxy::closeQuietly);
        sockets.clear();
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = listener.accept();
                if (mode() == Mode.CUT) {
                    closeQuietly(client);
                    continue;
                }
                if (patienceMillis == 0) {
                    connect(client);
                } else {
                    start(() -> connect(client));
                }
            } catch (IOException over) {
                // This proxy is closed.
            }
        }
    }

    private void connect(Socket client) {
        try {
            Socket server = reachTarget();
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            sockets.add(client);
            sockets.add(server);
            start(() -> pump(client, server));
            start(() -> pump(server, client));
        } catch (IOException refused) {
            // The target is down: the client tries again.
            closeQuietly(client);
        }
    }

    private Socket reachTarget() throws IOException {
        long until = System.nanoTime() + patienceMillis * 1_000_000;
        while (true) {
            try {
                return new Socket(InetAddress.getLoopbackAddress(), target);
            } catch (IOException refused) {
                if (closed || System.nanoTime() - until >= 0) {
                    throw refused;
                }
                LockSupport.parkNanos(20_000_000);
            }
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[64 * 1024];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                hold();
                byte[] passing = rewritten.apply(Arrays.copyOf(buffer, n));
                out.write(passing);
                out.flush();
            }
        } catch (IOException gone) {
            // Either side is closed.
        } finally {
            // A black hole swallows that news, too.
            hold();
            closeQuietly(from);
            closeQuietly(to);
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private void hold() {
        synchronized (change) {
            try {
                long until = System.nanoTime() + delayMillis * 1_000_000;
                for (long left = delayMillis; left > 0; left = (until - System.nanoTime()) / 1_000_000) {
                    change.wait(left);
                }
                while (mode == Mode.BLACK_HOLE && !closed) {
                    change.wait();
                }
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Mode mode() {
        synchronized (change) {
            return mode;
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "tcp-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException ignored) {
            // Closed enough.
        }
    }

    @Override
    public void close() {
        closed = true;
        set(Mode.OPEN);
        try {
            listener.close();
        } catch (IOException ignored) {
            // Closed enough.
        }
        closeSockets();
    }
}
