package io.github.leaderelection.aop;

import static io.github.leaderelection.aop.LeaderOnlyApplication.billing;
import static io.github.leaderelection.aop.LeaderOnlyApplication.orders;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.LeaderOnly.Otherwise;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.NotLeaderException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.test.TestElection;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.annotation.AliasFor;

/** Which calls are guarded, and what calls return that are not admitted. */
class LeaderOnlyTests {

    /** Calls once without and once with leadership of "orders". Only the second call may run. */
    private static void assertGuarded(AssertableApplicationContext context, IntSupplier calls, Runnable call) {
        TestElection orders = orders(context);
        call.run();
        assertThat(calls.getAsInt()).isZero();
        orders.grant();
        call.run();
        assertThat(calls.getAsInt()).isOne();
        orders.revoke(RevocationReason.CONNECTION_LOST);
        call.run();
        assertThat(calls.getAsInt()).isOne();
    }

    @Test
    void methodRunsOnlyOnLeader() {
        LeaderOnlyApplication.application(Methods.class).run(context -> {
            Methods bean = context.getBean(Methods.class);
            assertGuarded(context, bean::calls, bean::job);
        });
    }

    @Test
    void electionOfTheApplicationGuardsToo() {
        Leadership term = mock(Leadership.class);
        when(term.isValid()).thenReturn(true);
        Election own = mock(Election.class);
        when(own.name()).thenReturn("orders");
        when(own.role()).thenReturn(Role.OBSERVER);
        when(own.leadership()).thenReturn(Optional.empty());
        LeaderOnlyApplication.withElections(Methods.class)
                .withBean("ordersElection", Election.class, () -> own)
                .run(context -> {
                    Methods bean = context.getBean(Methods.class);
                    bean.job();
                    assertThat(bean.calls()).isZero();
                    when(own.leadership()).thenReturn(Optional.of(term));
                    bean.job();
                    assertThat(bean.calls()).isOne();
                });
    }

    @Test
    void otherMethodsRunOnEveryInstance() {
        LeaderOnlyApplication.application(Methods.class).run(context -> {
            context.getBean(Methods.class).everywhere();
            assertThat(context.getBean(Methods.class).calls()).isOne();
        });
    }

    @Test
    void nonPublicMethodsAreGuarded() {
        LeaderOnlyApplication.application(Methods.class).run(context -> {
            Methods bean = context.getBean(Methods.class);
            assertGuarded(context, bean::calls, bean::packagePrivate);
        });
        LeaderOnlyApplication.application(Methods.class).run(context -> {
            Methods bean = context.getBean(Methods.class);
            assertGuarded(context, bean::calls, bean::protectedMethod);
        });
    }

    @Test
    void annotationOfClassAppliesToPublicMethods() {
        LeaderOnlyApplication.application(WholeClass.class).run(context -> {
            WholeClass bean = context.getBean(WholeClass.class);
            assertGuarded(context, bean::calls, bean::job);
            bean.notPublic();
            assertThat(bean.calls()).isEqualTo(2);
            assertThat(bean).hasToString("a whole class");
        });
    }

    @Test
    void annotationOfMethodTakesPrecedence() {
        LeaderOnlyApplication.application(WholeClass.class).run(context -> {
            WholeClass bean = context.getBean(WholeClass.class);
            orders(context).grant();
            assertThatExceptionOfType(NotLeaderException.class).isThrownBy(bean::ofBilling);
            billing(context).grant();
            bean.ofBilling();
            assertThat(bean.calls()).isOne();
        });
    }

    @Test
    void annotationsAreInheritedFromTheSuperclass() {
        LeaderOnlyApplication.application(Subclass.class).run(context -> {
            Subclass bean = context.getBean(Subclass.class);
            assertGuarded(context, bean::calls, bean::job);
        });
        LeaderOnlyApplication.application(OverridingSubclass.class).run(context -> {
            OverridingSubclass bean = context.getBean(OverridingSubclass.class);
            assertGuarded(context, bean::calls, bean::job);
        });
        LeaderOnlyApplication.application(SubclassOfWholeClass.class).run(context -> {
            SubclassOfWholeClass bean = context.getBean(SubclassOfWholeClass.class);
            assertGuarded(context, bean::calls, bean::added);
        });
    }

    @Test
    void annotationsAreInheritedFromInterfaces() {
        LeaderOnlyApplication.application(Worker.class).run(context -> {
            Worker bean = context.getBean(Worker.class);
            assertGuarded(context, bean::calls, bean::work);
        });
        LeaderOnlyApplication.application(Worker.class).run(context -> {
            Worker bean = context.getBean(Worker.class);
            assertGuarded(context, bean::calls, bean::byDefault);
        });
        LeaderOnlyApplication.application(GuardedByInterface.class).run(context -> {
            GuardedByInterface bean = context.getBean(GuardedByInterface.class);
            assertGuarded(context, bean::calls, bean::run);
        });
    }

