package io.github.leaderelection.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.test.TestElection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class NominationCoordinatorTests {

    private final NominationCoordinator participation = new NominationCoordinator();
    private final TestElection orders = new TestElection("orders");
    private final TestElection billing = new TestElection("billing");

    @Test
    void electionsAreJoinedAllTogether() {
        participation.include(orders, true);
        participation.include(billing, true);
        assertThat(orders.role()).isEqualTo(Role.OBSERVER);
        participation.join();
        assertThat(List.of(orders.role(), billing.role())).containsOnly(Role.CANDIDATE);
    }

    @Test
    void lateOnesAreJoinedAtOnce() {
        participation.join();
        participation.include(orders, true);
        assertThat(orders.role()).isEqualTo(Role.CANDIDATE);
    }

    @Test
    void theyAreLeftAllTogetherAndJoinedAgain() {
        participation.include(orders, true);
        participation.join();
        orders.grant();
        assertThat(participation.leave(List.of(orders, billing), RevocationReason.NOT_READY))
                .isCompleted();
        assertThat(orders.role()).isEqualTo(Role.OBSERVER);
        participation.join();
        assertThat(orders.role()).isEqualTo(Role.CANDIDATE);
        assertThat(billing.role()).isEqualTo(Role.OBSERVER);
    }

    @Test
    void whatSomebodyElseHasLeftIsNotJoinedAgain() {
        participation.include(orders, true);
        participation.join();
        orders.withdraw();
        participation.leave(List.of(orders), RevocationReason.NOT_READY);
        participation.join();
        assertThat(orders.role()).isEqualTo(Role.OBSERVER);
    }

    @Test
    void whatSomebodyWithdrawsWhileItIsNotJoinedStaysSo() {
        participation.include(orders, true);
        participation.include(billing, false);
        orders.withdraw();
        participation.join();
        assertThat(orders.role()).isEqualTo(Role.OBSERVER);

        orders.nominate();
        billing.nominate();
        participation.leave(List.of(orders, billing), RevocationReason.NOT_READY);
        orders.withdraw(RevocationReason.WITHDRAWN);
        billing.withdraw();
        participation.join();
        assertThat(List.of(orders.role(), billing.role())).containsOnly(Role.OBSERVER);
    }

    @Test
    void leavingIsCompleteWhenTheWorkHasDrained() {
        participation.include(orders, true);
        participation.join();
        orders.grant();
        LeaderWork.Permit permit = orders.admit();
        assertThat(permit).isNotNull();
        CompletableFuture<?> left = participation.leave(List.of(orders), RevocationReason.SHUTDOWN);
        CompletableFuture<?> leftAgain = participation.leave(List.of(orders), RevocationReason.SHUTDOWN);
        assertThat(left).isNotDone();
        assertThat(leftAgain).isNotDone();
        permit.close();
        await().until(() -> left.isDone() && leftAgain.isDone());
    }

    @Test
    void oneThatIsJoinedAgainWhileItsWorkDrainsComesBack() {
        participation.include(orders, true);
        participation.join();
        orders.grant();
        LeaderWork.Permit permit = orders.admit();
        participation.leave(List.of(orders), RevocationReason.NOT_READY);
        participation.join();
        permit.close();
        await().until(() -> orders.role() == Role.CANDIDATE);
    }

    @Test
    void closedElectionsAreLeftAlone() {
        participation.include(orders, true);
        participation.include(billing, true);
        orders.close();
        participation.join();
        assertThat(orders.role()).isEqualTo(Role.CLOSED);
        assertThat(billing.role()).isEqualTo(Role.CANDIDATE);
        assertThat(participation.leave(List.of(orders), RevocationReason.SHUTDOWN))
                .isCompleted();
    }
}
