package io.github.leaderelection.actuate;

import io.github.leaderelection.actuate.ElectionDescriptors.ElectionDetailsDescriptor;
import io.github.leaderelection.actuate.ElectionDescriptors.ElectionsDescriptor;
import io.github.leaderelection.actuate.ElectionDescriptors.ErrorDescriptor;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Runtime hints for the responses of the endpoint. The return types of the web extension's operations do not show them. */
final class ElectionEndpointRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        new BindingReflectionHintsRegistrar()
                .registerReflectionHints(
                        hints.reflection(),
                        ElectionsDescriptor.class,
                        ElectionDetailsDescriptor.class,
                        ErrorDescriptor.class);
    }
}
