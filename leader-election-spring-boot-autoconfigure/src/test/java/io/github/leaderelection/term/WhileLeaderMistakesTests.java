package io.github.leaderelection.term;

import static io.github.leaderelection.term.TermApplication.application;
import static io.github.leaderelection.term.TermApplication.assertRejected;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.WhileLeader;
import io.github.leaderelection.WhileLeader.Then;
import io.github.leaderelection.test.TestElection;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;

class WhileLeaderMistakesTests {

    @Test
    void anUnknownElection() {
        assertRejected(application(Unknown.class), "Unknown.run()", "\"refunds\"", "there is only 'orders'");
    }

    @Test
    void anUnknownElectionOfABean() {
        assertRejected(application(UnknownBean.class), "bean", "@WhileLeader(\"refunds\")");
    }

    @Test
    void noNameAlthoughThereAreSeveralElections() {
        assertRejected(
                application(Unnamed.class, Billing.class),
                "Unnamed.run()",
                "does not name an election",
                "orders",
                "billing");
    }

    @Test
    void anUnresolvablePlaceholder() {
        assertRejected(application(Placeholder.class), "Placeholder.run()", "${nothing}");
    }

    @Test
    void aPrivateMethod() {
        assertRejected(application(Private.class), "Private.run()", "private");
    }

    @Test
    void aStaticMethod() {
        assertRejected(application(Static.class), "Static.run()", "static");
    }

    @Test
    void aFinalMethod() {
        assertRejected(application(Final.class), "Final.run()", "final");
    }

    @Test
    void parametersThatDoNotFit() {
        assertRejected(application(WrongParameter.class), "WrongParameter.run()", "parameters");
        assertRejected(application(TwoParameters.class), "TwoParameters.run()", "parameters");
    }

    @Test
    void aResult() {
        assertRejected(application(WithResult.class), "WithResult.run()", "returns String");
    }

    @Test
    void aClassThatIsNoLifecycle() {
        assertRejected(application(NoLifecycle.class), "NoLifecycle", "Lifecycle");
    }

    @Test
    void aBeanMethodWhoseBeanIsNoLifecycle() {
        assertRejected(application(NoLifecycleBean.class), "bean 'text'", "Lifecycle");
    }

    @Test
    void aBeanThatInsistsOnStartingByItself() {
        assertRejected(application(Insisting.class), "Insisting", "starts with the application");
    }

    @Test
    void leaderOnlyAndWhileLeaderOnOneMethod() {
        assertRejected(application(Both.class), "Both.run()", "@LeaderOnly");
    }

    @Test
    void aScheduledMethod() {
        assertRejected(application(OnSchedule.class), "OnSchedule.run()", "@Scheduled");
    }

    @Test
    void aMethodOfAnAsynchronousClass() {
        assertRejected(application(AsyncClass.class), "AsyncClass.run()", "class is @Async");
    }

    @Test
    void aBeanThatStartsItself() {
        assertRejected(
                application(StartsItself.class), "StartsItself' is @WhileLeader", "started with the application");
    }

    @Test
    void aBeanThatIsStartedByAnotherThatDependsOnIt() {
        assertRejected(application(Dependency.class), "'consumer' is @WhileLeader", "a bean that starts");
    }

    @Test
    void aBeanThatIsNoSingleton() {
        assertRejected(application(Prototype.class), "Prototype.run()", "not a singleton");
    }

    @Test
    void steppingDownAfterSomethingThatDoesNotReturn() {
        assertRejected(application(EndlessLifecycle.class), "EndlessLifecycle", "STEP_DOWN");
    }

    static class Unknown {
        @WhileLeader("refunds")
        public void run() {}
    }

    @WhileLeader("refunds")
    static class UnknownBean extends RecordedLifecycle {}

    static class Unnamed {
        @WhileLeader
        public void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Billing {
        @Bean
        TestElection billingElection() {
            return new TestElection("billing");
        }
    }

    static class Placeholder {
        @WhileLeader("${nothing}")
        public void run() {}
    }

    static class Private {
        @WhileLeader("orders")
        private void run() {}
    }

    static class Static {
        @WhileLeader("orders")
        public static void run() {}
    }

    static class Final {
        @WhileLeader("orders")
        public final void run() {}
    }

    static class WrongParameter {
        @WhileLeader("orders")
        public void run(String text) {}
    }

    static class TwoParameters {
        @WhileLeader("orders")
        public void run(Leadership term, Leadership other) {}
    }

    static class WithResult {
        @WhileLeader("orders")
        public String run() {
            return "done";
        }
    }

    @WhileLeader("orders")
    static class NoLifecycle {}

    @Configuration(proxyBeanMethods = false)
    static class NoLifecycleBean {
        @Bean
        @WhileLeader("orders")
        String text() {
            return "text";
        }
    }

    @WhileLeader("orders")
    static class Insisting extends RecordedLifecycle {
        @Override
        public boolean isAutoStartup() {
            return true;
        }
    }

    static class Both {
        @LeaderOnly("orders")
        @WhileLeader("orders")
        public void run() {}
    }

    static class OnSchedule {
        @Scheduled(fixedDelay = 1)
        @WhileLeader("orders")
        public void run() {}
    }

    @Scope("prototype")
    static class Prototype {
        @WhileLeader("orders")
        public void run() {}
    }

    @WhileLeader(value = "orders", then = Then.STEP_DOWN)
    static class EndlessLifecycle extends RecordedLifecycle {}

    @Async
    static class AsyncClass {
        @WhileLeader("orders")
        public void run() {}
    }

    @WhileLeader("orders")
    static class StartsItself extends RecordedLifecycle implements InitializingBean {
        @Override
        public void afterPropertiesSet() {
            start();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Dependency {

        private final RecordedLifecycle recorded = new RecordedLifecycle();

        @Bean
        @WhileLeader("orders")
        Lifecycle consumer() {
            return new Lifecycle() {
                @Override
                public void start() {
                    recorded.start();
                }

                @Override
                public void stop() {
                    recorded.stop();
                }

                @Override
                public boolean isRunning() {
                    return recorded.isRunning();
                }
            };
        }

        @Bean
        RecordedLifecycle dependent(Lifecycle consumer) {
            return new RecordedLifecycle();
        }
    }
}
