package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.sample.demo.Scene.Picture;
import io.github.leaderelection.sample.demo.Scene.Server;
import io.github.leaderelection.sample.demo.Story.Happening;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How the page shows what the demo seldom or never does. */
class PageIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Server ZOOKEEPER = new Server("127.0.0.1:2181", true, true, false);

    private static FakeDemo demo;
    private static Browser browser;

    @BeforeAll
    static void open() throws IOException, InterruptedException {
        browser = new Browser(Browser.executable());
        demo = new FakeDemo(picture(ZOOKEEPER, 0, 0));
        browser.open(demo.url() + "/index.html");
        await().atMost(PATIENCE)
                .until(() -> browser.evaluate("document.querySelector('#zookeeper-address')?.textContent ?? ''")
                        .asString()
                        .equals(ZOOKEEPER.address()));
    }

    @AfterAll
    static void close() throws IOException {
        if (browser != null) {
            browser.close();
        }
        if (demo != null) {
            demo.close();
        }
    }

    private static Picture picture(Server zooKeeper, int terms, long overlaps, Happening... events) {
        Instant now = Instant.now();
        Terms.Term term = new Terms.Term("orders", "shop-1", 1, now, null, null, "", false);
        return new Picture(
                now,
                zooKeeper,
                true,
                true,
                List.of(new Scene.Shown("shop-1", "shop-1", null, null, Replica.State.UP, false, List.of())),
                List.of(new Scene.Queue("orders", List.of("shop-1"), List.of("shop-1"))),
                IntStream.range(0, terms).mapToObj(number -> term).toList(),
                overlaps,
                List.of(events));
    }

    private static Happening event(long number, String type, String detail) {
        return new Happening(number, Instant.now(), "shop-1", "orders", type, 0, detail);
    }

    private static void awaitText(String selector, String text) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(text(selector)).isEqualTo(text));
    }

    private static String text(String selector) {
        return browser.evaluate(
                        "[...document.querySelectorAll('%s')].map(node => node.textContent).join()".formatted(selector))
                .asString();
    }

    @Test
    void eventsOfADemoThatWasRestartedTakeThePlaceOfTheFormerOnes() {
        demo.show(picture(ZOOKEEPER, 0, 0, event(1, "NOTE", "before")));
        awaitText("#events .what", "before");
        demo.show(picture(ZOOKEEPER, 0, 0, event(1, "NOTE", "after")));
        awaitText("#events .what", "after");
    }

    @Test
    void aReasonIsPutInWordsAndAnErrorMessageIsShownAsItIs() {
        demo.show(picture(ZOOKEEPER, 0, 0, event(1, "REVOKED", "CONNECTION_LOST")));
        awaitText("#events .what", "revoked · connection lost");
        demo.show(picture(ZOOKEEPER, 0, 0, event(1, "FAILED", "NoAuth for /elections/my_orders")));
        awaitText("#events .what", "failed · NoAuth for /elections/my_orders");
    }

    @Test
    void overlapsAreCountedAsSuch() {
        demo.show(picture(ZOOKEEPER, 3, 3));
        awaitText("#overlaps", "✗ 3 overlaps among 3 terms");
        demo.show(picture(ZOOKEEPER, 2, 1));
        awaitText("#overlaps", "✗ 1 overlap among 2 terms");
        demo.show(picture(ZOOKEEPER, 1, 0));
        awaitText("#overlaps", "✓ 1 term, none overlap");
    }

    @Test
    void aZooKeeperThatCouldNotBeStartedAgainCanBeStarted() {
        String disabled = "document.querySelector('#zookeeper-restart').ariaDisabled";
        demo.show(picture(new Server("127.0.0.1:2181", false, true, true), 0, 0));
        awaitText("#zookeeper-state", "ZooKeeper is away");
        awaitText("#zookeeper-restart", "Restart ZooKeeper");
        assertThat(browser.evaluate(disabled).asString()).isEqualTo("true");

        demo.show(picture(new Server("127.0.0.1:2181", false, true, false), 0, 0));
        awaitText("#zookeeper-restart", "Start ZooKeeper");
        assertThat(browser.evaluate(disabled).asString()).isEqualTo("false");
    }
}
