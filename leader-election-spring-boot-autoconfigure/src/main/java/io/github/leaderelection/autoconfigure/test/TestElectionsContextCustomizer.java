package io.github.leaderelection.autoconfigure.test;

import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.autoconfigure.election.ElectionNames;
import io.github.leaderelection.autoconfigure.election.ElectionQualifiers;
import io.github.leaderelection.autoconfigure.web.NotLeaderAdviceAutoConfiguration;
import io.github.leaderelection.test.TestElection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
        elections.forEach(
                election -> registry.registerBeanDefinition(ElectionNames.beanName(election), definition(election)));
        new AnnotatedBeanDefinitionReader(registry, context.getEnvironment()).register(SliceConfiguration.class);
    }

    private static RootBeanDefinition definition(String election) {
        var definition = new RootBeanDefinition(TestElection.class, () -> new TestElection(election));
        ElectionQualifiers.add(definition, election);
        return definition;
    }

    /** Tests of slices do not include auto-configurations of other libraries. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LeaderElectionAutoConfiguration.class, NotLeaderAdviceAutoConfiguration.class})
    static class SliceConfiguration {}
}
