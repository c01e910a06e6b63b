package io.github.leaderelection.zookeeper;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** A client that reads, where a test says so, what a server that lags behind would answer. */
final class StaleZooKeeper extends LossyZooKeeper {

    /** What a node looked like at some time. */
    record Image(byte[] data, Stat stat) {

        static Image of(ZooKeeper client, String path) throws KeeperException, InterruptedException {
            var stat = new Stat();
            return new Image(client.getData(path, false, stat), stat);
        }
    }

    private final Map<String, Image> images = new ConcurrentHashMap<>();
    private volatile Predicate<String> hidden = child -> false;

    StaleZooKeeper(String address, int sessionTimeout, Watcher watcher) throws IOException {
        super(address, sessionTimeout, watcher);
    }

    /** This end of the connection; each one has another. */
    @Nullable
    SocketAddress localAddress() {
        return testableLocalSocketAddress();
    }

    /** Lists leave out these children from now on. */
    void hide(Predicate<String> children) {
        hidden = children;
    }

    void hideNothing() {
        hidden = child -> false;
    }

    /** The next read of this node gives the image; later ones the truth. */
    void readOnce(String path, Image image) {
        images.put(path, image);
    }

    @Override
    public void getChildren(String path, Watcher watcher, AsyncCallback.Children2Callback cb, Object ctx) {
        Predicate<String> unseen = hidden;
        super.getChildren(
                path,
                watcher,
                (rc, p, c, names, stat) ->
                        cb.processResult(rc, p, c, names == null ? null : without(names, unseen), stat),
                ctx);
    }

    private static List<String> without(List<String> names, Predicate<String> unseen) {
        return names.stream().filter(unseen.negate()).toList();
    }

    @Override
    public void getData(String path, Watcher watcher, AsyncCallback.DataCallback cb, Object ctx) {
        Image image = images.remove(path);
        super.getData(
                path,
                watcher,
                image == null ? cb : (rc, p, c, data, stat) -> cb.processResult(0, p, c, image.data(), image.stat()),
                ctx);
    }
}
