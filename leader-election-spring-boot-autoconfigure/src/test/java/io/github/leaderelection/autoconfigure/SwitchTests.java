package io.github.leaderelection.autoconfigure;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.github.leaderelection.support.MisconfigurationException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.support.BeanRegistryAdapter;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.mock.env.MockEnvironment;

/** What ahead-of-time processing has decided holds; all that is left to do at run time is to look whether it fits. */
class SwitchTests {

    @ParameterizedTest
    @ValueSource(strings = {"false", "off"})
    void anApplicationThatWasBuiltWithElectionsDoesNotStartSwitchedOff(String off) {
        MockEnvironment environment = new MockEnvironment().withProperty("leader-election.enabled", off);
        assertThatExceptionOfType(MisconfigurationException.class)
                .isThrownBy(() -> register(new ElectionBeans(), environment))
                .withMessageContaining("leader-election.enabled is false")
                .withMessageContaining("built this application for true");
    }

    @Test
    void anApplicationThatWasBuiltWithoutElectionsDoesNotStartSwitchedOn() {
        BeanRegistrar disabled = new LeaderElectionDisabledAutoConfiguration.Warning();
        for (MockEnvironment on :
                List.of(new MockEnvironment(), new MockEnvironment().withProperty("leader-election.enabled", "yes"))) {
            assertThatExceptionOfType(MisconfigurationException.class)
                    .isThrownBy(() -> register(disabled, on))
                    .withMessageContaining("leader-election.enabled is true")
                    .withMessageContaining("built this application for false");
        }
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true"})
    void theEmbeddedServerIsWhatWasBuilt(boolean asked, boolean built) {
        MockEnvironment environment =
                new MockEnvironment().withProperty("leader-election.zookeeper.embedded.enabled", String.valueOf(asked));
        assertThatExceptionOfType(MisconfigurationException.class)
                .isThrownBy(() -> Switch.EMBEDDED_SERVER.requireBuilt(built, environment));
        assertThatNoException().isThrownBy(() -> Switch.EMBEDDED_SERVER.requireBuilt(asked, environment));
    }

    private static void register(BeanRegistrar registrar, MockEnvironment environment) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        registrar.register(new BeanRegistryAdapter(beans, beans, environment, registrar.getClass()), environment);
    }
}
