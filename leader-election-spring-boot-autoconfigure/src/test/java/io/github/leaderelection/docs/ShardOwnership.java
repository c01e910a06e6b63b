package io.github.leaderelection.docs;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

@Component
class ShardOwnership {

    /** Where all instances read which shards there are, such as a table of the database. */
    interface ShardTable {
        Set<String> names();
    }

    private final Elections elections;
    private final ShardTable table;
    private final Map<String, Election> opened = new ConcurrentHashMap<>();

    ShardOwnership(Elections elections, ShardTable table) {
        this.elections = elections;
        this.table = table;
    }

    @Scheduled(fixedDelay = 5, timeUnit = TimeUnit.SECONDS)
    void synchronize() {
        Set<String> existing = table.names();
        existing.forEach(shard -> opened.computeIfAbsent(shard, name -> elections.open("shard-" + name)));
        opened.forEach((shard, election) -> {
            if (!existing.contains(shard)) {
                opened.remove(shard);
                election.close();
            }
        });
    }

    boolean owns(String shard) {
        Election election = opened.get(shard);
        return election != null && election.isLeader();
    }
}