    @Test
    void supportsMetaAnnotations() {
        LeaderOnlyApplication.application(MetaAnnotated.class).run(context -> {
            MetaAnnotated bean = context.getBean(MetaAnnotated.class);
            assertGuarded(context, bean::calls, bean::job);
        });
    }

    @Test
    void metaAnnotationsMayOverrideAttributes() {
        LeaderOnlyApplication.application(MetaAnnotated.class).run(context -> {
            MetaAnnotated bean = context.getBean(MetaAnnotated.class);
            orders(context).grant();
            assertThatExceptionOfType(NotLeaderException.class).isThrownBy(bean::ofBilling);
            billing(context).grant();
            bean.ofBilling();
            assertThat(bean.calls()).isOne();
        });
    }

    @Test
    void blankNameRefersToOnlyElection() {
        LeaderOnlyApplication.withOneElection(Unnamed.class).run(context -> {
            Unnamed bean = context.getBean(Unnamed.class);
            assertGuarded(context, bean::calls, bean::job);
        });
    }

    @Test
    void blankNameRefersToOnlyElectionAtStartup() {
        LeaderOnlyApplication.withOneElection(Unnamed.class).run(context -> {
            Unnamed bean = context.getBean(Unnamed.class);
            context.getBean(Elections.class).open("shard-7");
            assertGuarded(context, bean::calls, bean::job);
        });
    }

    @Test
    void reopenedElectionGuards() {
        LeaderOnlyApplication.withElections(OfShard.class).run(context -> {
            Elections elections = context.getBean(Elections.class);
            Election shard = elections.open("shard-7");
            Shard bean = context.getBean(Shard.class);
            shard.nominate();
            bean.job();
            assertThat(bean.calls()).isOne();
            shard.close();
            bean.job();
            assertThat(bean.calls()).isOne();

            elections.open("shard-7").nominate();
            bean.job();
            assertThat(bean.calls()).isEqualTo(2);
        });
    }

    @Test
    void invocationMonitorIsLookedUpAtStartup() {
        LeaderOnlyApplication.withOneElection(Unnamed.class, Monitored.class).run(context -> {
            assertThat(context.getBeanFactory().containsSingleton("monitor")).isTrue();
        });
    }

    @Test
    void placeholdersAreResolved() {
        LeaderOnlyApplication.application(Placeholders.class)
                .withPropertyValues("test.election=orders")
                .run(context -> {
                    Placeholders bean = context.getBean(Placeholders.class);
                    assertGuarded(context, bean::calls, bean::job);
                });
        LeaderOnlyApplication.application(Placeholders.class)
                .withPropertyValues("test.election=orders")
                .run(context -> {
                    Placeholders bean = context.getBean(Placeholders.class);
                    assertGuarded(context, bean::calls, bean::byDefault);
                });
    }

    @Test
    void skippedCallsReturnEmptyValueOrNull() {
        LeaderOnlyApplication.application(Results.class).run(context -> {
            Results results = context.getBean(Results.class);
            assertThat(results.optional()).isEmpty();
            assertThat(results.optionalInt()).isEmpty();
            assertThat(results.optionalLong()).isEmpty();
            assertThat(results.optionalDouble()).isEmpty();
            assertThat(results.stage().toCompletableFuture()).isCompletedWithValue(null);
            assertThat(results.completableFuture()).isCompletedWithValue(null);
            assertThat(results.future()).succeedsWithin(0, TimeUnit.SECONDS).isNull();
            assertThat(results.object()).isNull();
            assertThat(results.wrapper()).isNull();
            assertThat(results.array()).isNull();
        });
    }

    @Test
    void admittedCallsReturnResultOfMethod() {
        LeaderOnlyApplication.application(Results.class).run(context -> {
            Results results = context.getBean(Results.class);
            orders(context).grant();
            assertThat(results.optional()).contains("done");
            assertThat(results.optionalInt()).hasValue(1);
            assertThat(results.optionalLong()).hasValue(2);
            assertThat(results.optionalDouble()).hasValue(3);
            assertThat(results.stage().toCompletableFuture()).isCompletedWithValue("done");
            assertThat(results.completableFuture()).isCompletedWithValue("done");
            assertThat(results.future().get()).isEqualTo("done");
            assertThat(results.object()).isEqualTo("done");
            assertThat(results.wrapper()).isEqualTo(4);
            assertThat(results.array()).containsExactly(5);
        });
    }

