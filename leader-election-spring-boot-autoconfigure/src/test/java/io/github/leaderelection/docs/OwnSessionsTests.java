package io.github.leaderelection.docs;

import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Import;

class OwnSessionsTests {

    @Test
    void electionsUseTheSessionsOfTheApplication() throws Exception {
        try (TestServer server = new TestServer();
                var application = new SpringApplicationBuilder(Application.class)
                        .web(WebApplicationType.NONE)
                        .run("--shop.zookeeper=" + server.address(), "--leader-election.elections.orders=")) {
            Election orders = application.getBean(Election.class);
            await().until(orders::isLeader);
        }
    }

    @ImportAutoConfiguration(LeaderElectionAutoConfiguration.class)
    @Import(OwnSessions.class)
    static class Application {}
}
