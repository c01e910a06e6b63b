package io.github.leaderelection.autoconfigure.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

class ZooKeeperClientRuntimeHintsTests {

    @ParameterizedTest
    @ValueSource(strings = {"ClientCnxnSocketNIO", "ClientCnxnSocketNetty"})
    void registersConstructorsOfClientSockets(String socket) throws Exception {
        RuntimeHints hints = new RuntimeHints();
        new ZooKeeperClientRuntimeHints().registerHints(hints, getClass().getClassLoader());
        assertThat(RuntimeHintsPredicates.reflection()
                        .onConstructorInvocation(Class.forName("org.apache.zookeeper." + socket)
                                .getDeclaredConstructor(ZKClientConfig.class)))
                .accepts(hints);
    }
}
