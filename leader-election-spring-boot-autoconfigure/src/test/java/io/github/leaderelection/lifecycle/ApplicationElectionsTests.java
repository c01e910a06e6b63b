package io.github.leaderelection.lifecycle;

import static io.github.leaderelection.ElectionContract.BACKGROUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionCustomizer;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ConnectionStatus;
import io.github.leaderelection.support.ManagedElection;
import io.github.leaderelection.test.TestElection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ApplicationElectionsTests {

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final List<Election> beans = new ArrayList<>();
    private final CountDownLatch slow = new CountDownLatch(1);

    private final ApplicationElections elections = new ApplicationElections(
            List.of(
                    settings("orders"),
                    settings("billing"),
                    new ElectionSettings("audit", "/audit", false, false, false, 0, Duration.ofSeconds(10))),
            ApplicationElectionsTests::settings,
            new TestProvider(),
            () -> beans,
            List.of(new Log()));

    private static ElectionSettings settings(String name) {
        return new ElectionSettings(name, "/elections/" + name, false, true, false, 0, Duration.ofSeconds(10));
    }

    /** Opens elections as the container does, in any order. */
    private void openBeans(String... names) {
        for (String name : names) {
            beans.add(elections.openConfigured(name));
        }
    }

    @Test
    void listsConfiguredElectionsFirstInTheirOrder() {
        openBeans("audit", "billing", "orders");
        beans.add(new TestElection("own"));
        assertThat(elections.all()).extracting(Election::name).containsExactly("orders", "billing", "audit", "own");
        assertThat(elections.openConfigured("orders")).isSameAs(elections.get("orders"));
    }

    @Test
    void callsCustomizersOncePerElection() {
        openBeans("orders", "billing");
        beans.add(new TestElection("own"));
        elections.all();
        elections.all();
        elections.open("shard");
        elections.open("shard");
        assertThat(log).containsExactly("orders", "billing", "own", "shard");
    }

    @Test
    void leadershipOfAnElectionThatIsOnlyObservedCannotBeAwaited() throws Exception {
        openBeans("audit");
        beans.add(new TestElection("own"));
        elections.all();
        elections.nominateAll();
        Election audit = elections.get("audit");
        assertThatIllegalStateException()
                .isThrownBy(() -> audit.awaitLeadership(Duration.ZERO))
                .withMessageContaining("leader-election.elections.audit.participate");
        assertThat(elections.get("own").awaitLeadership(Duration.ZERO)).isFalse();
        audit.nominate();
        assertThat(audit.awaitLeadership(Duration.ZERO)).isFalse();
    }

    @Test
    void nominatesInConfiguredElectionsThatParticipate() {
        openBeans("orders", "audit");
        beans.add(new TestElection("own"));
        elections.all();
        elections.nominateAll();
        assertThat(elections.all())
                .extracting(Election::role)
                .containsExactly(Role.CANDIDATE, Role.OBSERVER, Role.OBSERVER);
    }

    @Test
    void nominatesInBeanThatReplacesConfiguredElection() {
        beans.add(new TestElection("orders"));
        elections.all();
        elections.nominateAll();
        assertThat(elections.get("orders").role()).isEqualTo(Role.CANDIDATE);
    }

    @Test
    void nominatesAndWithdrawsElectionThatIsNotManaged() {
        Election own = mock(Election.class);
        when(own.name()).thenReturn("orders");
        when(own.role()).thenReturn(Role.OBSERVER);
        beans.add(own);
        assertThat(elections.all()).containsExactly(own);
        elections.nominateAll();
        verify(own).nominate();

        when(own.role()).thenReturn(Role.LEADER);
        assertThat(elections.withdrawAll(RevocationReason.NOT_READY)).succeedsWithin(Duration.ofSeconds(10));
        verify(own).withdraw();
        elections.nominateAll();
        verify(own, times(2)).nominate();
    }

    @Test
    void removesElectionsOpenedAtRunTimeWhenTheyAreClosed() {
        Election shard = elections.open("shard");
        assertThat(elections.open("shard")).isSameAs(shard);
        shard.close();
        assertThat(elections.all()).isEmpty();
        await().untilAsserted(() -> assertThat(log).containsExactly("shard", "shard closed"));
        assertThat(elections.open("shard")).isNotSameAs(shard);
    }

    @Test
    void keepsClosedConfiguredElections() {
        openBeans("orders");
        elections.get("orders").close();
        assertThat(elections.all()).extracting(Election::role).containsExactly(Role.CLOSED);
    }

    @Test
    void openReturnsConfiguredElection() {
        openBeans("orders");
        assertThat(elections.open("orders")).isSameAs(elections.get("orders"));
    }

    @Test
    void unknownElectionIsReportedWithTheKnownOnes() {
        openBeans("orders");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> elections.get("nope"))
                .withMessageContaining("'nope'")
                .withMessageContaining("[orders]");
    }

    @Test
    void listenerMayOpenElection() {
        openBeans("orders");
        TestElection orders = (TestElection) elections.get("orders");
        orders.addListener(new ElectionListener() {
            @Override
            public void revoked(Leadership term, RevocationReason reason) {
                elections.open("shard");
            }
        });
        elections.nominateAll();
        orders.grant();
        elections.withdrawAll(RevocationReason.NOT_READY);
        assertThat(elections.get("shard").role()).isEqualTo(Role.OBSERVER);
        elections.nominateAll();
        assertThat(elections.get("shard").role()).isEqualTo(Role.CANDIDATE);
    }

    @Test
    void otherElectionsAreAvailableWhileOneIsBeingOpened() {
        openBeans("orders");
        elections.all();
        CompletableFuture<Election> opened = CompletableFuture.supplyAsync(() -> elections.open("slow"), BACKGROUND);
        await().until(() -> slow.getCount() == 1 && log.contains("opening slow"));
        assertThat(elections.all()).extracting(Election::name).containsExactly("orders");
        slow.countDown();
        assertThat(opened.join()).isSameAs(elections.get("slow"));
    }

    private final class Log implements ElectionCustomizer {

        @Override
        public void customize(Election election) {
            log.add(election.name());
        }

        @Override
        public void closed(Election election) {
            log.add(election.name() + " closed");
        }
    }

    private final class TestProvider implements ElectionProvider {

        @Override
        public ManagedElection open(ElectionSettings settings) {
            if (settings.name().equals("slow")) {
                log.add("opening slow");
                try {
                    slow.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            return new TestElection(settings.name());
        }

        @Override
        public ConnectionStatus connection() {
            return ConnectionStatus.LOCAL;
        }

        @Override
        public CompletableFuture<?> shutDown() {
            return CompletableFuture.completedFuture(null);
        }
    }
}
