package io.github.leaderelection.zookeeper.engine;

import org.apache.zookeeper.Watcher.Event.EventType;

/** Somebody beside the elections who has to know what happens on the connection. */
public interface ConnectionObserver {

    void connected();

    void changed(String path, EventType type);

    /** Whether it need not be told any more. */
    boolean isOver();
}
