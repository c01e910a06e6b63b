package io.github.leaderelection.sample.demo;

import io.github.leaderelection.sample.demo.History.Incarnation;
import io.github.leaderelection.sample.shop.ShopStatus.ElectionInfo;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds out why replicas hand elections over. Their events say only that they do; the meter that counts moves says why, a
 * moment later.
 */
final class MoveTracker {

    private static final Map<String, String> TEXTS =
            Map.of("requested", "on request", "priority", "to a higher priority", "spread", "to spread the elections");

    private record Key(Incarnation incarnation, String election) {}

    private final Map<Key, Map<String, Long>> counts = new HashMap<>();

    /** Returns why the replica has handed the election over since its last status, if it has. */
    Optional<String> infoReceived(Incarnation incarnation, ElectionInfo info) {
        Map<String, Long> before = counts.put(new Key(incarnation, info.election()), info.moves());
        if (before == null) {
            return Optional.empty();
        }
        return info.moves().entrySet().stream()
                .filter(count -> count.getValue() > before.getOrDefault(count.getKey(), 0L))
                .map(count -> TEXTS.getOrDefault(count.getKey(), count.getKey()))
                .findFirst();
    }
}
