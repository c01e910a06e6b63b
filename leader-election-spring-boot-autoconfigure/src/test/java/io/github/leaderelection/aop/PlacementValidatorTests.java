package io.github.leaderelection.aop;

import static io.github.leaderelection.aop.LeaderOnlyApplication.assertRejected;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.LeaderOnly.Otherwise;
import io.github.leaderelection.event.ElectionEvent;
import io.github.leaderelection.event.OnElectionEndedEvent;
import io.github.leaderelection.event.OnGrantedEvent;
import io.github.leaderelection.event.OnRevokedEvent;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.ContextStoppedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;

class PlacementValidatorTests {

    @Test
    void rejectsBeanMethods() {
        assertRejected(BeanMethod.class, "job", "not supported on @Bean methods");
        assertRejected(LiteBeanMethod.class, "job", "not supported on @Bean methods");
        assertRejected(StaticBeanMethod.class, "job", "not supported on @Bean methods");
        assertRejected(WholeClassWithBeanMethod.class, "job", "not supported on @Bean methods");
    }

    @Test
    void rejectsConfigurationClasses() {
        assertRejected(
                LeaderOnlyApplication.application(WholeConfiguration.class),
                "beans of " + WholeConfiguration.class.getName(),
                "not supported on @Configuration classes");
        assertRejected(
                LeaderOnlyApplication.application(WholeLiteConfiguration.class),
                "beans of " + WholeLiteConfiguration.class.getName(),
                "not supported on @Configuration classes");
    }

    @Test
    void guardsOtherMethodsOfConfigurationClasses() {
        LeaderOnlyApplication.application(ConfigurationWithJobs.class).run(context -> {
            ConfigurationWithJobs jobs = context.getBean(ConfigurationWithJobs.class);
            assertThat(jobs.work()).isNull();
            assertThat(jobs.hidden()).isNull();
            LeaderOnlyApplication.orders(context).grant();
            assertThat(jobs.work()).isEqualTo("done");
            assertThat(jobs.hidden()).isEqualTo("done");
        });
    }

    @Test
    void rejectsInitialisationMethodsBeforeTheyRun() {
        Initialisation.ran = false;
        assertRejected(PostConstructed.class, "job", "before the bean has a proxy");
        assertRejected(AfterPropertiesSet.class, "afterPropertiesSet", "before the bean has a proxy");
        assertThat(Initialisation.ran).isFalse();
    }

