package io.github.leaderelection.term;

import java.lang.reflect.AnnotatedElement;
import java.time.Duration;
import java.util.List;
import org.springframework.context.SmartLifecycle;

/** The containers of the message listeners of one broker. */
public interface ListenerContainers {

    /** The annotation of the listeners, as error messages name it. */
    String annotation();

    /** Returns the ids of the listeners that the element declares, as written; empty if it declares none. */
    List<String> ids(AnnotatedElement element);

    /**
     * Returns the container of the listener with that id, which from now on starts and stops only on request: not with the
     * application, and without handling further messages once it was told to stop.
     *
     * @param drainTimeout how long a stop may wait for the message in progress
     * @throws IllegalStateException if there is none
     */
    SmartLifecycle take(String id, Duration drainTimeout);
}
