package io.github.leaderelection.sample.demo;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A headless Chromium with one page, controlled through the DevTools protocol. */
final class Browser implements AutoCloseable {

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final String URL_PREFIX = "DevTools listening on ";

    private final JsonMapper json = new JsonMapper();
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<Integer, CompletableFuture<JsonNode>> pendingReplies = new ConcurrentHashMap<>();
    private final AtomicInteger lastId = new AtomicInteger();
    private final Path profile;
    private final Process process;
    private final WebSocket page;

    Browser(Path executable) throws IOException, InterruptedException {
        profile = Files.createTempDirectory("browser");
        process = new ProcessBuilder(
                        executable.toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--hide-scrollbars",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        page = http.newWebSocketBuilder()
                .buildAsync(URI.create(newPage(devToolsUrl())), new ReplyListener())
                .join();
        send("Page.enable", Map.of());
    }

    /** Returns an installed browser. If there is none, skips the test unless {@code -Dbrowser.required=true} is set. */
    static Path executable() {
        Optional<Path> found = find();
        if (!Boolean.getBoolean("browser.required")) {
            assumeTrue(found.isPresent(), "No Chromium is installed");
        }
        return found.orElseThrow(
                () -> new IllegalStateException("browser.required is set, but no Chromium is installed"));
    }

    private static Optional<Path> find() {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(directory -> NAMES.stream().map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Returns the URL of the DevTools protocol from the output of the browser. */
    private URI devToolsUrl() {
        CompletableFuture<URI> address = new CompletableFuture<>();
        Thread reader = new Thread(
                () -> {
                    try (BufferedReader lines = process.errorReader()) {
                        lines.lines()
                                .filter(line -> line.startsWith(URL_PREFIX))
                                .forEach(line -> address.complete(URI.create(line.substring(URL_PREFIX.length()))));
                    } catch (IOException | UncheckedIOException closed) {
                        // The browser was closed.
                    }
                    address.completeExceptionally(new IllegalStateException("The browser did not start"));
                },
                "browser-output");
        reader.setDaemon(true);
        reader.start();
        return address.orTimeout(60, TimeUnit.SECONDS).join();
    }

    private String newPage(URI devTools) throws IOException, InterruptedException {
        URI uri = URI.create("http://%s/json/new".formatted(devTools.getAuthority()));
        HttpRequest request = HttpRequest.newBuilder(uri)
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        String reply = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        return json.readTree(reply).get("webSocketDebuggerUrl").asString();
    }

    private final class ReplyListener implements WebSocket.Listener {

        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            message.append(data);
            if (last) {
                JsonNode reply = json.readTree(message.toString());
                message.setLength(0);
                if (reply.has("id")) {
                    pendingReplies.remove(reply.get("id").asInt()).complete(reply);
                }
            }
            socket.request(1);
            return null;
        }
    }

    private JsonNode send(String method, Map<String, ?> parameters) {
        int id = lastId.incrementAndGet();
        CompletableFuture<JsonNode> reply = new CompletableFuture<>();
        pendingReplies.put(id, reply);
        page.sendText(json.writeValueAsString(Map.of("id", id, "method", method, "params", parameters)), true)
                .join();
        JsonNode result = reply.orTimeout(60, TimeUnit.SECONDS).join();
        if (result.has("error")) {
            throw new IllegalStateException(method + ": " + result.get("error"));
        }
        return result.get("result");
    }

    void open(String url) {
        send("Page.navigate", Map.of("url", url));
    }

    void resize(int width, int height, boolean phone) {
        send(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", phone ? 2 : 1, "mobile", phone));
    }

    /**
     * Sets the preferred colour scheme.
     *
     * @param scheme {@code light} or {@code dark}
     */
    void setColorScheme(String scheme) {
        send(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Evaluates a JavaScript expression; returns null if it is null or undefined. */
    JsonNode evaluate(String expression) {
        JsonNode result =
                send("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + result.get("exceptionDetails"));
        }
        return result.get("result").get("value");
    }

    /** Clicks with the mouse. */
    void click(String selector) {
        JsonNode place = evaluate("""
                (() => {
                  const target = document.querySelector(%s);
                  target.scrollIntoView({block: "center"});
                  const box = target.getBoundingClientRect();
                  return {x: box.x + box.width / 2, y: box.y + box.height / 2};
                })()""".formatted(json.writeValueAsString(selector)));
        for (String type : List.of("mousePressed", "mouseReleased")) {
            send(
                    "Input.dispatchMouseEvent",
                    Map.of(
                            "type",
                            type,
                            "x",
                            place.get("x").asDouble(),
                            "y",
                            place.get("y").asDouble(),
                            "button",
                            "left",
                            "clickCount",
                            1));
        }
    }

    /** Presses a key, such as {@code Tab} or {@code Enter}. */
    void press(String key) {
        int code = key.equals("Tab") ? 9 : 13;
        Map<String, Object> text = key.equals("Enter") ? Map.of("text", "\r") : Map.of();
        for (String type : List.of("keyDown", "keyUp")) {
            Map<String, Object> event = new ConcurrentHashMap<>(text);
            event.putAll(Map.of("type", type, "key", key, "code", key, "windowsVirtualKeyCode", code));
            send("Input.dispatchKeyEvent", event);
        }
    }

    /** Saves the whole page as a PNG. */
    void screenshot(Path file) throws IOException {
        JsonNode image = send("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode(image.get("data").asString()));
    }

    @Override
    public void close() throws IOException {
        page.abort();
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).forEach(ProcessHandle::destroyForcibly);
        process.onExit().orTimeout(20, TimeUnit.SECONDS).join();
        FileSystemUtils.deleteRecursively(profile);
    }
}
