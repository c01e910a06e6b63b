package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page in a real browser. */
class BrowserIT {

    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final List<String> ELECTIONS = List.of("orders", "billing", "reports");

    private static DemoProcess demo;
    private static Browser browser;

    @BeforeAll
    static void open() throws IOException, InterruptedException {
        Path executable = Browser.executable();
        demo = new DemoProcess().ready();
        browser = new Browser(executable);
        browser.resize(1280, 900, false);
        browser.open(demo.url() + "/");
        await().atMost(DemoProcess.PATIENCE)
                .until(() -> ELECTIONS.stream()
                        .noneMatch(election -> leader(election).isEmpty()));
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

    /** Who leads, by what a reader of the page sees. */
    private static String leader(String election) {
        var text =
                browser.evaluate("document.querySelector('[data-election=%s] .leader:not(.nobody)')?.textContent ?? ''"
                        .formatted(election));
        return text.asString();
    }

    private static List<String> replicasThatSayTheyLead(String election) {
        return browser.evaluate("""
                        [...document.querySelectorAll('[data-name]')]
                          .filter(card => [...card.querySelectorAll('tbody tr')].some(row =>
                              row.cells[0].textContent === '%s' && row.cells[1].textContent.includes('leader')))
                          .map(card => card.dataset.name).join()""".formatted(election)).asString().transform(names -> List.of(names.split(",")));
    }

    private static String action(String replica, String action) {
        return "[data-name=%s] [data-action=%s]".formatted(replica, action);
    }

    private static String awaitLeaderOtherThan(String former, String election) {
        return await().atMost(DemoProcess.PATIENCE)
                .until(() -> leader(election), leader -> !leader.isEmpty() && !leader.equals(former));
    }

    private static String text(String selector) {
        return browser.evaluate("document.querySelector('%s').textContent".formatted(selector))
                .asString();
    }

    @Test
    void showsOneLeaderPerElection() {
        demo.ready();
        for (String election : ELECTIONS) {
            await().atMost(DemoProcess.PATIENCE).untilAsserted(() -> {
                assertThat(leader(election)).isEqualTo(demo.leader(election)).isNotEmpty();
                assertThat(replicasThatSayTheyLead(election)).containsExactly(leader(election));
                assertThat(text("[data-election=%s] .queue li:first-child".formatted(election)))
                        .isEqualTo("1. " + leader(election));
            });
        }
        assertThat(text("#overlaps")).contains("none overlap");
    }

    @Test
    void showsTheLeaseAndCountsJobs() {
        demo.ready();
        await().atMost(DemoProcess.PATIENCE)
                .until(
                        () -> text("[data-election=orders] .lease"),
                        lease -> lease.matches("lease [1-9].*|lease 0\\.[1-9].*"));
        String leader = leader("orders");
        await().atMost(DemoProcess.PATIENCE)
                .until(() -> Long.parseLong(text("[data-name=%s] tbody tr td:nth-child(3)".formatted(leader))) > 1);
        String follower = demo.picture().replicas().stream()
                .map(Scene.Shown::name)
                .filter(name -> !name.equals(leader))
                .findFirst()
                .orElseThrow();
        await().atMost(DemoProcess.PATIENCE)
                .until(() -> Long.parseLong(text("[data-name=%s] tbody tr td:nth-child(4)".formatted(follower))) > 1);
    }

    @Test
    void steppingDownMovesTheLeadershipAndNeedsNoMouse() {
        demo.ready();
        String former = leader("orders");
        browser.evaluate("document.activeElement.blur()");
        await().atMost(DemoProcess.PATIENCE).until(() -> {
            browser.press("Tab");
            return browser.evaluate("document.activeElement.ariaLabel === 'Step down from orders'")
                    .asBoolean();
        });
        browser.press("Enter");
        awaitLeaderOtherThan(former, "orders");
        await().atMost(DemoProcess.PATIENCE)
                .until(() -> text("[data-election=orders] .queue li:last-child"), ("3. " + former)::equals);
        assertThat(text("#events")).contains("stepped down");
    }

    @Test
    void aCrashMovesTheLeadershipWithinSessionTimeoutAndLease() {
        demo.ready();
        String former = leader("billing");
        browser.click(action(former, "crash"));
        String next = awaitLeaderOtherThan(former, "billing");
        List<Terms.Term> terms = demo.picture().terms().stream()
                .filter(term -> term.election().equals("billing"))
                .toList();
        Terms.Term last = terms.get(terms.size() - 1);
        Terms.Term lost = terms.get(terms.size() - 2);
        assertThat(lost.replica()).isEqualTo(former);
        assertThat(lost.end()).isEqualTo("PROCESS_ENDED");
        assertThat(last.replica()).isEqualTo(next);
        assertThat(Duration.between(lost.until(), last.since()))
                .as("fail-over")
                .isBetween(
                        Duration.ZERO,
                        DemoProcess.SESSION_TIMEOUT.plus(DemoProcess.LEASE).plusSeconds(1));
        assertThat(text("#overlaps")).contains("none overlap");

        assertThat(text(action(former, "restart"))).isEqualTo("Start");
        browser.click(action(former, "restart"));
        demo.ready();
    }

    @Test
    void isReadableOnAPhoneAndOnADesktopInLightAndDark() throws IOException {
        demo.ready();
        for (String scheme : List.of("light", "dark")) {
            browser.prefer(scheme);
            photograph(1280, false, "desktop-" + scheme);
            photograph(390, true, "phone-" + scheme);
        }
        browser.prefer("light");
        browser.resize(1280, 900, false);
    }

    private static void photograph(int width, boolean phone, String name) throws IOException {
        browser.resize(width, 900, phone);
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .as("Nothing is wider than the screen")
                .isLessThanOrEqualTo(width);
        browser.resize(
                width, browser.evaluate("document.documentElement.scrollHeight").asInt(), phone);
        // The chart is drawn for the new width with the next picture that arrives.
        await().atMost(DemoProcess.PATIENCE)
                .until(() -> browser.evaluate(
                                "document.querySelector('#timeline svg').viewBox.baseVal.width === document.querySelector('#timeline').clientWidth")
                        .asBoolean());
        browser.screenshot(PICTURES.resolve(name + ".png"));
    }
}
