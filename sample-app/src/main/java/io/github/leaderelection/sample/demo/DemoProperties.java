package io.github.leaderelection.sample.demo;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the demo.
 *
 * @param replicas Addresses of replicas to watch that run already. If there are any, none are started.
 * @param count Number of replicas to start.
 * @param sessionTimeout Session timeout of the replicas that are started.
 * @param outage Time for which ZooKeeper is away when it is restarted.
 */
@ConfigurationProperties("demo")
record DemoProperties(
        @DefaultValue List<URI> replicas,
        @DefaultValue("3") int count,
        @DefaultValue("4s") Duration sessionTimeout,
        @DefaultValue("2500ms") Duration outage) {

    /** Long enough for ZooKeeper to give up the session, whichever tick notices it. */
    Duration pause() {
        return sessionTimeout.multipliedBy(2);
    }
}
