package io.github.leaderelection.zookeeper;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/** Sessions that write down what is asked of ZooKeeper. */
public final class CountedSessions implements ZooKeeperSessions {

    private final String address;
    private final int timeoutMillis;
    private final List<LossyZooKeeper> opened = new CopyOnWriteArrayList<>();

    public CountedSessions(String address, int timeoutMillis) {
        this.address = address;
        this.timeoutMillis = timeoutMillis;
    }

    @Override
    public ZooKeeper open(Watcher watcher) throws IOException {
        LossyZooKeeper client = new LossyZooKeeper(address, timeoutMillis, watcher);
        opened.add(client);
        return client;
    }

    /** "operation path" of each request since the last call, but for the renewals of leases. */
    public List<String> drainRequests() {
        return opened.stream()
                .flatMap(client -> client.drainLog().stream())
                .filter(request -> !request.matches("setData .*/\\.beats/.*"))
                .toList();
    }
}
