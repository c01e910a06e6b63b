package io.github.leaderelection.docs;

import io.github.leaderelection.Leadership;
import io.github.leaderelection.WhileLeader;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.springframework.stereotype.Component;

@Component
class Migration {

    final Set<String> migrated = new ConcurrentSkipListSet<>();
    private final List<String> tables = List.of("customers", "orders");

    @WhileLeader(value = "migration", then = WhileLeader.Then.STEP_DOWN)
    void migrate(Leadership term) {
        for (String table : tables) {
            term.requireValid();
            migrate(table);
        }
    }

    private void migrate(String table) {
        migrated.add(table);
    }
}
