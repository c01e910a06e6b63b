package io.github.leaderelection.autoconfigure.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.lifecycle.ElectionProvider;
import io.github.leaderelection.lifecycle.ElectionSettings;
import io.github.leaderelection.support.ConnectionStatus;
import io.github.leaderelection.support.ConnectionStatus.State;
import io.github.leaderelection.support.ManagedElection;
import io.github.leaderelection.zookeeper.fixture.RecordedLog;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectionReminderTests {

    private static final Duration INTERVAL = Duration.ofMillis(20);
    private static final ConnectionStatus NEVER_CONNECTED = disconnected(null);

    @RegisterExtension
    private final RecordedLog log = new RecordedLog();

    private static ConnectionStatus disconnected(@Nullable Duration sessionTimeout) {
        return new ConnectionStatus(State.DISCONNECTED, null, sessionTimeout, Duration.ZERO, Duration.ofSeconds(5));
    }

    private static ConnectionReminder reminder(Connection connection) {
        return new ConnectionReminder(connection, () -> null, INTERVAL, INTERVAL);
    }

    @Test
    void remindsAgainAndAgainUntilThereIsAConnection() {
        var connection = new Connection(NEVER_CONNECTED);
        reminder(connection).begin();
        await().until(() -> log.warnings().size() >= 3);
        assertThat(log.warnings())
                .allMatch(line -> line.startsWith("There is no connection to ZooKeeper yet")
                        && line.contains("leader-election.fail-fast=false"));
        ConnectionStatus lost = disconnected(Duration.ofSeconds(10));
        connection.status = lost;
        await().until(() -> connection.answered == lost);
        int before = log.warnings().size();
        await().pollDelay(INTERVAL.multipliedBy(5)).until(() -> true);
        assertThat(log.warnings()).as("a lost connection is reported elsewhere").hasSize(before);
    }

    @Test
    void isSilentAfterTheApplicationHasStopped() {
        var connection = new Connection(NEVER_CONNECTED);
        ConnectionReminder reminder = reminder(connection);
        reminder.destroy();
        reminder.begin();
        await().until(() -> connection.answered != null);
        await().pollDelay(INTERVAL.multipliedBy(5)).until(() -> true);
        assertThat(log.warnings()).isEmpty();
    }

    private static final class Connection implements ElectionProvider {

        private volatile ConnectionStatus status;
        private volatile @Nullable ConnectionStatus answered;

        Connection(ConnectionStatus status) {
            this.status = status;
        }

        @Override
        public ConnectionStatus connection() {
            ConnectionStatus answer = status;
            answered = answer;
            return answer;
        }

        @Override
        public ManagedElection open(ElectionSettings settings) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<?> shutDown() {
            return CompletableFuture.completedFuture(null);
        }
    }
}
