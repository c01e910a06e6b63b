package io.github.leaderelection.autoconfigure.test;

import io.github.leaderelection.test.TestElections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Customizes the contexts of test classes that are annotated with {@link TestElections}. */
final class TestElectionsContextCustomizerFactory implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        TestElections annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass, TestElections.class);
        return annotation == null ? null : new TestElectionsContextCustomizer(Set.of(annotation.value()));
    }
}
