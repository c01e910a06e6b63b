package io.github.leaderelection.autoconfigure;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.event.ElectionEvent;
import io.github.leaderelection.event.OnElectionEndedEvent;
import io.github.leaderelection.event.OnElectionFailedEvent;
import io.github.leaderelection.event.OnGrantedEvent;
import io.github.leaderelection.event.OnLeaderChangedEvent;
import io.github.leaderelection.event.OnRevokedEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** Instances of an application in this process, each with its own context, session and log of events. */
public final class Instances implements AutoCloseable {

    private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();
    private final List<String> properties = new ArrayList<>();
    private final List<Class<?>> configurations = new ArrayList<>();

    public Instances(String... properties) {
        this.properties.addAll(List.of(properties));
    }

    public Instances with(Class<?>... configurations) {
        this.configurations.addAll(List.of(configurations));
        return this;
    }

    /** Starts another instance. */
    public ConfigurableApplicationContext start(String... more) {
        Class<?>[] sources =
                Stream.concat(Stream.of(Base.class), configurations.stream()).toArray(Class<?>[]::new);
        ConfigurableApplicationContext context = new SpringApplicationBuilder(sources)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "leader-election.candidate.id=instance-" + (contexts.size() + 1),
                        "leader-election.zookeeper.session-timeout=15s",
                        "leader-election.zookeeper.connection-timeout=5s")
                .properties(properties.toArray(String[]::new))
                .run(Arrays.stream(more).map(property -> "--" + property).toArray(String[]::new));
        contexts.add(context);
        return context;
    }

    public static Election election(ConfigurableApplicationContext context, String name) {
        return context.getBean(Elections.class).get(name);
    }

    public static EventLog log(ConfigurableApplicationContext context) {
        return context.getBean(EventLog.class);
    }

    /** Returns all open contexts that lead the election. */
    public List<ConfigurableApplicationContext> leaders(String name) {
        return contexts.stream()
                .filter(ConfigurableApplicationContext::isActive)
                .filter(context -> election(context, name).isLeader())
                .toList();
    }

    @Override
    public void close() {
        contexts.forEach(ConfigurableApplicationContext::close);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        PropertyPlaceholderAutoConfiguration.class,
        SslAutoConfiguration.class,
        LeaderElectionAutoConfiguration.class
    })
    static class Base {

        @Bean
        EventLog eventLog() {
            return new EventLog();
        }
    }

    /** Records application events as text. */
    public static final class EventLog {

        private final List<String> events = new CopyOnWriteArrayList<>();

        public List<String> events() {
            return List.copyOf(events);
        }

        @EventListener
        void on(ElectionEvent event) {
            events.add("%s %s".formatted(event.getElection().name(), describe(event)));
        }

        private static String describe(ElectionEvent event) {
            if (event instanceof OnGrantedEvent granted) {
                return "granted %d%s"
                        .formatted(
                                granted.getLeadership().term(),
                                event.getElection().isLeader() ? "" : " but not leading");
            } else if (event instanceof OnRevokedEvent revoked) {
                return "revoked %d %s%s"
                        .formatted(
                                revoked.getLeadership().term(),
                                revoked.getReason(),
                                revoked.getLeadership().isValid() ? " but still valid" : "");
            } else if (event instanceof OnLeaderChangedEvent changed) {
                return "leader "
                        + changed.getLeader().map(leader -> leader.id()).orElse("-");
            } else if (event instanceof OnElectionEndedEvent) {
                return "ended";
            } else if (event instanceof OnElectionFailedEvent failed) {
                return "failed " + failed.getCause().getClass().getSimpleName();
            }
            return event.toString();
        }
    }
}
