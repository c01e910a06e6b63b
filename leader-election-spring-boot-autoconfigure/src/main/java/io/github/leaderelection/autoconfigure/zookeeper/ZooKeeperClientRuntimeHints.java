package io.github.leaderelection.autoconfigure.zookeeper;

import java.util.List;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/** Runtime hints for ZooKeeper's client, which creates its socket by class name. */
final class ZooKeeperClientRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        for (String socket : List.of("ClientCnxnSocketNIO", "ClientCnxnSocketNetty")) {
            hints.reflection()
                    .registerType(
                            TypeReference.of("org.apache.zookeeper." + socket),
                            type -> type.withConstructor(
                                    List.of(TypeReference.of(ZKClientConfig.class)), ExecutableMode.INVOKE));
        }
    }
}