    @Test
    void initialisesAnnotatedClassesOnEveryInstance() {
        Initialisation.ran = false;
        LeaderOnlyApplication.application(WholeClassWithInitialisation.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(Initialisation.ran).isTrue();
            assertThat(context.getBean(WholeClassWithInitialisation.class).job())
                    .isNull();
        });
    }

    @Test
    void rejectsCallbacksThatAreCalledOnlyAtStartup() {
        assertRejected(StartupRunner.class, "run", "while the application starts", "never run");
        assertRejected(WholeRunner.class, "run", "while the application starts", "never run");
        assertRejected(WhenSingletonsAreThere.class, "afterSingletonsInstantiated", "while the application starts");
        assertRejected(WhenReady.class, "job", "while the application starts");
        assertRejected(WhenStarted.class, "job", "while the application starts");
    }

    @Test
    void rejectsApplicationListenersOfStartupEvents() {
        assertRejected(ListenerOfReady.class, "onApplicationEvent", "while the application starts", "never run");
        assertRejected(WholeListenerOfReady.class, "onApplicationEvent", "while the application starts");
        assertRejected(
                LeaderOnlyApplication.application(InheritsListener.class),
                "GenericListener.onApplicationEvent()",
                "while the application starts");
    }

    @Test
    void rejectsDestructionMethods() {
        assertRejected(PreDestroyed.class, "job", "when the bean is destroyed", "every instance");
        assertRejected(Disposable.class, "destroy", "when the bean is destroyed", "every instance");
        assertRejected(Closeable.class, "close", "when the bean is destroyed", "every instance");
    }

    @Test
    void rejectsLifecycleMethods() {
        assertRejected(Started.class, "start", "when the application starts or stops");
        assertRejected(Stopped.class, "stop", "when the application starts or stops");
        assertRejected(Running.class, "isRunning", "when the application starts or stops");
        assertRejected(StoppedWithCallback.class, "stop", "when the application starts or stops");
    }

    @Test
    void rejectsListenersThatAreCalledOnlyAtShutdown() {
        assertRejected(WhenClosed.class, "job", "when the application stops");
        assertRejected(WhenStopped.class, "job", "when the application stops");
        assertRejected(WholeListenerOfClosed.class, "onApplicationEvent", "when the application stops");
    }

    @Test
    void startsStopsAndDestroysAnnotatedClassesOnEveryInstance() {
        List<String> calls = new ArrayList<>();
        LeaderOnlyApplication.application()
                .withBean(WholeLifecycle.class, () -> new WholeLifecycle(calls))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    WholeLifecycle bean = context.getBean(WholeLifecycle.class);
                    assertThat(bean.isRunning()).isTrue();
                    assertThat(bean.job()).isNull();
                });
        assertThat(calls).containsExactly("start", "stop", "prepare to go", "destroy");
    }

    @Test
    void rejectsListenersThatAreCalledOnlyAfterLeadership() {
        assertRejected(WhenRevoked.class, "job", "when leadership is over", "skipped");
        assertRejected(WhenRevokedOrEnded.class, "job", "when leadership is over");
        assertRejected(WholeListenerOfTheEnd.class, "onApplicationEvent", "when leadership is over");
    }

    @Test
    void acceptsListenersOfOtherEvents() {
        LeaderOnlyApplication.application(ListenerOfAll.class)
                .run(context -> assertThat(context).hasNotFailed());
        LeaderOnlyApplication.application(WhenGrantedOrRevoked.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void acceptsMethodsThatAreNotCalledOnlyAtStartup() {
        LeaderOnlyApplication.application(RunnerWithJobs.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void rejectsNonPublicCallbacksOfAnnotatedClasses() {
        assertRejected(WholeClassWithSchedule.class, "job", "is package-private", "every instance");
        assertRejected(WholeClassWithSchedules.class, "job", "is protected", "every instance");
        assertRejected(WholeClassWithListener.class, "job", "is protected", "every instance");
        assertRejected(WholeClassWithOwnAnnotation.class, "job", "is private", "every instance");
        assertRejected(
                LeaderOnlyApplication.application(InheritsSchedule.class),
                "WholeClassWithSchedule.job()",
                "is package-private");
    }

    @Test
    void acceptsNonPublicCallbacksWithTheirOwnAnnotation() {
        LeaderOnlyApplication.application(WholeClassWithAnnotatedSchedule.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Configuration
    static class BeanMethod {
        @Bean
        @LeaderOnly("orders")
        Object job() {
            return new Object();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LiteBeanMethod {
        @Bean
        @LeaderOnly("orders")
        Object job() {
            return new Object();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class StaticBeanMethod {
        @Bean
        @LeaderOnly("orders")
        static Object job() {
            return new Object();
        }
    }

    @LeaderOnly("orders")
    static class WholeClassWithBeanMethod {
        @Bean
        public Object job() {
            return new Object();
        }
    }

    @Configuration
    @LeaderOnly("orders")
    static class WholeConfiguration {
        @Bean
        Object job() {
            return new Object();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @LeaderOnly("orders")
    static class WholeLiteConfiguration {
        @Bean
        Object job() {
            return new Object();
        }
    }

    @Configuration
    static class ConfigurationWithJobs {
        @LeaderOnly("orders")
        public String work() {
            return "done";
        }

        @LeaderOnly("orders")
        protected String hidden() {
            return "done";
        }
    }

    static final class Initialisation {
        static boolean ran;
    }

    static class PostConstructed {
        @PostConstruct
        @LeaderOnly("orders")
        void job() {
            Initialisation.ran = true;
        }
    }

    static class AfterPropertiesSet implements InitializingBean {
        @Override
        @LeaderOnly("orders")
        public void afterPropertiesSet() {
            Initialisation.ran = true;
        }
    }

    @LeaderOnly("orders")
    static class WholeClassWithInitialisation {
        @PostConstruct
        public void prepare() {
            Initialisation.ran = true;
        }

        public String job() {
            return "done";
        }
    }

    static class PreDestroyed {
        @PreDestroy
        @LeaderOnly("orders")
        void job() {}
    }

    static class Disposable implements DisposableBean {
        @Override
        @LeaderOnly("orders")
        public void destroy() {}
    }

    static class Closeable implements AutoCloseable {
        @Override
        @LeaderOnly("orders")
        public void close() {}
    }

    static class Service implements SmartLifecycle {

        private boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }

    static class Started extends Service {
        @Override
        @LeaderOnly("orders")
        public void start() {}
    }

    static class Stopped extends Service {
        @Override
        @LeaderOnly("orders")
        public void stop() {}
    }

    static class Running extends Service {
        @Override
        @LeaderOnly(value = "orders", otherwise = Otherwise.THROW)
        public boolean isRunning() {
            return true;
        }
    }

    static class StoppedWithCallback extends Service {
        @Override
        @LeaderOnly("orders")
        public void stop(Runnable callback) {
            callback.run();
        }
    }

    static class WhenClosed {
        @EventListener(ContextClosedEvent.class)
        @LeaderOnly("orders")
        public void job() {}
    }

    static class WhenStopped {
        @EventListener
        @LeaderOnly("orders")
        public void job(ContextStoppedEvent event) {}
    }

    @LeaderOnly("orders")
    static class WholeListenerOfClosed implements ApplicationListener<ContextClosedEvent> {
        @Override
        public void onApplicationEvent(ContextClosedEvent event) {}
    }

    @LeaderOnly("orders")
    static class WholeLifecycle implements Lifecycle, DisposableBean {

        private final List<String> calls;
        private boolean running;

        WholeLifecycle(List<String> calls) {
            this.calls = calls;
        }

        @PostConstruct
        public void autoStart() {
            start();
        }

        @Override
        public void start() {
            calls.add("start");
            running = true;
        }

        @Override
        public void stop() {
            calls.add("stop");
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @PreDestroy
        public void prepare() {
            calls.add("prepare to go");
        }

        @Override
        public void destroy() {
            calls.add("destroy");
        }

        public String job() {
            return "done";
        }
    }

    static class StartupRunner implements CommandLineRunner {
        @Override
        @LeaderOnly("orders")
        public void run(String... args) {}
    }

    @LeaderOnly("orders")
    static class WholeRunner implements ApplicationRunner {
        @Override
        public void run(ApplicationArguments args) {}
    }

    static class WhenSingletonsAreThere implements SmartInitializingSingleton {
        @Override
        @LeaderOnly("orders")
        public void afterSingletonsInstantiated() {}
    }

    static class WhenReady {
        @EventListener(ApplicationReadyEvent.class)
        @LeaderOnly("orders")
        public void job() {}
    }

    static class WhenStarted {
        @EventListener
        @LeaderOnly("orders")
        public void job(ApplicationStartedEvent event) {}
    }

    static class ListenerOfReady implements ApplicationListener<ApplicationReadyEvent> {
        @Override
        @LeaderOnly("orders")
        public void onApplicationEvent(ApplicationReadyEvent event) {}
    }

    @LeaderOnly("orders")
    static class WholeListenerOfReady implements ApplicationListener<ApplicationReadyEvent> {
        @Override
        public void onApplicationEvent(ApplicationReadyEvent event) {}
    }

    abstract static class GenericListener<E extends ApplicationEvent> implements ApplicationListener<E> {
        @Override
        @LeaderOnly("orders")
        public void onApplicationEvent(E event) {}
    }

    static class InheritsListener extends GenericListener<ContextRefreshedEvent> {}

    static class WhenRevoked {
        @EventListener
        @LeaderOnly("orders")
        public void job(OnRevokedEvent event) {}
    }

    static class WhenRevokedOrEnded {
        @EventListener({OnRevokedEvent.class, OnElectionEndedEvent.class})
        @LeaderOnly(value = "orders", otherwise = Otherwise.THROW)
        public void job() {}
    }

    @LeaderOnly("orders")
    static class WholeListenerOfTheEnd implements ApplicationListener<OnElectionEndedEvent> {
        @Override
        public void onApplicationEvent(OnElectionEndedEvent event) {}
    }

    static class ListenerOfAll implements ApplicationListener<ElectionEvent> {
        @Override
        @LeaderOnly("orders")
        public void onApplicationEvent(ElectionEvent event) {}
    }

    static class WhenGrantedOrRevoked {
        @EventListener({OnGrantedEvent.class, OnRevokedEvent.class})
        @LeaderOnly("orders")
        public void job() {}
    }

    static class RunnerWithJobs implements CommandLineRunner {
        @Override
        public void run(String... args) {}

        @LeaderOnly("orders")
        public void run() {}

        @EventListener({ApplicationReadyEvent.class, OnGrantedEvent.class})
        @LeaderOnly("orders")
        public void readyOrGranted() {}

        @Scheduled(fixedDelay = 1000)
        @Scheduled(cron = "0 0 4 * * *")
        @EventListener(ApplicationReadyEvent.class)
        @LeaderOnly("orders")
        public void readyOrDue() {}

        @EventListener
        @LeaderOnly("orders")
        public void any(ApplicationEvent event) {}
    }

    @LeaderOnly("orders")
    static class WholeClassWithSchedule {
        @Scheduled(fixedDelay = 1000)
        void job() {}
    }

    static class InheritsSchedule extends WholeClassWithSchedule {}

    @LeaderOnly("orders")
    static class WholeClassWithSchedules {
        @Scheduled(fixedDelay = 1000)
        @Scheduled(fixedDelay = 2000)
        protected void job() {}
    }

    @LeaderOnly("orders")
    static class WholeClassWithListener {
        @EventListener
        protected void job(OnGrantedEvent event) {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Scheduled(fixedDelay = 1000)
    @interface EverySecond {}

    @LeaderOnly("orders")
    static class WholeClassWithOwnAnnotation {
        @EverySecond
        private void job() {}
    }

    @LeaderOnly("orders")
    static class WholeClassWithAnnotatedSchedule {
        @Scheduled(fixedDelay = 1000)
        @LeaderOnly("billing")
        void job() {}

        @Scheduled(fixedDelay = 1000)
        public void open() {}

        void helper() {}
    }
}
