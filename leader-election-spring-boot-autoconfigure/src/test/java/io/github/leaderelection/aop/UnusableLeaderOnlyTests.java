package io.github.leaderelection.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.LeaderOnly.Otherwise;
import io.github.leaderelection.aop.inherited.PackagePrivateJob;
import io.github.leaderelection.event.ElectionEvent;
import io.github.leaderelection.event.OnElectionEndedEvent;
import io.github.leaderelection.event.OnGrantedEvent;
import io.github.leaderelection.event.OnRevokedEvent;
import io.github.leaderelection.support.MisconfigurationException;
import jakarta.annotation.PostConstruct;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import kotlin.coroutines.Continuation;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.PriorityOrdered;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Mono;

/** What could not be guarded, and so would run everywhere or never, fails the start. */
class UnusableLeaderOnlyTests {

    private static void assertRefused(ApplicationContextRunner application, String method, String... why) {
        application.run(context -> {
            Throwable failure = context.getStartupFailure();
            while (failure != null && !(failure instanceof MisconfigurationException)) {
                failure = failure.getCause();
            }
            assertThat(failure).isInstanceOfSatisfying(MisconfigurationException.class, mistake -> {
                assertThat(mistake.description()).contains(method).contains(why);
                assertThat(mistake.action()).isNotBlank();
            });
        });
    }

    private static void assertRefused(Class<?> bean, String method, String... why) {
        assertRefused(LeaderOnlyApplication.application(bean), bean.getSimpleName() + "." + method + "()", why);
    }

    @Test
    void aPrimitiveResultThatMayBeSkipped() {
        assertRefused(Primitive.class, "count", "returns int", "skipped");
    }

