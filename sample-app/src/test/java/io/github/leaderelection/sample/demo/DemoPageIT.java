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

/** The page of a running demo, in a real browser. */
class DemoPageIT {

    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final List<String> ELECTIONS = List.of("orders", "billing", "reports");

    private static DemoProcess demo;
    private static Browser browser;

    @BeforeAll
    static void open() throws IOException, InterruptedException {
        Path executable = Browser.executable();
        demo = new DemoProcess().awaitReady();
        browser = new Browser(executable);
        browser.resize(1280, 900, false);
        browser.open(demo.url() + "/");
        await().atMost(DemoProcess.TIMEOUT)
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

    /** Returns the leader that the page shows, or an empty string. */
    private static String leader(String election) {
        var text = browser.evaluate("document.querySelector('[data-election=%s] .leader:not(.none)')?.textContent ?? ''"
                .formatted(election));
        return text.asString();
    }

    /** Waits until the elections are spread, and the page shows it. No election moves by itself after that. */
    private static void awaitReady() {
        demo.awaitReady();
        await().atMost(DemoProcess.TIMEOUT)
                .until(() ->
                        ELECTIONS.stream().allMatch(election -> leader(election).equals(demo.leader(election))));
    }

    private static List<String> replicasShownAsLeader(String election) {
        return browser.evaluate("""
                        [...document.querySelectorAll('[data-name]')]
                          .filter(card => [...card.querySelectorAll('tbody tr')].some(row =>
                              row.cells[0].textContent === '%s' && row.cells[1].textContent.includes('leader')))
                          .map(card => card.dataset.name).join()""".formatted(election)).asString().transform(names -> List.of(names.split(",")));
    }

    private static String action(String replica, String action) {
        return "[data-name=%s] [data-action=%s]".formatted(replica, action);
    }

    private static String election(String election, String selector) {
        return "[data-election=%s] %s".formatted(election, selector);
    }

    private static String handOver(String election, String replica) {
        return election(election, "[data-action=hand-over][data-to=%s]".formatted(replica));
    }

    /** Moves the focus to the button with the given label by the Tab key, and presses it. */
    private static void pressButton(String label) {
        browser.evaluate("document.activeElement.blur()");
        await().atMost(DemoProcess.TIMEOUT).until(() -> {
            browser.press("Tab");
            return browser.evaluate("document.activeElement.ariaLabel === '%s'".formatted(label))
                    .asBoolean();
        });
        browser.press("Enter");
    }

    private static List<TermTracker.Term> terms(String election) {
        return demo.snapshot().terms().stream()
                .filter(term -> term.election().equals(election))
                .toList();
    }

    private static String awaitLeaderOtherThan(String former, String election) {
        return await().atMost(DemoProcess.TIMEOUT)
                .until(() -> leader(election), leader -> !leader.isEmpty() && !leader.equals(former));
    }

    private static String text(String selector) {
        return browser.evaluate("document.querySelector('%s').textContent".formatted(selector))
                .asString();
    }

    @Test
    void showsOneLeaderPerElection() {
        awaitReady();
        for (String election : ELECTIONS) {
            await().atMost(DemoProcess.TIMEOUT).untilAsserted(() -> {
                assertThat(leader(election)).isEqualTo(demo.leader(election)).isNotEmpty();
                assertThat(replicasShownAsLeader(election)).containsExactly(leader(election));
                assertThat(text(election(election, ".queue li:first-child"))).isEqualTo("1. " + leader(election));
                assertThat(text(election(election, ".queue li:not(:first-child) .heir")))
                        .isEqualTo("heir");
            });
        }
        assertThat(text("#overlaps")).contains("no overlaps");
    }

    @Test
    void showsTheLeaseAndCountsJobs() {
        awaitReady();
        await().atMost(DemoProcess.TIMEOUT)
                .until(
                        () -> text("[data-election=orders] .lease"),
                        lease -> lease.matches("lease [1-9].*|lease 0\\.[1-9].*"));
        String leader = leader("orders");
        await().atMost(DemoProcess.TIMEOUT)
                .until(() -> Long.parseLong(text("[data-name=%s] tbody tr td:nth-child(3)".formatted(leader))) > 1);
        String follower = demo.snapshot().replicas().stream()
                .map(DemoSnapshot.ReplicaView::name)
                .filter(name -> !name.equals(leader))
                .findFirst()
                .orElseThrow();
        await().atMost(DemoProcess.TIMEOUT)
                .until(() -> Long.parseLong(text("[data-name=%s] tbody tr td:nth-child(4)".formatted(follower))) > 1);
    }

    @Test
    void steppingDownWithTheKeyboardMovesLeadership() {
        awaitReady();
        String former = leader("orders");
        int before = terms("orders").size();
        pressButton("Step down from orders");
        await().atMost(DemoProcess.TIMEOUT).until(() -> terms("orders").size() > before);
        List<TermTracker.Term> terms = terms("orders");
        assertThat(terms.get(before - 1).replica()).isEqualTo(former);
        assertThat(terms.get(before - 1).end()).isEqualTo("STEPPED_DOWN");
        assertThat(terms.get(before).replica()).isNotEqualTo(former);
        await().atMost(DemoProcess.TIMEOUT).until(() -> text("#events").contains("stepped down"));
    }

    @Test
    void anElectionMovesToTheReplicaThatIsChosenWithTheKeyboard() {
        awaitReady();
        String former = leader("reports");
        String next = leader("billing");
        pressButton("Hand over reports to " + next);
        await().atMost(DemoProcess.TIMEOUT).until(() -> leader("reports"), next::equals);
        await().atMost(DemoProcess.TIMEOUT)
                .until(() -> text(election("reports", ".queue li:first-child")), ("1. " + next)::equals);
        await().atMost(DemoProcess.TIMEOUT).until(() -> text("#events").contains("moved · on request"));
        await().atMost(DemoProcess.TIMEOUT)
                .until(() -> text("#timeline").contains(former + " handed over reports on request"));
        assertThat(text("#message")).isEmpty();
        assertThat(text("#overlaps")).contains("no overlaps");

        // Focus stays on the button, which is disabled now.
        assertThat(browser.evaluate("document.activeElement.ariaDisabled").asString())
                .isEqualTo("true");
    }

    @Test
    void aRefusedMoveIsExplained() {
        awaitReady();
        String withdrawn = leader("billing");
        browser.click(action(withdrawn, "withdraw"));
        awaitLeaderOtherThan(withdrawn, "billing");
        await().atMost(DemoProcess.TIMEOUT)
                .until(() -> demo.snapshot().elections().stream()
                        .noneMatch(election -> election.queue().candidates().contains(withdrawn)));
        browser.click(handOver("orders", withdrawn));
        await().atMost(DemoProcess.TIMEOUT)
                .untilAsserted(() -> assertThat(text("#message"))
                        .isEqualTo("There is no candidate '%s' in election 'orders'".formatted(withdrawn)));

        browser.click(action(withdrawn, "rejoin"));
        awaitReady();
        assertThat(text("#message")).isEmpty();
    }

    @Test
    void aCrashMovesLeadershipWithinSessionTimeoutAndLease() {
        awaitReady();
        String former = leader("billing");
        browser.click(action(former, "crash"));
        String next = awaitLeaderOtherThan(former, "billing");
        List<TermTracker.Term> terms = terms("billing");
        TermTracker.Term last = terms.get(terms.size() - 1);
        TermTracker.Term lost = terms.get(terms.size() - 2);
        assertThat(lost.replica()).isEqualTo(former);
        assertThat(lost.end()).isEqualTo("PROCESS_EXITED");
        assertThat(last.replica()).isEqualTo(next);
        assertThat(Duration.between(lost.until(), last.since()))
                .as("failover")
                .isBetween(
                        Duration.ZERO,
                        DemoProcess.SESSION_TIMEOUT.plus(DemoProcess.LEASE).plusSeconds(1));
        assertThat(text("#overlaps")).contains("no overlaps");

        assertThat(text(action(former, "restart"))).isEqualTo("Start");
        browser.click(action(former, "restart"));
        awaitReady();
    }

    @Test
    void fitsOnAPhoneAndOnADesktopInLightAndDark() throws IOException {
        awaitReady();
        for (String scheme : List.of("light", "dark")) {
            browser.setColorScheme(scheme);
            screenshot(1280, false, "desktop-" + scheme);
            screenshot(390, true, "phone-" + scheme);
        }
        browser.setColorScheme("light");
        browser.resize(1280, 900, false);
    }

    private static void screenshot(int width, boolean phone, String name) throws IOException {
        browser.resize(width, 900, phone);
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .as("width of the page")
                .isLessThanOrEqualTo(width);
        browser.resize(
                width, browser.evaluate("document.documentElement.scrollHeight").asInt(), phone);
        // The chart adapts to the new width when the next snapshot arrives.
        await().atMost(DemoProcess.TIMEOUT)
                .until(() -> browser.evaluate(
                                "document.querySelector('#timeline svg').viewBox.baseVal.width === document.querySelector('#timeline').clientWidth")
                        .asBoolean());
        browser.screenshot(SCREENSHOTS.resolve(name + ".png"));
    }
}
