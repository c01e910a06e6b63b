package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReplicasTests {

    static Stream<BiConsumer<Replicas, Replica>> actions() {
        return Stream.of(Replicas::crash, Replicas::pause, Replicas::restart);
    }

    @ParameterizedTest
    @MethodSource("actions")
    void anExternalReplicaCannotBeKilledPausedOrRestarted(BiConsumer<Replicas, Replica> action) throws IOException {
        History history = new History();
        try (Replicas replicas = UnreachableReplica.replicas(history)) {
            Replica replica = replicas.get(UnreachableReplica.NAME);
            assertThatThrownBy(() -> action.accept(replicas, replica))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("127.0.0.1:1 was not started by the demo");
            assertThat(replica.process()).isEmpty();
            assertThat(history.events()).isEmpty();
        }
    }
}
