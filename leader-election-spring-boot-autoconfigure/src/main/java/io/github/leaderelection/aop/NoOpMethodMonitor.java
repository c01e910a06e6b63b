package io.github.leaderelection.aop;

import org.jspecify.annotations.Nullable;

/** Monitors nothing. */
final class NoOpMethodMonitor implements InvocationMonitor.MethodMonitor, InvocationMonitor.Invocation {

    static final NoOpMethodMonitor INSTANCE = new NoOpMethodMonitor();

    private NoOpMethodMonitor() {}

    @Override
    public void skipped() {}

    @Override
    public void rejected() {}

    @Override
    public InvocationMonitor.Invocation started() {
        return this;
    }

    @Override
    public void returned() {}

    @Override
    public void completed(@Nullable Throwable failure) {}
}
