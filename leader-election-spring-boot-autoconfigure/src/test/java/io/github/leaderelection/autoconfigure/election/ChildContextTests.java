package io.github.leaderelection.autoconfigure.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.Role;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.autoconfigure.LeaderElectionDisabledAutoConfiguration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A parent and a child context with auto-configuration: the child uses the elections of its parent. */
class ChildContextTests {

    private ConfigurableApplicationContext child;
    private ConfigurableApplicationContext parent;

    @BeforeEach
    void start() {
        child = new SpringApplicationBuilder(Parent.class)
                .web(WebApplicationType.NONE)
                .child(Child.class)
                .web(WebApplicationType.NONE)
                .run("--leader-election.mode=local", "--leader-election.elections.orders=");
        parent = (ConfigurableApplicationContext) child.getParent();
    }

    @AfterEach
    void stop() {
        child.close();
        parent.close();
    }

    @Test
    void leaderOnlyMethodsOfChildAreGuarded() {
        Job job = child.getBean(Job.class);
        job.run();
        assertThat(job.runs()).isEqualTo(1);
        parent.getBean(Elections.class).get("orders").withdraw();
        job.run();
        assertThat(job.runs()).isEqualTo(1);
    }

    @Test
    void childUsesElectionOfParent() {
        Election election = parent.getBean(Elections.class).get("orders");
        assertThat(child.getBean(Elections.class).all()).containsExactly(election);
        assertThat(child.getBean(Election.class)).isSameAs(election);
        assertThat(child.getBean(Job.class).election()).isSameAs(election);
    }

    @Test
    void closingChildDoesNotCloseElection() {
        child.close();
        assertThat(parent.getBean(Elections.class).get("orders").role()).isEqualTo(Role.LEADER);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        LeaderElectionAutoConfiguration.class,
        LeaderElectionDisabledAutoConfiguration.class,
    })
    static class Parent {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        LeaderElectionAutoConfiguration.class,
        LeaderElectionDisabledAutoConfiguration.class,
    })
    static class Child {

        @Bean
        Job job(@Qualifier("orders") Election election) {
            return new Job(election);
        }
    }

    static class Job {

        private final Election election;
        private final AtomicInteger runs = new AtomicInteger();

        Job(Election election) {
            this.election = election;
        }

        @LeaderOnly("orders")
        public void run() {
            runs.incrementAndGet();
        }

        public int runs() {
            return runs.get();
        }

        public Election election() {
            return election;
        }
    }
}
