package io.github.leaderelection.support;

import io.github.leaderelection.ElectionListener;

/** Marks listeners of our own that forward events to listeners of the application, which are the ones to be named. */
public interface ForwardingListener extends ElectionListener {}
