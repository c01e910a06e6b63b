package io.github.leaderelection.term;

import java.lang.reflect.AnnotatedElement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;

/** The containers of the message listeners of one broker. */
public interface ListenerContainers {

    /** The annotation of the listeners, as error messages name it. */
    String annotation();

    /** Returns the ids of the listeners that the element declares, as written; empty if it declares none. */
    List<String> ids(AnnotatedElement element);

    /**
     * Returns the containers of the listener with that id, by their own ids. There are several if messages that could
     * not be handled are delivered again by other containers.
     *
     * @throws io.github.leaderelection.support.MisconfigurationException if there is none
     */
    Map<String, SmartLifecycle> find(String id);

    /**
     * Prepares a container, if it is one of this broker. From now on, it starts only on request, rather than with the
     * application, and a stop waits for the message in progress, but not for messages that were fetched in advance.
     *
     * @param drainTimeout how long a stop may wait for the message in progress
     */
    void prepare(Lifecycle container, Duration drainTimeout);
}
