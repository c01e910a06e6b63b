package io.github.leaderelection.docs;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.ElectionOptions;
import io.github.leaderelection.zookeeper.ZooKeeperElections;
import java.util.List;
import org.apache.zookeeper.ZooKeeper;

class WithoutSpring {

    static ZooKeeperElections start(String servers, List<String> log) {
        ZooKeeperElections elections =
                ZooKeeperElections.over(watcher -> new ZooKeeper(servers, 10_000, watcher), ElectionOptions.defaults());

        Election orders = elections.election("orders", "/elections/orders");
        orders.addListener(new ElectionListener() {
            @Override
            public void granted(Leadership term) {
                log.add("leading, fencing token " + term.fencingToken());
            }

            @Override
            public void revoked(Leadership term, RevocationReason reason) {
                log.add("no longer leading: " + reason);
            }
        });
        orders.nominate();
        return elections;
    }
}
