package io.github.leaderelection.benchmarks.subject;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.curator.framework.CuratorFramework;

/** A process that elects by Curator, or by something made of it. */
final class CuratorMember implements Subject.Member {

    /** Makes a candidate, given a path and whom to tell. */
    interface Maker extends BiFunction<String, Runnable, Subject.Contender> {}

    private final CuratorFramework client;
    private final Maker maker;
    private final List<Subject.Contender> contenders = new ArrayList<>();

    CuratorMember(CuratorFramework client, Maker maker) {
        this.client = client;
        this.maker = maker;
    }

    @Override
    public Subject.Contender contender(String path, Runnable onLed) {
        Subject.Contender contender = maker.apply(path, onLed);
        contenders.add(contender);
        return contender;
    }

    @Override
    public long session() {
        try {
            return client.getZookeeperClient().getZooKeeper().getSessionId();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void leaveAll() {
        contenders.forEach(Subject.Contender::close);
    }

    /** From the last to the first, lest everybody lead once; whoever is left behind would go on trying. */
    @Override
    public void close() {
        Collections.reverse(contenders);
        leaveAll();
        client.close();
    }
}
