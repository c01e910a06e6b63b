package io.github.leaderelection.sample.demo;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the demo.
 *
 * @param replicas URLs of running replicas to show. If any are given, the demo does not start its own.
 * @param count Number of replicas to start.
 * @param sessionTimeout Session timeout of the replicas that the demo starts.
 * @param outage Time between stop and start when ZooKeeper is restarted.
 */
@ConfigurationProperties("demo")
record DemoProperties(
        @DefaultValue List<URI> replicas,
        @DefaultValue("3") int count,
        @DefaultValue("4s") Duration sessionTimeout,
        @DefaultValue("2500ms") Duration outage) {

    /** Returns how long to pause a replica so that its session expires, which ZooKeeper checks once per tick. */
    Duration pauseDuration() {
        return sessionTimeout.multipliedBy(2);
    }
}
