package io.github.leaderelection.docs;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.Leadership;
import java.util.List;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.springframework.stereotype.Component;

@Component
class Checkpoint {

    private final ZooKeeper zooKeeper;

    Checkpoint(ZooKeeper zooKeeper) {
        this.zooKeeper = zooKeeper;
    }

    @LeaderOnly("import")
    public void save(byte[] position) throws KeeperException, InterruptedException {
        save(position, Leadership.current().orElseThrow());
    }

    void save(byte[] position, Leadership term) throws KeeperException, InterruptedException {
        zooKeeper.multi(List.of(term.guard(), Op.setData("/import/position", position, -1)));
    }
}
