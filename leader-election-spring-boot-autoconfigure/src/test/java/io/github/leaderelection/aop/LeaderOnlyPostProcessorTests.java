package io.github.leaderelection.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.LeaderOnly;
import org.junit.jupiter.api.Test;

class LeaderOnlyPostProcessorTests {

    @Test
    void aClassIsLookedThroughOnceForAllOfItsBeans() {
        LeaderOnlyPostProcessor postProcessor = new LeaderOnlyPostProcessor();
        assertThat(postProcessor.rules(Job.class)).hasSize(1).isSameAs(postProcessor.rules(Job.class));
    }

    static class Job {
        @LeaderOnly("orders")
        public void run() {}
    }
}
