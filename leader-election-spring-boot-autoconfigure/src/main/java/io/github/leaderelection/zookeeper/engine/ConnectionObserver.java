package io.github.leaderelection.zookeeper.engine;

import org.apache.zookeeper.Watcher.Event.EventType;

/** Something beside the elections that depends on the connection's events. */
public interface ConnectionObserver {

    void connected();

    void changed(String path, EventType type);

    /** Whether it needs no more events. */
    boolean isOver();
}
