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
     * Returns the container of the listener with that id. From now on, it starts only on request, rather than with the
     * application, and a stop does not wait for messages that were fetched in advance.
     *
     * @param drainTimeout how long a stop may wait for the message in progress
     * @throws io.github.leaderelection.support.MisconfigurationException if there is no such container
     */
    SmartLifecycle take(String id, Duration drainTimeout);
}
