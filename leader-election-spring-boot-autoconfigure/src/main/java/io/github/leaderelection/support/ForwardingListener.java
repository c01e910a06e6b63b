package io.github.leaderelection.support;

import io.github.leaderelection.ElectionListener;

/** Marks internal listeners that forward events to listeners of the application. Log messages name the latter. */
public interface ForwardingListener extends ElectionListener {}
