package io.github.leaderelection.term;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.SmartLifecycle;

/** Records its starts and stops in a list that it may share with others. */
class RecordedLifecycle implements SmartLifecycle {

    private final String name;
    private final int phase;
    private final List<String> log;
    private volatile boolean running;
    private volatile boolean autoStartup = true;

    RecordedLifecycle() {
        this("bean", DEFAULT_PHASE, new CopyOnWriteArrayList<>());
    }

    RecordedLifecycle(String name, int phase, List<String> log) {
        this.name = name;
        this.phase = phase;
        this.log = log;
    }

    List<String> log() {
        return log;
    }

    public void setAutoStartup(boolean autoStartup) {
        this.autoStartup = autoStartup;
    }

    @Override
    public boolean isAutoStartup() {
        return autoStartup;
    }

    @Override
    public void start() {
        log.add("start " + name);
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        log.add("stop " + name);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return phase;
    }
}
