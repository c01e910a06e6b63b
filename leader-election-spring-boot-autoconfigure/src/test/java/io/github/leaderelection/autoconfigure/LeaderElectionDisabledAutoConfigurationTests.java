package io.github.leaderelection.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.leaderelection.Elections;
import io.github.leaderelection.support.MisconfigurationException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.support.BeanRegistryAdapter;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

@ExtendWith(OutputCaptureExtension.class)
class LeaderElectionDisabledAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LeaderElectionAutoConfiguration.class, LeaderElectionDisabledAutoConfiguration.class));

    @Test
    void logsWarningAndDefinesNoBeans(CapturedOutput output) {
        runner.withPropertyValues("leader-election.enabled=false", "leader-election.elections.orders=")
                .run(context -> {
                    assertThat(Arrays.stream(context.getBeanDefinitionNames())
                                    .map(context::getType)
                                    .filter(type -> type != null
                                            && type.getName().startsWith("io.github.leaderelection")
                                            && !type.getName().contains("AutoConfiguration")))
                            .isEmpty();
                    assertThat(output)
                            .contains("WARN")
                            .contains("@LeaderOnly run on every instance")
                            .contains("@WhileLeader has no effect");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"no", "off", "0", "FALSE"})
    void electionsAreDisabledByAnyFalseValue(String no, CapturedOutput output) {
        runner.withPropertyValues("leader-election.enabled=" + no, "leader-election.elections.orders=")
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(Elections.class);
                    assertThat(output).contains("WARN").contains("@LeaderOnly run on every instance");
                });
    }

    @Test
    void applicationProcessedWithoutElectionsFailsToStartWithThem() {
        BeanRegistrar disabled = new LeaderElectionDisabledAutoConfiguration.WarningRegistrar();
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        for (MockEnvironment on :
                List.of(new MockEnvironment(), new MockEnvironment().withProperty("leader-election.enabled", "yes"))) {
            assertThatExceptionOfType(MisconfigurationException.class)
                    .isThrownBy(
                            () -> disabled.register(new BeanRegistryAdapter(beans, beans, on, disabled.getClass()), on))
                    .withMessageContaining("leader-election.enabled is true")
                    .withMessageContaining("built this application for false");
        }
    }
}