    @Test
    void rejectedCallsThrow() {
        LeaderOnlyApplication.application(Throwing.class).run(context -> {
            Throwing bean = context.getBean(Throwing.class);
            assertThatExceptionOfType(NotLeaderException.class)
                    .isThrownBy(bean::primitive)
                    .withMessageContaining("Throwing.primitive()")
                    .withMessageContaining("'orders'")
                    .withMessageContaining("OBSERVER");
            assertThatExceptionOfType(NotLeaderException.class).isThrownBy(bean::nothing);
            orders(context).grant();
            assertThat(bean.primitive()).isEqualTo(7);
        });
    }

    @Test
    void rejectedAsynchronousCallsReturnFailedFuture() {
        LeaderOnlyApplication.application(Throwing.class).run(context -> {
            Throwing bean = context.getBean(Throwing.class);
            assertThat(bean.stage().toCompletableFuture())
                    .failsWithin(Duration.ZERO)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(NotLeaderException.class);
            assertThatThrownBy(() -> bean.future().get()).hasCauseInstanceOf(NotLeaderException.class);
        });
    }

    @Test
    void exceptionsOfMethodArePropagated() {
        LeaderOnlyApplication.application(Throwing.class).run(context -> {
            orders(context).grant();
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> context.getBean(Throwing.class).fails())
                    .withMessage("on its own account");
            orders(context).stepDown();
        });
    }

    @Test
    void termIsAvailableOnlyDuringCall() {
        LeaderOnlyApplication.application(Nested.class, Inner.class).run(context -> {
            Leadership term = orders(context).grant();
            Leadership innerTerm = billing(context).grant();
            List<Leadership> seen = context.getBean(Nested.class).outer();
            assertThat(seen).containsExactly(term, innerTerm, term);
            assertThat(Leadership.current()).isEmpty();
        });
    }

    @Test
    void nestedCallIsGuardedByItsOwnElection() {
        LeaderOnlyApplication.application(Nested.class, Inner.class).run(context -> {
            Leadership term = orders(context).grant();
            assertThat(context.getBean(Nested.class).outer()).containsExactly(term, term);
        });
    }

    @Test
    void callWithinSameObjectIsNotGuarded() {
        LeaderOnlyApplication.application(Methods.class).run(context -> {
            Methods bean = context.getBean(Methods.class);
            bean.callsItself();
            assertThat(bean.calls()).isOne();
        });
    }

    @Test
    void lazyAndPrototypeBeansAreGuarded() {
        LeaderOnlyApplication.application(NotSingletons.class).run(context -> {
            Methods lazy = context.getBean("lazy", Methods.class);
            assertGuarded(context, lazy::calls, lazy::job);
        });
        LeaderOnlyApplication.application(NotSingletons.class).run(context -> {
            Methods first = context.getBean("prototype", Methods.class);
            Methods second = context.getBean("prototype", Methods.class);
            assertThat(first).isNotSameAs(second);
            assertGuarded(context, second::calls, second::job);
            assertThat(first.calls()).isZero();
        });
    }

    @Test
    void interfaceProxiesAreGuarded() {
        LeaderOnlyApplication.application(AnnotatedImplementation.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> {
                    Plain bean = context.getBean(Plain.class);
                    assertThat(AopUtils.isJdkDynamicProxy(bean)).isTrue();
                    assertGuarded(context, bean::calls, bean::plain);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"javaProxy", "proxyWithoutTarget", "wholeInterface", "lambda"})
    void beansMadeFromInterfacesAreGuarded(String name) {
        LeaderOnlyApplication.application(MadeElsewhere.class).run(context -> {
            Work bean = context.getBean(name, Work.class);
            assertGuarded(context, context.getBean(MadeElsewhere.class)::calls, bean::work);
        });
    }

    static class Counting {

        private int calls;

        void count() {
            calls++;
        }

        int calls() {
            return calls;
        }
    }

    static class Methods extends Counting {

        @LeaderOnly("orders")
        public void job() {
            count();
        }

        @LeaderOnly("orders")
        void packagePrivate() {
            count();
        }

        @LeaderOnly("orders")
        protected void protectedMethod() {
            count();
        }

        public void everywhere() {
            count();
        }

        public void callsItself() {
            job();
        }
    }

    @LeaderOnly("orders")
    static class WholeClass extends Counting {

        public void job() {
            count();
        }

        @LeaderOnly(value = "billing", otherwise = Otherwise.THROW)
        public void ofBilling() {
            count();
        }

        void notPublic() {
            count();
        }

        @Override
        public String toString() {
            return "a whole class";
        }
    }

    static class SubclassOfWholeClass extends WholeClass {

        public void added() {
            count();
        }
    }

    static class Subclass extends Methods {}

    static class OverridingSubclass extends Methods {

        @Override
        public void job() {
            count();
        }
    }

    interface Work {

        @LeaderOnly("orders")
        void work();
    }

    interface WithDefault {

        @LeaderOnly("orders")
        default void byDefault() {
            count();
        }

        void count();
    }

    static class Worker implements Work, WithDefault {

        private int calls;

        @Override
        public void work() {
            calls++;
        }

        @Override
        public void count() {
            calls++;
        }

        int calls() {
            return calls;
        }
    }

    @LeaderOnly("orders")
    interface Job {
        void run();
    }

    static class GuardedByInterface extends Counting implements Job {

        @Override
        public void run() {
            count();
        }
    }

    interface Plain {
        void plain();

        int calls();
    }

    static class AnnotatedImplementation implements Plain {

        private int calls;

        @Override
        @LeaderOnly("orders")
        public void plain() {
            calls++;
        }

        @Override
        public int calls() {
            return calls;
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @LeaderOnly("orders")
    @interface OrdersLeader {

        @AliasFor(annotation = LeaderOnly.class, attribute = "value")
        String election() default "orders";

        @AliasFor(annotation = LeaderOnly.class)
        Otherwise otherwise() default Otherwise.SKIP;
    }

    static class MetaAnnotated extends Counting {

        @OrdersLeader
        public void job() {
            count();
        }

        @OrdersLeader(election = "billing", otherwise = Otherwise.THROW)
        public void ofBilling() {
            count();
        }
    }

    static class Unnamed extends Counting {

        @LeaderOnly
        public void job() {
            count();
        }
    }

    static class Placeholders extends Counting {

        @LeaderOnly("${test.election}")
        public void job() {
            count();
        }

        @LeaderOnly("${test.unset:orders}")
        public void byDefault() {
            count();
        }
    }

    @LeaderOnly("orders")
    static class Results {

        public Optional<String> optional() {
            return Optional.of("done");
        }

        public OptionalInt optionalInt() {
            return OptionalInt.of(1);
        }

        public OptionalLong optionalLong() {
            return OptionalLong.of(2);
        }

        public OptionalDouble optionalDouble() {
            return OptionalDouble.of(3);
        }

        public CompletionStage<String> stage() {
            return completableFuture();
        }

        public CompletableFuture<String> completableFuture() {
            return CompletableFuture.completedFuture("done");
        }

        public Future<String> future() {
            return completableFuture();
        }

        public String object() {
            return "done";
        }

        public Integer wrapper() {
            return 4;
        }

        public int[] array() {
            return new int[] {5};
        }
    }

    @LeaderOnly(value = "orders", otherwise = Otherwise.THROW)
    static class Throwing {

        public int primitive() {
            return 7;
        }

        public void nothing() {}

        public CompletionStage<String> stage() {
            return CompletableFuture.completedFuture("done");
        }

        public Future<String> future() {
            return CompletableFuture.completedFuture("done");
        }

        public void fails() throws IOException {
            throw new IOException("on its own account");
        }
    }

    static class Nested {

        private final Inner inner;

        Nested(Inner inner) {
            this.inner = inner;
        }

        @LeaderOnly("orders")
        public List<Leadership> outer() {
            List<Leadership> seen = new ArrayList<>();
            Leadership.current().ifPresent(seen::add);
            inner.inner(seen);
            Leadership.current().ifPresent(seen::add);
            return seen;
        }
    }

    static class Inner {

        @LeaderOnly("billing")
        public void inner(List<Leadership> seen) {
            Leadership.current().ifPresent(seen::add);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NotSingletons {

        @Bean
        @Lazy
        Methods lazy() {
            return new Methods();
        }

        @Bean
        @Scope(BeanDefinition.SCOPE_PROTOTYPE)
        Methods prototype() {
            return new Methods();
        }
    }

    @LeaderOnly("orders")
    interface WorkOfLeaders extends Work {

        @Override
        void work();
    }

    /** Beans made from an interface, as other frameworks do. */
    @Configuration(proxyBeanMethods = false)
    static class MadeElsewhere {

        private final AtomicInteger calls = new AtomicInteger();

        int calls() {
            return calls.get();
        }

        @Bean
        Work javaProxy() {
            return (Work) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Work.class}, (proxy, method, arguments) -> {
                        calls.incrementAndGet();
                        return null;
                    });
        }

        @Bean
        Work proxyWithoutTarget() {
            return ProxyFactory.getProxy(Work.class, (MethodInterceptor) invocation -> {
                calls.incrementAndGet();
                return null;
            });
        }

        @Bean
        WorkOfLeaders wholeInterface() {
            return ProxyFactory.getProxy(WorkOfLeaders.class, (MethodInterceptor) invocation -> {
                calls.incrementAndGet();
                return null;
            });
        }

        @Bean
        Work lambda() {
            return calls::incrementAndGet;
        }
    }

    static class Shard extends Counting {
        @LeaderOnly("shard-7")
        public void job() {
            count();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfShard {
        @Bean
        @Lazy
        Shard shard() {
            return new Shard();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Monitored {
        @Bean
        @Lazy
        InvocationMonitor monitor() {
            return InvocationMonitor.NONE;
        }
    }
}
