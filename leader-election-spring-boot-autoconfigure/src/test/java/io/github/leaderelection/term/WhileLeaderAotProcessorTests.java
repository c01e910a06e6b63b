package io.github.leaderelection.term;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.WhileLeader;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;

class WhileLeaderAotProcessorTests {

    private final DefaultGenerationContext generation = new DefaultGenerationContext(
            new ClassNameGenerator(ClassName.get("com.example", "Application")), new InMemoryGeneratedFiles());

    private void process(Class<?> bean) {
        try (var context = new GenericApplicationContext()) {
            new AnnotatedBeanDefinitionReader(context).register(bean);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        }
    }

    @Test
    void methodsCanBeInvoked() {
        process(Loop.class);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Loop.class, "run"))
                .accepts(generation.getRuntimeHints());
    }

    @Test
    void theAutomaticStartOfABeanCanBeDisabled() {
        process(Beans.class);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(RecordedLifecycle.class, "setAutoStartup"))
                .accepts(generation.getRuntimeHints());
    }

    @Test
    void otherBeansNeedNoHints() {
        process(RecordedLifecycle.class);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(RecordedLifecycle.class, "setAutoStartup"))
                .rejects(generation.getRuntimeHints());
    }

    static class Loop {
        @WhileLeader("orders")
        void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {
        @Bean
        @WhileLeader("orders")
        RecordedLifecycle consumer() {
            return new RecordedLifecycle();
        }
    }
}
