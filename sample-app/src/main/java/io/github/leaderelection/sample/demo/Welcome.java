package io.github.leaderelection.sample.demo;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Says where to look. */
@Component
class Welcome {

    private static final Logger log = LoggerFactory.getLogger(Welcome.class);

    private final DemoZooKeeper zooKeeper;
    private final Replicas replicas;
    private final String address;
    private int port;

    Welcome(DemoZooKeeper zooKeeper, Replicas replicas, @Value("${server.address}") String address) {
        this.zooKeeper = zooKeeper;
        this.replicas = replicas;
        this.address = address;
    }

    @EventListener
    void listening(WebServerInitializedEvent event) {
        port = event.getWebServer().getPort();
    }

    @EventListener(ApplicationReadyEvent.class)
    void ready() {
        log.info("");
        log.info("  Page       http://{}:{}/", address, port);
        if (zooKeeper.isOurs()) {
            log.info("  ZooKeeper  {}, inside this process", zooKeeper.connectString());
        } else if (!zooKeeper.connectString().isEmpty()) {
            log.info("  ZooKeeper  {}", zooKeeper.connectString());
        }
        log.info(
                "  Replicas   {}",
                replicas.areOurs()
                        ? "%d processes, which are starting"
                                .formatted(replicas.all().size())
                        : String.join(
                                ", ", replicas.all().stream().map(Replica::name).toList()));
        log.info("  Stop       Ctrl-C");
        log.info("");
    }
}
