package io.github.leaderelection.actuate;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image has to know to write the endpoint's answers. */
public final class ElectionEndpointRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        // The web extension's operations do not tell what they answer.
        new BindingReflectionHintsRegistrar()
                .registerReflectionHints(
                        hints.reflection(),
                        ElectionDescriptors.All.class,
                        ElectionDescriptors.Details.class,
                        ElectionDescriptors.Refusal.class);
    }
}
