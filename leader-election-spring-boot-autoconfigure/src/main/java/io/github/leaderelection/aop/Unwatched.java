package io.github.leaderelection.aop;

import org.jspecify.annotations.Nullable;

/** Calls that nobody watches. */
final class Unwatched implements CallMonitor.Calls, CallMonitor.Call {

    static final Unwatched METHOD = new Unwatched();

    private Unwatched() {}

    @Override
    public void skipped() {}

    @Override
    public void rejected() {}

    @Override
    public CallMonitor.Call begin() {
        return this;
    }

    @Override
    public void returned() {}

    @Override
    public void ended(@Nullable Throwable failure) {}
}
