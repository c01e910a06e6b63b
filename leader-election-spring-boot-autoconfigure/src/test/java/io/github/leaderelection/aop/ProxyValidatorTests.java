package io.github.leaderelection.aop;

import static io.github.leaderelection.aop.LeaderOnlyApplication.assertRejected;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.aop.inherited.PackagePrivateJob;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class ProxyValidatorTests {

    @Test
    void rejectsFinalMethods() {
        assertRejected(FinalMethod.class, "job", "final");
    }

    @Test
    void rejectsPrivateMethods() {
        assertRejected(PrivateMethod.class, "job", "private");
    }

    @Test
    void rejectsPrivateMethodsOfSuperclasses() {
        LeaderOnlyApplication.application(InheritsPrivateMethod.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("PrivateMethod.job()"));
    }

    @Test
    void rejectsPackagePrivateMethodsOfSuperclassesInOtherPackages() {
        assertRejected(
                LeaderOnlyApplication.application(InheritsFromAnotherPackage.class),
                "PackagePrivateJob.job()",
                "another package",
                "InheritsFromAnotherPackage");
    }

    @Test
    void rejectsStaticMethods() {
        assertRejected(StaticMethod.class, "job", "static");
    }

    @Test
    void rejectsFinalClasses() {
        assertRejected(FinalClass.class, "job", "class is final");
    }

    @Test
    void rejectsFinalClassesWithInterfacesIfProxiesAreSubclasses() {
        assertRejected(FinalRunnable.class, "run", "class is final");
        LeaderOnlyApplication.application(FinalRunnable.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void rejectsPublicFinalMethodsOfAnnotatedClasses() {
        assertRejected(WholeClassWithFinalMethod.class, "job", "final");
    }

    @Test
    void rejectsInheritedMethodsOfBeansMadeFromInterfaces() {
        assertRejected(LeaderOnlyApplication.application(MadeFromInterface.class), "Plain.job()", "not annotated");
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
}
