package io.github.leaderelection.aop;

import io.github.leaderelection.Elections;
import io.github.leaderelection.LeaderOnly;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.StringValueResolver;
import org.springframework.util.function.SingletonSupplier;

/**
 * Puts the guard around leader-only methods: inside of what decides where and how often a method runs ({@code @Async},
 * {@code @Retryable}), outside of what it works with ({@code @Transactional}).
 *
 * <p>A method that cannot be guarded, or whose election there isn't, fails the start of the application: it would
 * otherwise run everywhere.
 */
public final class LeaderOnlyPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements InstantiationAwareBeanPostProcessor, SmartInitializingSingleton {

    private static final long serialVersionUID = 1L;

    /** Remembered for each class, since there may be many beans of it; until the memory is needed. */
    private final transient Map<Class<?>, Map<Method, LeaderOnlyAttribute>> rules = new ConcurrentReferenceHashMap<>();

    private final transient Map<Class<?>, Boolean> initialisable = new ConcurrentReferenceHashMap<>();
    private final transient Map<Method, LeaderOnlyAttribute> unchecked = new ConcurrentHashMap<>();
    private final transient Set<String> processed = ConcurrentHashMap.newKeySet();
    private transient @Nullable LeaderOnlyInterceptor interceptor;
    private volatile boolean started;

    public LeaderOnlyPostProcessor() {
        setBeforeExistingAdvisors(true);
        // Before those of @Async and @Scheduled, which come last.
        setOrder(Ordered.LOWEST_PRECEDENCE - 100);
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        super.setBeanFactory(beanFactory);
        // Looked up when all beans are there, or first needed: this is created before all ordinary beans. Once only: a
        // call that comes late must not ask a context that has been closed.
        interceptor = new LeaderOnlyInterceptor(
                SingletonSupplier.of(
                        () -> new ElectionResolver(beanFactory.getBean(Elections.class), placeholders(beanFactory))),
                SingletonSupplier.of(() -> beanFactory
                        .getBeanProvider(InvocationMonitor.class)
                        .getIfUnique(() -> InvocationMonitor.NONE)));
        advisor = new DefaultPointcutAdvisor(new LeaderOnlyPointcut(), interceptor);
    }

    private static StringValueResolver placeholders(BeanFactory beanFactory) {
        return name -> beanFactory instanceof ConfigurableBeanFactory configurable
                ? configurable.resolveEmbeddedValue(name)
                : name;
    }

    /** Refuses leader-only initialisation here: later it would have run. */
    @Override
    public boolean postProcessAfterInstantiation(Object bean, String beanName) {
        return initialisable.computeIfAbsent(bean.getClass(), type -> {
            PlacementValidator.verifyInitialisation(type);
            return true;
        });
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof AopInfrastructureBean)) {
            Map<Method, LeaderOnlyAttribute> methods = rules(AopUtils.getTargetClass(bean));
            if (started) {
                methods.forEach(this::requireElection);
            } else {
                unchecked.putAll(methods);
                processed.add(beanName);
            }
        }
        return super.postProcessAfterInitialization(bean, beanName);
    }

    Map<Method, LeaderOnlyAttribute> rules(Class<?> type) {
        return rules.computeIfAbsent(type, found -> LeaderOnlyMethodFinder.of(found, isProxyTargetClass()));
    }

    @Override
    public void afterSingletonsInstantiated() {
        started = true;
        if (interceptor != null) {
            interceptor.prepare();
        }
        unchecked.forEach(this::requireElection);
        unchecked.clear();
        requireNoneLeftOut();
        processed.clear();
    }

    /** What another post-processor needs is made before this one could guard it. */
    private void requireNoneLeftOut() {
        ConfigurableListableBeanFactory factory = beanFactory;
        if (factory == null) {
            return;
        }
        for (String name : factory.getSingletonNames()) {
            Object bean = processed.contains(name) ? null : factory.getSingleton(name);
            if (bean != null && isNeededByPostProcessors(name, factory, new HashSet<>())) {
                rules(AopUtils.getTargetClass(bean)).keySet().stream()
                        .findFirst()
                        .ifPresent(method -> {
                            throw LeaderOnlyMethodFinder.unusable(
                                    method,
                                    "a post-processor needs bean '%s', which is made before there can be a guard"
                                            .formatted(name),
                                    "Let whatever needs it so early take an ObjectProvider of it");
                        });
            }
        }
    }

    /** Others may be there for another reason, such as a mock that a test puts in the place of a bean. */
    private static boolean isNeededByPostProcessors(
            String name, ConfigurableListableBeanFactory factory, Set<String> visited) {
        return Arrays.stream(factory.getDependentBeans(name))
                .filter(visited::add)
                .anyMatch(dependent -> factory.isTypeMatch(dependent, BeanPostProcessor.class)
                        || factory.isTypeMatch(dependent, BeanFactoryPostProcessor.class)
                        || isNeededByPostProcessors(dependent, factory, visited));
    }

    private void requireElection(Method method, LeaderOnlyAttribute rule) {
        if (interceptor != null) {
            interceptor.election(method, rule);
        }
    }

    private static final class LeaderOnlyPointcut extends StaticMethodMatcherPointcut {

        LeaderOnlyPointcut() {
            setClassFilter(type -> AnnotationUtils.isCandidateClass(type, LeaderOnly.class));
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return LeaderOnlyAttribute.of(AopUtils.getMostSpecificMethod(method, targetClass), targetClass)
                    .isPresent();
        }
    }
}
