package io.github.leaderelection.support;

import io.github.leaderelection.ElectionListener;

/** An internal listener that runs work of the application. Log messages name that work. */
public interface NamedListener extends ElectionListener {

    /** Returns what is running now, so that a developer can find it. */
    String name();
}
