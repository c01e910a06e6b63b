package io.github.leaderelection.benchmarks.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A network link to a server that can lose everything from one moment on, without either end noticing. */
public final class Link implements AutoCloseable {

    private final int serverPort;
    private final ServerSocket entrance;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean losing;

    /** @param address of the server, on this machine */
    public Link(String address) {
        this.serverPort = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        try {
            entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        start(this::accept);
    }

    /** The address at which clients reach the server over this link. */
    public String address() {
        return "127.0.0.1:" + entrance.getLocalPort();
    }

    /** From now on, what is sent in either direction disappears. */
    public void loseEverything() {
        losing = true;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = entrance.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            sockets.addAll(List.of(client, server));
            start(() -> forward(client, server));
            start(() -> forward(server, client));
        }
    }

    private void forward(Socket from, Socket to) throws IOException {
        byte[] buffer = new byte[8_192];
        InputStream input = from.getInputStream();
        OutputStream output = to.getOutputStream();
        for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
            if (!losing) {
                output.write(buffer, 0, read);
            }
        }
        if (!losing) {
            to.close();
        }
    }

    @FunctionalInterface
    private interface Task {
        void run() throws IOException;
    }

    private static void start(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException closed) {
                        // One of the two ends is gone, or this link is.
                    }
                },
                "benchmark-link");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            entrance.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
