package io.github.leaderelection.aop;

import org.jspecify.annotations.Nullable;

/** Calls that nobody watches. */
final class NoOpMethodMonitor implements InvocationMonitor.Calls, InvocationMonitor.Call {

    static final NoOpMethodMonitor METHOD = new NoOpMethodMonitor();

    private NoOpMethodMonitor() {}

    @Override
    public void skipped() {}

    @Override
    public void rejected() {}

    @Override
    public InvocationMonitor.Call begin() {
        return this;
    }

    @Override
    public void returned() {}

    @Override
    public void ended(@Nullable Throwable failure) {}
}
