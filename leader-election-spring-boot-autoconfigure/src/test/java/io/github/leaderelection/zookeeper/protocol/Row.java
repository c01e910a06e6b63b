package io.github.leaderelection.zookeeper.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;

/**
 * One row of the protocol's table: given a state, when an event arrives, then this is the next state and these are the
 * commands. What a row does not mention is usual when it is given, and unchanged when it is expected. All of the
 * {@link ElectionState} is compared.
 *
 * <p>Commands are written in {@linkplain ShortForm short form}.
 */
final class Row {

    /** Builds a state of a row. */
    interface StateBuilder {
        State build();
    }

    private final String name;
    private final Given given;
    private final Event event;
    private final Memory expected;
    private final State next;
    private final List<String> commands;

    private Row(String name, Given given, Event event, Memory expected, State next, List<String> commands) {
        this.name = name;
        this.given = given;
        this.event = event;
        this.expected = expected;
        this.next = next;
        this.commands = commands;
    }

    static Stream<DynamicTest> table(Row... rows) {
        return Arrays.stream(rows).map(row -> DynamicTest.dynamicTest(row.name, row::check));
    }

    static Name row(String name) {
        return new Name(name);
    }

    record Name(String name) {

        Given given(State state) {
            return new Given(name, state);
        }

        Given given(StateBuilder state) {
            return given(state.build());
        }
    }

    /** What an election remembers from state to state. */
    private static final class Memory extends Fluent<Memory> {

        private long terms;
        private long heard;
        private String formerNode;
        private boolean queueWatched;
        private int failures;
        private String error;
        private boolean remembersErrors = true;

        private ElectionState election(ElectionState.Config config, State state, long lastRequestId) {
            return new ElectionState(
                    config, state, lastRequestId, terms, heard, formerNode, queueWatched, failures, error);
        }
    }

    static final class Given extends Fluent<Given> {

        private final String name;
        private final State state;
        private Memory memory = new Memory();
        private boolean createPaths = true;
        private boolean connected = true;
        private boolean hasRoom = true;
        private long lease = Fixture.LEASE;
        private long grace;
        private int priority;
        private @Nullable Duration preemptAfter;
        private long serverAhead;
        private @Nullable String receiver;
        private Heirs heirs = Heirs.NONE;
        private Function<String, @Nullable Sighting> sightings = heartbeat -> null;

        private Given(String name, State state) {
            this.name = name;
            this.state = state;
        }

        Given terms(long terms) {
            return with(copy -> copy.memory = memory.with(all -> {
                all.terms = terms;
                all.heard = terms;
            }));
        }

        /** Listeners have not returned from the last term. */
        Given unheard() {
            return with(copy -> copy.memory = memory.with(all -> all.heard--));
        }

        Given formerNode(String node) {
            return with(copy -> copy.memory = memory.with(all -> all.formerNode = node));
        }

        Given queueWatched() {
            return with(copy -> copy.memory = memory.with(all -> all.queueWatched = true));
        }

        /** It had to pause that often in a row. */
        Given failures(int failures) {
            return with(copy -> copy.memory = memory.with(all -> all.failures = failures));
        }

        /** Something has been reported that keeps it from going on. */
        Given error(String error) {
            return with(copy -> copy.memory = memory.with(all -> all.error = error));
        }

        Given withoutCreatePaths() {
            return with(copy -> copy.createPaths = false);
        }

        Given disconnected() {
            return with(copy -> copy.connected = false);
        }

        Given withoutRoom() {
            return with(copy -> copy.hasRoom = false);
        }

        /** Our own lease, in milliseconds. */
        Given lease(long lease) {
            return with(copy -> copy.lease = lease);
        }

        /** How long before its end a leader stops to go by its lease, in milliseconds. */
        Given grace(long grace) {
            return with(copy -> copy.grace = grace);
        }

        Given priority(int priority) {
            return with(copy -> copy.priority = priority);
        }

        Given serverAhead(long millis) {
            return with(copy -> copy.serverAhead = millis);
        }

        Given preemptAfter(long millis) {
            return with(copy -> copy.preemptAfter = Duration.ofMillis(millis));
        }

        /** Elections are spread, and that candidate should lead next. */
        Given receiver(String node) {
            return with(copy -> copy.receiver = node);
        }

        /** The connections that inherit from ours. */
        Given heirs(String preferred, Set<String> silent) {
            return with(copy -> copy.heirs = new Heirs(preferred, silent));
        }

