package io.github.leaderelection.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.LeaderOnly.WhenRevoked;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.test.TestElection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class NominationCoordinatorTests {

    private final NominationCoordinator coordinator = new NominationCoordinator();
    private final TestElection orders = new TestElection("orders");
    private final TestElection billing = new TestElection("billing");

    @Test
    void nominatesInAllElectionsAtOnce() {
        coordinator.add(orders, true);
        coordinator.add(billing, true);
        assertThat(orders.role()).isEqualTo(Role.OBSERVER);
        coordinator.nominateAll();
        assertThat(List.of(orders.role(), billing.role())).containsOnly(Role.CANDIDATE);
    }

    @Test
    void leadershipCannotBeAwaitedBeforeTheApplicationHasJoined() throws Exception {
        coordinator.add(orders, true);
        assertThatIllegalStateException()
                .isThrownBy(() -> orders.awaitLeadership(Duration.ZERO))
                .withMessageContaining("'orders'")
                .withMessageContaining("ApplicationReadyEvent");
        coordinator.nominateAll();
        assertThat(orders.awaitLeadership(Duration.ZERO)).isFalse();
        coordinator.withdrawAll(List.of(orders), RevocationReason.NOT_READY);
        assertThat(orders.awaitLeadership(Duration.ZERO)).isFalse();
    }

    @Test
    void leadershipCanBeAwaitedAfterNominationByTheApplication() throws Exception {
        coordinator.add(orders, true);
        orders.nominate();
        assertThat(orders.awaitLeadership(Duration.ZERO)).isFalse();
    }

    @Test
    void nominatesAtOnceInElectionsThatAreAddedLater() {
        coordinator.nominateAll();
        coordinator.add(orders, true);
        assertThat(orders.role()).isEqualTo(Role.CANDIDATE);
    }

    @Test
    void withdrawsFromAllElectionsAndNominatesAgain() {
        coordinator.add(orders, true);
        coordinator.nominateAll();
        orders.grant();
        assertThat(coordinator.withdrawAll(List.of(orders, billing), RevocationReason.NOT_READY))
                .isCompleted();
        assertThat(orders.role()).isEqualTo(Role.OBSERVER);
        coordinator.nominateAll();
        assertThat(orders.role()).isEqualTo(Role.CANDIDATE);
        assertThat(billing.role()).isEqualTo(Role.OBSERVER);
    }

    @Test
    void doesNotNominateAgainAfterSeparateWithdrawal() {
        coordinator.add(orders, true);
        coordinator.nominateAll();
        orders.withdraw();
        coordinator.withdrawAll(List.of(orders), RevocationReason.NOT_READY);
        coordinator.nominateAll();
        assertThat(orders.role()).isEqualTo(Role.OBSERVER);
    }

    @Test
    void doesNotNominateAfterWithdrawalWhileInactive() {
        coordinator.add(orders, true);
        coordinator.add(billing, false);
        orders.withdraw();
        coordinator.nominateAll();
        assertThat(orders.role()).isEqualTo(Role.OBSERVER);

        orders.nominate();
        billing.nominate();
        coordinator.withdrawAll(List.of(orders, billing), RevocationReason.NOT_READY);
        orders.withdraw(RevocationReason.WITHDRAWN);
        billing.withdraw();
        coordinator.nominateAll();
        assertThat(List.of(orders.role(), billing.role())).containsOnly(Role.OBSERVER);
    }

    @Test
    void withdrawalCompletesWhenWorkHasDrained() {
        coordinator.add(orders, true);
        coordinator.nominateAll();
        orders.grant();
        LeaderWork.Permit permit = orders.admit(WhenRevoked.DRAIN, () -> "test");
        assertThat(permit).isNotNull();
        CompletableFuture<?> left = coordinator.withdrawAll(List.of(orders), RevocationReason.SHUTDOWN);
        CompletableFuture<?> leftAgain = coordinator.withdrawAll(List.of(orders), RevocationReason.SHUTDOWN);
        assertThat(left).isNotDone();
        assertThat(leftAgain).isNotDone();
        permit.close();
        await().until(() -> left.isDone() && leftAgain.isDone());
    }

    @Test
    void nominatesAgainWhileWorkIsDraining() {
        coordinator.add(orders, true);
        coordinator.nominateAll();
        orders.grant();
        LeaderWork.Permit permit = orders.admit(WhenRevoked.DRAIN, () -> "test");
        coordinator.withdrawAll(List.of(orders), RevocationReason.NOT_READY);
        coordinator.nominateAll();
        permit.close();
        await().until(() -> orders.role() == Role.CANDIDATE);
    }

    @Test
    void ignoresClosedElections() {
        coordinator.add(orders, true);
        coordinator.add(billing, true);
        orders.close();
        coordinator.nominateAll();
        assertThat(orders.role()).isEqualTo(Role.CLOSED);
        assertThat(billing.role()).isEqualTo(Role.CANDIDATE);
        assertThat(coordinator.withdrawAll(List.of(orders), RevocationReason.SHUTDOWN))
                .isCompleted();
    }
}
