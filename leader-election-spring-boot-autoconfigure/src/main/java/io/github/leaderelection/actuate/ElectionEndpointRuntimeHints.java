package io.github.leaderelection.actuate;

import io.github.leaderelection.actuate.ElectionDescriptors.ElectionDetailsDescriptor;
import io.github.leaderelection.actuate.ElectionDescriptors.ElectionsDescriptor;
import io.github.leaderelection.actuate.ElectionDescriptors.ErrorDescriptor;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/** Runtime hints for requests and responses of the endpoint that the types of its operations do not reveal. */
final class ElectionEndpointRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        new BindingReflectionHintsRegistrar()
                .registerReflectionHints(
                        hints.reflection(),
                        ElectionsDescriptor.class,
                        ElectionDetailsDescriptor.class,
                        ErrorDescriptor.class);
        hints.reflection()
                .registerType(
                        TypeReference.of(ElectionPath.class),
                        type -> type.withConstructor(List.of(TypeReference.of(String[].class)), ExecutableMode.INVOKE));
    }
}
