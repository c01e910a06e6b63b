package io.github.leaderelection.autoconfigure.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The journal finds what it is there for. */
class JournalTests {

    private final Journal journal = new Journal();

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }

    private void handle(String instance, int number, boolean leads, long from, long to) {
        journal.took(instance, number, leads, millis(from));
        journal.handled(instance, number, millis(to));
    }

    @Test
    void acceptsMessagesOfOneLeaderAfterTheOther() {
        journal.granted("a");
        handle("a", 1, true, 10, 20);
        journal.revoked("a", millis(20));
        handle("a", 2, false, 320, 330);
        journal.granted("b");
        handle("b", 3, true, 330, 340);
        assertThat(journal.violations()).isEmpty();
        assertThat(journal.handled()).containsExactly(1, 2, 3);
        assertThat(journal.leads("a")).isFalse();
        assertThat(journal.leads("b")).isTrue();
    }

    @Test
    void findsTwoInstancesAtOnce() {
        journal.granted("a");
        journal.granted("b");
        handle("a", 1, true, 10, 30);
        handle("b", 2, true, 20, 25);
        handle("b", 3, true, 29, 40);
        assertThat(journal.violations())
                .containsExactly("b handles 2 while a handles 1", "b handles 3 while a handles 1");
    }

    @Test
    void findsAnInstanceThatHasNeverLed() {
        handle("a", 1, false, 10, 20);
        assertThat(journal.violations()).containsExactly("a takes 1 although it has never led");
    }

    @Test
    void findsMessagesThatAreTakenTooLate() {
        journal.granted("a");
        journal.revoked("a", millis(10));
        handle("a", 1, false, 311, 320);
        assertThat(journal.violations()).containsExactly("a takes 1 PT0.301S after the end of its term");
    }

    @Test
    void findsMessagesThatAreHandledAgain() {
        journal.granted("a");
        handle("a", 1, true, 10, 20);
        handle("a", 1, true, 30, 40);
        assertThat(journal.violations()).containsExactly("a handles 1 again");
    }

    @Test
    void acceptsThatMessagesOfAKilledInstanceAreHandledAgain() {
        journal.granted("a");
        journal.granted("b");
        long now = System.nanoTime();
        journal.took("a", 1, true, now);
        journal.handled("a", 1, now + 1);
        journal.took("a", 2, true, now + 2);
        journal.killed("a");
        long later = System.nanoTime();
        journal.took("b", 1, true, later);
        journal.handled("b", 1, later + 1);
        journal.took("b", 2, true, later + 2);
        journal.handled("b", 2, later + 3);
        assertThat(journal.violations()).isEmpty();
        assertThat(journal.leads("a")).isFalse();
    }
}
