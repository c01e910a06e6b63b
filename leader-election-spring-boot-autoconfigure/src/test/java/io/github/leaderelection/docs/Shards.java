package io.github.leaderelection.docs;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Elections;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

@Component
class Shards {

    private final Elections elections;
    private final Set<String> owned = ConcurrentHashMap.newKeySet();

    Shards(Elections elections) {
        this.elections = elections;
    }

    void add(String shard) {
        Election election = elections.open("shard-" + shard);
        election.addListener(new ElectionListener() {
            @Override
            public void granted(Leadership term) {
                owned.add(shard);
            }

            @Override
            public void revoked(Leadership term, RevocationReason reason) {
                owned.remove(shard);
            }
        });
    }

    void remove(String shard) {
        elections.get("shard-" + shard).close();
    }

    Set<String> owned() {
        return owned;
    }
}
