package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.sample.demo.DemoSnapshot.ElectionView;
import io.github.leaderelection.sample.demo.DemoSnapshot.ReplicaView;
import io.github.leaderelection.sample.demo.DemoSnapshot.ZooKeeperView;
import io.github.leaderelection.sample.demo.History.Event;
import io.github.leaderelection.sample.demo.TermTracker.Term;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page with snapshots that the demo rarely or never sends. */
class PageRenderingIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final ZooKeeperView ZOOKEEPER = new ZooKeeperView("127.0.0.1:2181", true, true, false);

    private static PageServer server;
    private static Browser browser;

    @BeforeAll
    static void open() throws IOException, InterruptedException {
        browser = new Browser(Browser.executable());
        server = new PageServer(snapshot(ZOOKEEPER, 0, 0));
        browser.open(server.url() + "/index.html");
        await().atMost(TIMEOUT)
                .until(() -> browser.evaluate("document.querySelector('#zookeeper-address')?.textContent ?? ''")
                        .asString()
                        .equals(ZOOKEEPER.address()));
    }

    @AfterAll
    static void close() throws IOException {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private static DemoSnapshot snapshot(ZooKeeperView zooKeeper, int terms, long overlaps, Event... events) {
        Term term = new Term("orders", "shop-1", 1, Instant.now(), null, null, "", "", false);
        return snapshot(
                zooKeeper,
                new CandidateQueue(List.of("shop-1"), null),
                Collections.nCopies(terms, term),
                overlaps,
                List.of(events));
    }

    private static DemoSnapshot snapshot(
            ZooKeeperView zooKeeper, CandidateQueue queue, List<Term> terms, long overlaps, List<Event> events) {
        return new DemoSnapshot(
                Instant.now(),
                zooKeeper,
                true,
                true,
                Stream.of("shop-1", "shop-2")
                        .map(name -> new ReplicaView(name, name, null, null, Replica.State.UP, false, List.of()))
                        .toList(),
                List.of(new ElectionView("orders", List.of("shop-1"), queue)),
                terms,
                overlaps,
                events);
    }

    private static Event event(long number, String type, String detail) {
        return new Event(number, Instant.now(), "shop-1", "orders", type, 0, detail);
    }

    private static void awaitText(String selector, String text) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(text(selector)).isEqualTo(text));
    }

    private static String text(String selector) {
        return browser.evaluate(
                        "[...document.querySelectorAll('%s')].map(node => node.textContent).join()".formatted(selector))
                .asString();
    }

    @Test
    void eventsAreReplacedAfterARestartOfTheDemo() {
        server.show(snapshot(ZOOKEEPER, 0, 0, event(1, "NOTE", "before")));
        awaitText("#events .description", "before");
        server.show(snapshot(ZOOKEEPER, 0, 0, event(1, "NOTE", "after")));
        awaitText("#events .description", "after");
    }

    @Test
    void reasonsAreFormattedAndErrorMessagesAreNot() {
        server.show(snapshot(ZOOKEEPER, 0, 0, event(1, "REVOKED", "CONNECTION_LOST")));
        awaitText("#events .description", "revoked · connection lost");
        server.show(snapshot(ZOOKEEPER, 0, 0, event(1, "FAILED", "NoAuth for /elections/my_orders")));
        awaitText("#events .description", "failed · NoAuth for /elections/my_orders");
        server.show(snapshot(ZOOKEEPER, 0, 0, event(1, "MOVED", "to spread the elections")));
        awaitText("#events .description", "moved · to spread the elections");
    }

    @Test
    void theHeirIsMarkedInTheQueue() {
        server.show(snapshot(
                ZOOKEEPER, new CandidateQueue(List.of("shop-1", "shop-2"), "shop-2"), List.of(), 0, List.of()));
        awaitText(".queue li", "1. shop-1,2. shop-2 heir");
        server.show(
                snapshot(ZOOKEEPER, new CandidateQueue(List.of("shop-1", "shop-2"), null), List.of(), 0, List.of()));
        awaitText(".queue li", "1. shop-1,2. shop-2");
    }

    @Test
    void handOversAreMarkedInTheTimeline() {
        Instant now = Instant.now();
        Instant moved = now.minusSeconds(10);
        Term first =
                new Term("orders", "shop-2", 1, now.minusSeconds(20), null, moved, "HANDED_OVER", "on request", false);
        Term second = new Term("orders", "shop-1", 2, moved, null, null, "", "", false);
        server.show(snapshot(ZOOKEEPER, CandidateQueue.EMPTY, List.of(first, second), 0, List.of()));
        awaitText("#timeline .move title", "shop-2 handed over orders on request");
        server.show(snapshot(ZOOKEEPER, 1, 0));
        awaitText("#timeline .move title", "");
    }

    @Test
    void anElectionCanBeHandedOverToEveryReplicaButItsLeader() {
        server.show(snapshot(ZOOKEEPER, 0, 0));
        awaitText("[data-action=hand-over][aria-disabled=true]", "shop-1");
        awaitText("[data-action=hand-over][aria-disabled=false]", "shop-2");
    }

    @Test
    void overlapsAreCounted() {
        server.show(snapshot(ZOOKEEPER, 3, 3));
        awaitText("#overlaps", "✗ 3 terms, 3 overlaps");
        server.show(snapshot(ZOOKEEPER, 2, 1));
        awaitText("#overlaps", "✗ 2 terms, 1 overlap");
        server.show(snapshot(ZOOKEEPER, 1, 0));
        awaitText("#overlaps", "✓ 1 term, no overlaps");
    }

    @Test
    void zooKeeperCanBeStartedAfterAFailedRestart() {
        String disabled = "document.querySelector('#zookeeper-restart').ariaDisabled";
        server.show(snapshot(new ZooKeeperView("127.0.0.1:2181", false, true, true), 0, 0));
        awaitText("#zookeeper-state", "ZooKeeper is down");
        awaitText("#zookeeper-restart", "Restart ZooKeeper");
        assertThat(browser.evaluate(disabled).asString()).isEqualTo("true");

        server.show(snapshot(new ZooKeeperView("127.0.0.1:2181", false, true, false), 0, 0));
        awaitText("#zookeeper-restart", "Start ZooKeeper");
        assertThat(browser.evaluate(disabled).asString()).isEqualTo("false");
    }
}
