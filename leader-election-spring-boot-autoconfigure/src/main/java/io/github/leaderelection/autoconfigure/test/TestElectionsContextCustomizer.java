package io.github.leaderelection.autoconfigure.test;

import io.github.leaderelection.Election;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.autoconfigure.election.ElectionNames;
import io.github.leaderelection.autoconfigure.election.ElectionQualifiers;
import io.github.leaderelection.autoconfigure.web.NotLeaderAdviceAutoConfiguration;
import io.github.leaderelection.test.TestElection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Defines a {@link TestElection} for each election. Tests share a context if they have equal customizers.
 *
 * @param names the elections to define in addition to the configured ones
 */
record TestElectionsContextCustomizer(Set<String> names) implements ContextCustomizer {

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        // Elections that are opened at run time need no ZooKeeper either.
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("testElections", Map.of("leader-election.mode", "local")));
        BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context.getBeanFactory();
        Set<String> elections = new TreeSet<>(names);
        elections.addAll(ElectionNames.configured(context.getEnvironment()));
        elections.forEach(election -> register(registry, election));
        context.addBeanFactoryPostProcessor(factory -> elections.forEach(election -> restore(registry, election)));
        new AnnotatedBeanDefinitionReader(registry, context.getEnvironment()).register(SliceConfiguration.class);
    }

    private static void register(BeanDefinitionRegistry registry, String election) {
        var definition = new RootBeanDefinition(TestElection.class, () -> new TestElection(election));
        ElectionQualifiers.add(definition, election);
        registry.registerBeanDefinition(ElectionNames.beanName(election), definition);
    }

    /** If bean definitions may be overridden, that of the configured election has replaced the test election. */
    private static void restore(BeanDefinitionRegistry registry, String election) {
        BeanDefinition present = registry.getBeanDefinition(ElectionNames.beanName(election));
        if (Election.class.getName().equals(present.getBeanClassName())) {
            register(registry, election);
        }
    }

    /** Test slices do not include auto-configurations of other libraries. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LeaderElectionAutoConfiguration.class, NotLeaderAdviceAutoConfiguration.class})
    static class SliceConfiguration {}
}
