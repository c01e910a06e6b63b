package io.github.leaderelection.aop;

import static io.github.leaderelection.aop.LeaderOnlyApplication.assertRejected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.support.MisconfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.PriorityOrdered;

@ExtendWith(OutputCaptureExtension.class)
class LeaderOnlyPostProcessorTests {

    @Test
    void scansEachClassOnce() {
        LeaderOnlyPostProcessor postProcessor = new LeaderOnlyPostProcessor();
        assertThat(postProcessor.methodsOf(EarlyJob.class))
                .hasSize(1)
                .isSameAs(postProcessor.methodsOf(EarlyJob.class));
    }

    @Test
    void rejectsBeansThatPostProcessorsDependOn() {
        assertRejected(
                LeaderOnlyApplication.application(NeedsAJobEarly.class),
                "EarlyJob.job()",
                "post-processor",
                "'earlyJob'",
                "proxy");
    }

    @Test
    void rejectsLazyBeansWhenTheyAreCreated() {
        LeaderOnlyApplication.application(LazyUnknown.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThatExceptionOfType(BeanCreationException.class)
                    .isThrownBy(() -> context.getBean(Unknown.class))
                    .withRootCauseInstanceOf(MisconfigurationException.class);
        });
    }

    @Test
    void warnsOfObjectsThatAreNotProcessed(CapturedOutput output) {
        LeaderOnlyApplication.application()
                .withInitializer(context -> context.getBeanFactory().registerSingleton("job", new EarlyJob()))
                .run(context ->
                        assertThat(output).contains("WARN", "EarlyJob.job()", "'job'", "registerSingleton", "@Bean"));
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsAJobEarly {

        @Bean
        static EarlyJob earlyJob() {
            return new EarlyJob();
        }

        @Bean
        static NeedsJob needsJob(EarlyJob job) {
            return new NeedsJob(job);
        }

        @Bean
        static Early early(NeedsJob needs) {
            return new Early(needs);
        }
    }

    record NeedsJob(EarlyJob job) {}

    record Early(NeedsJob needs) implements BeanPostProcessor, PriorityOrdered {
        @Override
        public int getOrder() {
            return 0;
        }
    }

    static class EarlyJob {
        @LeaderOnly("orders")
        void job() {}
    }

    static class Unknown {
        @LeaderOnly("refunds")
        public void job() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyUnknown {
        @Bean
        @Lazy
        Unknown unknown() {
            return new Unknown();
        }
    }
}
