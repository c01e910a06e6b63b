package io.github.leaderelection.autoconfigure.logging;

import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.zookeeper.fixture.ChildProcess;
import java.nio.file.Path;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;

/** An instance of an application in a process of its own, which can be paused. It logs as Spring Boot does by default. */
public final class LoggingInstance {

    private LoggingInstance() {}

    static ChildProcess start(String id, String address, Path log) {
        return ChildProcess.start(
                LoggingInstance.class,
                log,
                "--leader-election.candidate.id=" + id,
                "--leader-election.zookeeper.connect-string=" + address);
    }

    public static void main(String[] arguments) {
        ChildProcess.endWithParent();
        new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        // In place of the one of the tests.
                        "logging.config=classpath:logback-of-an-application.xml",
                        "spring.main.banner-mode=off",
                        "spring.main.keep-alive=true",
                        "spring.docker.compose.enabled=false",
                        "leader-election.elections.orders=")
                .run(arguments);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        PropertyPlaceholderAutoConfiguration.class,
        SslAutoConfiguration.class,
        LeaderElectionAutoConfiguration.class
    })
    static class Application {}
}
