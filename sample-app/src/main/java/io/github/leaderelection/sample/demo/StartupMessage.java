package io.github.leaderelection.sample.demo;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Prints the addresses of the page, of ZooKeeper and of the replicas. */
@Component
class StartupMessage {

    private static final Logger log = LoggerFactory.getLogger(StartupMessage.class);

    private final DemoZooKeeper zooKeeper;
    private final Replicas replicas;
    private final String address;
    private int port;

    StartupMessage(DemoZooKeeper zooKeeper, Replicas replicas, @Value("${server.address}") String address) {
        this.zooKeeper = zooKeeper;
        this.replicas = replicas;
        this.address = address;
    }

    @EventListener
    void webServerInitialized(WebServerInitializedEvent event) {
        port = event.getWebServer().getPort();
    }

    @EventListener(ApplicationReadyEvent.class)
    void applicationReady() {
        log.info("");
        log.info("  Page       http://{}:{}/", address, port);
        if (zooKeeper.isEmbedded()) {
            log.info("  ZooKeeper  {}, in this process", zooKeeper.connectString());
        } else if (!zooKeeper.connectString().isEmpty()) {
            log.info("  ZooKeeper  {}", zooKeeper.connectString());
        }
        log.info(
                "  Replicas   {}",
                replicas.areChildProcesses()
                        ? "%d processes, starting".formatted(replicas.all().size())
                        : String.join(
                                ", ", replicas.all().stream().map(Replica::name).toList()));
        log.info("  Stop       Ctrl-C");
        log.info("");
    }
}
