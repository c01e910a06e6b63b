package io.github.leaderelection.benchmarks.jmh;

import io.github.leaderelection.Election;
import io.github.leaderelection.LeaderOnly;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A call of a {@code @LeaderOnly} method on the leader, and of the same method without the annotation. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LeaderOnlyCall {

    @SuppressWarnings("NullAway.Init")
    private ConfigurableApplicationContext application;

    private final Plain plain = new Plain();

    @SuppressWarnings("NullAway.Init")
    private Guarded guarded;

    /** An application with one election. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    public static class Application {
        @Bean
        Guarded guarded() {
            return new Guarded();
        }
    }

    /** Not guarded. */
    public static class Plain {
        public @Nullable String call() {
            return "done";
        }
    }

    /** Guarded. */
    public static class Guarded {
        @LeaderOnly
        public @Nullable String call() {
            return "done";
        }
    }

    @Setup
    public void start() throws InterruptedException {
        var spring = new SpringApplication(Application.class);
        spring.setDefaultProperties(Map.of(
                "leader-election.zookeeper.connect-string",
                System.getProperty(IsLeader.ADDRESS),
                "leader-election.elections.calls.path",
                "/jmh/calls",
                "spring.main.banner-mode",
                "off"));
        application = spring.run();
        if (!application.getBean(Election.class).awaitLeadership(Duration.ofSeconds(60))) {
            throw new IllegalStateException("Does not lead");
        }
        guarded = application.getBean(Guarded.class);
    }

    @Benchmark
    public @Nullable String plain() {
        return plain.call();
    }

    @Benchmark
    public @Nullable String guarded() {
        return guarded.call();
    }

    @TearDown
    public void stop() {
        application.close();
    }
}
