package io.github.leaderelection.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.support.MisconfigurationException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;

/** The report that Spring Boot prints if an application fails to start. */
public final class FailureReport {

    private FailureReport() {}

    /** Starts an application that fails, and analyses the failure with all failure analyzers, as Spring Boot does. */
    public static FailureAnalysis of(AbstractApplicationContextRunner<?, ?, ?> runner) {
        AtomicReference<ConfigurableApplicationContext> source = new AtomicReference<>();
        AtomicReference<FailureAnalysis> report = new AtomicReference<>();
        runner.withInitializer(source::set).run(context -> {
            Throwable failure = context.getStartupFailure();
            if (failure == null) {
                throw new AssertionError("The application has started");
            }
            report.set(analyze(failure, source.get()));
        });
        return report.get();
    }

    /** Starts an application that fails because of its configuration, and checks what the report describes. */
    public static void assertMisconfigured(AbstractApplicationContextRunner<?, ?, ?> runner, String... description) {
        runner.run(context -> {
            Throwable failure = context.getStartupFailure();
            while (failure != null && !(failure instanceof MisconfigurationException)) {
                failure = failure.getCause();
            }
            assertThat(failure).isInstanceOfSatisfying(MisconfigurationException.class, misconfiguration -> {
                assertThat(misconfiguration.description()).contains(description);
                assertThat(misconfiguration.action()).isNotBlank();
            });
        });
    }

    private static FailureAnalysis analyze(Throwable failure, ConfigurableApplicationContext context) {
        ArgumentResolver arguments = ArgumentResolver.of(BeanFactory.class, context.getBeanFactory())
                .and(Environment.class, context.getEnvironment());
        return SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, arguments, (type, name, missing) -> {})
                .stream()
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no analysis of the failure", failure));
    }
}