    @Test
    void aBeanThatAPostProcessorNeeds() {
        assertRefused(
                LeaderOnlyApplication.application(NeedsAJobEarly.class),
                "EarlyJob.job()",
                "post-processor",
                "'earlyJob'",
                "guard");
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

    @Test
    void aFinalMethod() {
        assertRefused(FinalMethod.class, "job", "final");
    }

    @Test
    void aPrivateMethod() {
        assertRefused(PrivateMethod.class, "job", "private");
    }

    @Test
    void aPrivateMethodOfASuperclass() {
        LeaderOnlyApplication.application(InheritsPrivateMethod.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("PrivateMethod.job()"));
    }

    @Test
    void aMethodOfASuperclassThatIsVisibleInAnotherPackageOnly() {
        assertRefused(
                LeaderOnlyApplication.application(InheritsFromAnotherPackage.class),
                "PackagePrivateJob.job()",
                "another one",
                "InheritsFromAnotherPackage");
    }

    @Test
    void aSuspendingFunction() {
        assertRefused(Suspending.class, "job", "suspending function");
    }

    @Test
    void aStaticMethod() {
        assertRefused(StaticMethod.class, "job", "static");
    }

    @Test
    void aFinalClass() {
        assertRefused(FinalClass.class, "job", "class is final");
    }

    @Test
    void aFinalClassWithAnInterfaceWhereProxiesAreSubclasses() {
        assertRefused(FinalRunnable.class, "run", "class is final");
        LeaderOnlyApplication.application(FinalRunnable.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aPublicFinalMethodOfAWholeClass() {
        assertRefused(WholeClassWithFinalMethod.class, "job", "final");
    }

    @Test
    void aMethodThatMakesABean() {
        assertRefused(BeanMethod.class, "job", "cannot be put on a @Bean method");
        assertRefused(LiteBeanMethod.class, "job", "cannot be put on a @Bean method");
        assertRefused(StaticBeanMethod.class, "job", "cannot be put on a @Bean method");
        assertRefused(WholeClassWithBeanMethod.class, "job", "cannot be put on a @Bean method");
    }

    @Test
    void aConfigurationClass() {
        assertRefused(
                LeaderOnlyApplication.application(WholeConfiguration.class),
                "$WholeConfiguration makes beans",
                "cannot be put on a @Configuration class");
        assertRefused(
                LeaderOnlyApplication.application(WholeLiteConfiguration.class),
                "$WholeLiteConfiguration makes beans",
                "cannot be put on a @Configuration class");
    }

    @Test
    void aMethodOfAConfigurationClassThatMakesNoBeanIsGuarded() {
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
    void initialisationWhichIsRefusedBeforeItRuns() {
        Initialisation.ran = false;
        assertRefused(PostConstructed.class, "job", "comes before the bean's proxy");
        assertRefused(AfterPropertiesSet.class, "afterPropertiesSet", "comes before the bean's proxy");
        assertThat(Initialisation.ran).isFalse();
    }

    @Test
    void aClassOfWhichAllIsLeaderOnlyIsInitialisedEverywhere() {
        Initialisation.ran = false;
        LeaderOnlyApplication.application(WholeClassWithInitialisation.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(Initialisation.ran).isTrue();
            assertThat(context.getBean(WholeClassWithInitialisation.class).job())
                    .isNull();
        });
    }

    @Test
    void whatIsCalledOnceBeforeAnybodyCanLead() {
        assertRefused(StartupRunner.class, "run", "while the application starts", "never run");
        assertRefused(WholeRunner.class, "run", "while the application starts", "never run");
        assertRefused(WhenSingletonsAreThere.class, "afterSingletonsInstantiated", "while the application starts");
        assertRefused(WhenReady.class, "job", "while the application starts");
        assertRefused(WhenStarted.class, "job", "while the application starts");
    }

    @Test
    void aListenerInterfaceThatIsToldOfTheStart() {
        assertRefused(ListenerOfReady.class, "onApplicationEvent", "while the application starts", "never run");
        assertRefused(WholeListenerOfReady.class, "onApplicationEvent", "while the application starts");
        assertRefused(
                LeaderOnlyApplication.application(InheritsListener.class),
                "GenericListener.onApplicationEvent()",
                "while the application starts");
    }

    @Test
    void whatIsToldWhenLeadershipIsOver() {
        assertRefused(WhenRevoked.class, "job", "when leadership is over", "skipped");
        assertRefused(WhenRevokedOrEnded.class, "job", "when leadership is over");
        assertRefused(WholeListenerOfTheEnd.class, "onApplicationEvent", "when leadership is over");
    }

    @Test
    void whatIsToldOfOtherEventsToo() {
        LeaderOnlyApplication.application(ListenerOfAll.class)
                .run(context -> assertThat(context).hasNotFailed());
        LeaderOnlyApplication.application(WhenGrantedOrRevoked.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void whatIsNotOnlyCalledAtTheStart() {
        LeaderOnlyApplication.application(RunnerWithJobs.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void whatSpringCallsInAWholeClassWithoutBeingPublic() {
        assertRefused(WholeClassWithSchedule.class, "job", "is package-private", "every instance");
        assertRefused(WholeClassWithSchedules.class, "job", "is protected", "every instance");
        assertRefused(WholeClassWithListener.class, "job", "is protected", "every instance");
        assertRefused(WholeClassWithOwnAnnotation.class, "job", "is private", "every instance");
        assertRefused(
                LeaderOnlyApplication.application(InheritsSchedule.class),
                "WholeClassWithSchedule.job()",
                "is package-private");
    }

    @Test
    void whatSpringCallsInAWholeClassMayHaveAnAnnotationOfItsOwn() {
        LeaderOnlyApplication.application(WholeClassWithRuledSchedule.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void anElectionThatThereIsNot() {
        assertRefused(
                LeaderOnlyApplication.application(Unknown.class), "Unknown.job()", "\"refunds\"", "[orders, billing]");
        assertRefused(
                LeaderOnlyApplication.withOneElection(Unknown.class), "Unknown.job()", "\"refunds\"", "only 'orders'");
    }

    @Test
    void noNameWhereThereAreSeveralElectionsOrNone() {
        assertRefused(LeaderOnlyApplication.application(Unnamed.class), "Unnamed.job()", "[orders, billing]");
        assertRefused(LeaderOnlyApplication.withElections(Unnamed.class), "Unnamed.job()", "there is none");
    }

    @Test
    void aPlaceholderThatCannotBeResolved() {
        assertRefused(Unresolvable.class, "job", "${test.unset}");
    }

    @Test
    void aPlaceholderThatResolvesToNothing() {
        assertRefused(
                LeaderOnlyApplication.application(Unresolvable.class).withPropertyValues("test.unset="),
                "Unresolvable.job()",
                "does not name an election");
    }

    @Test
    void anInheritedMethodOfABeanThatIsMadeFromAnAnnotatedInterfaceAlone() {
        assertRefused(LeaderOnlyApplication.application(MadeFromInterface.class), "Plain.job()", "not annotated");
    }

    @Test
    void aLazyBeanIsRefusedWhenItIsMade() {
        LeaderOnlyApplication.application(LazyUnknown.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThatExceptionOfType(BeanCreationException.class)
                    .isThrownBy(() -> context.getBean(Unknown.class))
                    .withRootCauseInstanceOf(MisconfigurationException.class);
        });
    }

    @Test
    void whatThrowsMayReturnAPrimitiveValueAndAClassMayHaveStaticMethods() {
        LeaderOnlyApplication.application(Usable.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class Primitive {
        @LeaderOnly("orders")
        public int count() {
            return 1;
        }
    }

    static class FinalMethod {
        @LeaderOnly("orders")
        public final void job() {}
    }

    static class PrivateMethod {
        @LeaderOnly("orders")
        private void job() {}
    }

    static class InheritsPrivateMethod extends PrivateMethod {}

    static class InheritsFromAnotherPackage extends PackagePrivateJob {}

    static class Suspending {
        @LeaderOnly("orders")
        public Object job(Continuation<String> continuation) {
            return "done";
        }
    }

    static class StaticMethod {
        @LeaderOnly("orders")
        public static void job() {}
    }

    static final class FinalClass {
        @LeaderOnly("orders")
        public void job() {}
    }

    static final class FinalRunnable implements Runnable {
        @Override
        @LeaderOnly("orders")
        public void run() {}
    }

    @LeaderOnly("orders")
    static class WholeClassWithFinalMethod {
        public final void job() {}
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
    static class WholeClassWithRuledSchedule {
        @Scheduled(fixedDelay = 1000)
        @LeaderOnly("billing")
        void job() {}

        @Scheduled(fixedDelay = 1000)
        public void open() {}

        void helper() {}
    }

    static class Unknown {
        @LeaderOnly("refunds")
        public void job() {}
    }

    static class Unnamed {
        @LeaderOnly
        public void job() {}
    }

    static class Unresolvable {
        @LeaderOnly("${test.unset}")
        public void job() {}
    }

    interface Plain {
        void job();
    }

    @LeaderOnly("orders")
    interface Annotated extends Plain {}

    @Configuration(proxyBeanMethods = false)
    static class MadeFromInterface {
        @Bean
        Annotated annotated() {
            return ProxyFactory.getProxy(Annotated.class, (MethodInterceptor) invocation -> null);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyUnknown {
        @Bean
        @Lazy
        Unknown unknown() {
            return new Unknown();
        }
    }

    @LeaderOnly(value = "orders", otherwise = Otherwise.THROW)
    static class Usable {

        static void helper() {}

        public static int answer() {
            return 42;
        }

        public int count() {
            return 1;
        }

        @LeaderOnly("orders")
        public Mono<Void> reactive() {
            return Mono.empty();
        }
    }
}