        /** The last heartbeat of {@link Fixture#OTHER} was seen that many milliseconds ago, and none was missed. */
        Given heartbeatSeen(long millisAgo) {
            return heartbeatSeen(millisAgo, Fixture.OTHERS_SESSION);
        }

        /** The same, where that session has created the heartbeat. */
        Given heartbeatSeen(long millisAgo, long session) {
            Sighting seen = new Sighting(
                    Fixture.SIGHTED, session, Fixture.ago(millisAgo).nanos());
            return with(
                    copy -> copy.sightings = heartbeat -> heartbeat.equals(Fixture.OTHER.heartbeat()) ? seen : null);
        }

        When when(Event event) {
            return new When(this, event);
        }

        private ElectionState.Config config() {
            return new ElectionState.Config(
                    "orders", Fixture.ELECTION, createPaths, () -> "id", Map.of(), priority, preemptAfter, "");
        }

        private View view() {
            return new View(
                    Fixture.NOW,
                    connected,
                    hasRoom,
                    Fixture.SESSION,
                    Fixture.SESSION_TIMEOUT,
                    lease,
                    grace,
                    Fixture.HEARTBEAT_PATH,
                    Fixture.HEARTBEAT_CZXID,
                    0,
                    serverAhead,
                    sightings,
                    heirs,
                    () -> receiver,
                    () -> "new");
        }
    }

    record When(Given given, Event event) {

        Row then(StateBuilder next, String... commands) {
            return then(next.build(), commands);
        }

        Row then(State next, String... commands) {
            return new Row(given.name, given, event, given.memory, next, List.of(commands));
        }

        Row thenNothing() {
            return then(given.state);
        }
    }

    private Row expecting(Consumer<Memory> change) {
        return new Row(name, given, event, expected.with(change), next, commands);
    }

    Row formerNode(String node) {
        return expecting(all -> all.formerNode = node);
    }

    Row queueWatched(boolean watched) {
        return expecting(all -> all.queueWatched = watched);
    }

    Row failures(int failures) {
        return expecting(all -> all.failures = failures);
    }

    Row heard(long term) {
        return expecting(all -> all.heard = term);
    }

    /** What was reported does not keep the election from going on. */
    Row goesOn() {
        return expecting(all -> all.remembersErrors = false);
    }

    /** What was reported is over. */
    Row recovered() {
        return expecting(all -> {
            all.error = null;
            all.failures = 0;
        });
    }

    private void check() {
        ElectionState.Config config = given.config();
        ElectionState before = given.memory.election(config, given.state, Fixture.REQUEST);

        StateMachine.Outcome outcome = new Protocol().apply(before, event, given.view());

        Memory memory = expected;
        for (Command command : outcome.commands()) {
            if (command instanceof Command.Granted granted) {
                memory = memory.with(all -> all.terms = granted.term());
            } else if (command instanceof Command.Failed failed) {
                memory = memory.with(
                        all -> all.error = all.remembersErrors ? failed.cause().getMessage() : all.error);
            }
        }
        long lastRequestId = Math.max(Fixture.REQUEST, next.requestId());
        ElectionState after = memory.election(config, next, lastRequestId);
        SoftAssertions.assertSoftly(softly -> {
            softly.assertThat(outcome.election().state()).as("next state").isEqualTo(next);
            softly.assertThat(outcome.commands().stream().map(ShortForm::of))
                    .as("commands")
                    .containsExactlyElementsOf(commands);
        });
        assertThat(outcome.election()).as("what the election remembers").isEqualTo(after);
        outcome.commands().forEach(command -> checkAwaited(command, next));
    }

    /** What was asked for must not be dropped when it comes. */
    private static void checkAwaited(Command command, State next) {
        if (command instanceof Command.Send send && send.purpose() != Command.Purpose.CLEAN_UP) {
            assertThat(next.awaits(send))
                    .as("%s awaits the reply to %s", next, send)
                    .isTrue();
        } else if (command instanceof Command.ReadTogether together) {
            together.reads().forEach(read -> checkAwaited(read, next));
        } else if (command instanceof Command.SendWhenThereIsRoom later) {
            checkAwaited(later.send(), next);
        } else if (command instanceof Command.WakeAt wake) {
            assertThat(next.awaits(wake.requestId()))
                    .as("%s awaits %s", next, wake)
                    .isTrue();
        } else if (command instanceof Command.WakeWhenThereIsRoom wake) {
            assertThat(next.awaits(wake.requestId()))
                    .as("%s awaits %s", next, wake)
                    .isTrue();
        }
    }
}
