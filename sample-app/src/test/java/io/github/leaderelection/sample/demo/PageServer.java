package io.github.leaderelection.sample.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * Serves the page with a snapshot that the test provides. Each stream ends after one snapshot, and the page reconnects as if
 * the demo had been restarted.
 */
final class PageServer implements AutoCloseable {

    private static final Map<String, String> TYPES =
            Map.of("html", "text/html", "js", "text/javascript", "css", "text/css", "svg", "image/svg+xml");

    private final JsonMapper json = new JsonMapper();
    private final HttpServer server;
    private volatile DemoSnapshot snapshot;

    PageServer(DemoSnapshot snapshot) throws IOException {
        this.snapshot = snapshot;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", PageServer::file);
        server.createContext("/demo/stream", this::stream);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void show(DemoSnapshot next) {
        snapshot = next;
    }

    private static void file(HttpExchange exchange) throws IOException {
        String name = exchange.getRequestURI().getPath().substring(1);
        try (InputStream content = PageServer.class.getResourceAsStream("/page/" + name)) {
            if (content == null) {
                exchange.sendResponseHeaders(404, -1);
                exchange.close();
            } else {
                respond(exchange, TYPES.get(name.substring(name.lastIndexOf('.') + 1)), content.readAllBytes());
            }
        }
    }

    private void stream(HttpExchange exchange) throws IOException {
        String event = "retry: 100\ndata: %s\n\n".formatted(json.writeValueAsString(snapshot));
        respond(exchange, "text/event-stream", event.getBytes(StandardCharsets.UTF_8));
    }

    private static void respond(HttpExchange exchange, String type, byte[] body) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type + ";charset=UTF-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
