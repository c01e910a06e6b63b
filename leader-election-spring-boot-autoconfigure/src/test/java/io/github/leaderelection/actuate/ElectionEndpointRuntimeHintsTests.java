package io.github.leaderelection.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

class ElectionEndpointRuntimeHintsTests {

    @Test
    void registersAllResponsesForReflection() {
        RuntimeHints hints = new RuntimeHints();
        new ElectionEndpointRuntimeHints().registerHints(hints, getClass().getClassLoader());
        assertThat(ElectionDescriptors.class.getDeclaredClasses())
                .hasSize(8)
                .allSatisfy(descriptor -> assertThat(RuntimeHintsPredicates.reflection()
                                .onType(descriptor)
                                .withAnyMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
                        .accepts(hints));
    }

    @Test
    void registersConstructorOfPath() throws NoSuchMethodException {
        RuntimeHints hints = new RuntimeHints();
        new ElectionEndpointRuntimeHints().registerHints(hints, getClass().getClassLoader());
        assertThat(RuntimeHintsPredicates.reflection()
                        .onConstructorInvocation(ElectionPath.class.getConstructor(String[].class)))
                .accepts(hints);
    }
}
