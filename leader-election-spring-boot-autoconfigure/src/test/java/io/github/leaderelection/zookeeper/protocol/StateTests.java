package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.States.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Role;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What every state says about itself. */
class StateTests {

    @TestFactory
    Stream<DynamicTest> roles() {
        return Stream.of(
                role("an observer", Role.OBSERVER, new Observing()),
                role("a candidate that waits to join", Role.CANDIDATE, pending()),
                role("a candidate that joins", Role.CANDIDATE, joining()),
                role("a candidate that looks for its create", Role.CANDIDATE, recovering(REQUEST)),
                role(
                        "a candidate without a connection",
                        Role.CANDIDATE,
                        detached().build()),
                role("a candidate that evaluates", Role.CANDIDATE, evaluating().build()),
                role("a follower", Role.FOLLOWER, following().build()),
                role(
                        "a follower whose place is verified",
                        Role.FOLLOWER,
                        evaluating().verifying(following()).build()),
                role(
                        "a candidate that waits for a lease to end",
                        Role.CANDIDATE,
                        awaitingLeaseEnd(1_000).build()),
                role("a candidate that claims", Role.CANDIDATE, claiming().build()),
                role("an heir", Role.FOLLOWER, following().asHeir().build()),
                role("an heir that takes over", Role.CANDIDATE, takingOver().build()),
                role("a candidate that was named", Role.CANDIDATE, named().build()),
                role("a leader", Role.LEADER, leading().build()),
                role("a leader that lost its node", Role.CANDIDATE, nodeLost(3).build()),
                role(
                        "a leader that is withdrawn",
                        Role.OBSERVER,
                        leaving(AfterLeaving.OBSERVE).handingOver()),
                role(
                        "a leader that steps down",
                        Role.CANDIDATE,
                        leaving(AfterLeaving.REJOIN).handingOver()),
                role(
                        "a leader that resigns",
                        Role.CLOSED,
                        leaving(AfterLeaving.CLOSE).handingOver()),
                role("a candidate that drains before it closes", Role.CLOSED, retiring(AfterLeaving.CLOSE, true)),
                role("a candidate that clears an ended election away", Role.CANDIDATE, new Clearing()),
                role("a closed election", Role.CLOSED, closed()));
    }

    private static DynamicTest role(String who, Role role, State state) {
        return DynamicTest.dynamicTest(
                who + " is shown as " + role, () -> assertThat(state.role()).isEqualTo(role));
    }

    @Test
    @DisplayName("an election has ended for everyone only if that is known")
    void ended() {
        assertThat(closedAfterEnd().ended()).isTrue();
        assertThat(leaving(AfterLeaving.END).deleting().ended()).isTrue();
        assertThat(retiring(AfterLeaving.END, true).ended()).isTrue();

        assertThat(closed().ended()).isFalse();
        assertThat(leaving(AfterLeaving.CLOSE).deleting().ended()).isFalse();
        assertThat(leading().build().ended()).isFalse();
    }

    @Test
    @DisplayName("the number of candidates is that of the last list")
    void candidates() {
        assertThat(leading().build().candidates()).hasValue(2);
        assertThat(evaluating().listed(BEFORE, ME, AFTER).build().candidates()).hasValue(3);

        assertThat(leading().succession(Succession.UNKNOWN).build().candidates())
                .isEmpty();
        assertThat(evaluating().build().candidates()).isEmpty();
        assertThat(following().build().candidates()).isEmpty();
    }

    @Test
    @DisplayName("only the present request is awaited")
    void awaits() {
        assertThat(pending(REQUEST).awaits(REQUEST)).isTrue();
        assertThat(pending(REQUEST).awaits(REQUEST - 1)).isFalse();
        assertThat(pending().awaits(NO_REQUEST)).isFalse();
    }

    @Test
    @DisplayName(
            "R34 a leader sends six heartbeats per lease, also while it drains; an heir two; all others none (F80)")
    void heartbeatInterval() {
        assertThat(leading().build().heartbeatInterval()).isEqualTo(LEASE / 6);
        assertThat(leaving(AfterLeaving.CLOSE).draining(leading()).heartbeatInterval())
                .isEqualTo(LEASE / 6);
        assertThat(following().asHeir().build().heartbeatInterval()).isEqualTo(OTHERS_LEASE / 2);

        assertThat(following().build().heartbeatInterval()).isZero();
        assertThat(evaluating().build().heartbeatInterval()).isZero();
        assertThat(claiming().build().heartbeatInterval()).isZero();
        assertThat(takingOver().build().heartbeatInterval()).isZero();
        assertThat(named().build().heartbeatInterval()).isZero();
        assertThat(leaving(AfterLeaving.CLOSE).draining().heartbeatInterval()).isZero();
        assertThat(leaving(AfterLeaving.CLOSE).handingOver().heartbeatInterval())
                .isZero();
    }

    @Test
    @DisplayName("a leader that goes by a shorter lease than the record's sends its heartbeats accordingly")
    void heartbeatIntervalOfAShorterLease() {
        assertThat(leading().leases(LEASE, 1_000).build().heartbeatInterval()).isEqualTo(200);
        assertThat(leading().leases(LEASE, 2_500).build().heartbeatInterval()).isEqualTo(500);
        assertThat(leading().leases(1, 1).build().heartbeatInterval()).isEqualTo(1);
    }
}
