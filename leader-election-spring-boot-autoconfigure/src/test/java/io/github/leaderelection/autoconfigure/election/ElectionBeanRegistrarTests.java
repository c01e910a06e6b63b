package io.github.leaderelection.autoconfigure.election;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.leaderelection.support.MisconfigurationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.support.BeanRegistryAdapter;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.mock.env.MockEnvironment;

class ElectionBeanRegistrarTests {

    @ParameterizedTest
    @ValueSource(strings = {"false", "off"})
    void applicationProcessedWithElectionsFailsToStartWithoutThem(String off) {
        MockEnvironment environment = new MockEnvironment().withProperty("leader-election.enabled", off);
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        BeanRegistrar registrar = new ElectionBeanRegistrar();
        assertThatExceptionOfType(MisconfigurationException.class)
                .isThrownBy(() -> registrar.register(
                        new BeanRegistryAdapter(beans, beans, environment, registrar.getClass()), environment))
                .withMessageContaining("leader-election.enabled is false")
                .withMessageContaining("built this application for true");
    }
}
