package io.github.leaderelection.aop;

import io.github.leaderelection.Elections;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.StringValueResolver;
import org.springframework.util.function.SingletonSupplier;

/**
 * Applies the {@link LeaderOnlyInterceptor} to leader-only methods: inside advice that decides where and how often a
 * method runs ({@code @Async}, {@code @Retryable}), outside advice for its work ({@code @Transactional}).
 *
 * <p>A method that cannot be intercepted, or whose election is unknown, fails the startup. Otherwise, it would run on every
 * instance.
 */
public final class LeaderOnlyPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements InstantiationAwareBeanPostProcessor, SmartInitializingSingleton {

    private static final long serialVersionUID = 1L;
    private static final Logger log = LoggerFactory.getLogger(LeaderOnlyPostProcessor.class);

    private final transient Map<Class<?>, Map<Method, LeaderOnlyAttribute>> methodsByClass =
            new ConcurrentReferenceHashMap<>();
    private final transient Map<Class<?>, Boolean> validInitialisation = new ConcurrentReferenceHashMap<>();
    private final transient Map<Method, LeaderOnlyAttribute> unchecked = new ConcurrentHashMap<>();
    private final transient Set<String> processedBeans = ConcurrentHashMap.newKeySet();
    private transient @Nullable LeaderOnlyInterceptor interceptor;
    private volatile boolean singletonsInstantiated;

    public LeaderOnlyPostProcessor() {
        setBeforeExistingAdvisors(true);
        // Before the post-processors of @Async and @Scheduled, which have the lowest precedence.
        setOrder(Ordered.LOWEST_PRECEDENCE - 100);
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        super.setBeanFactory(beanFactory);
        // Lazy, because this bean is created before regular beans.
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

    /** Rejects leader-only initialisation methods before they are called. */
    @Override
    public boolean postProcessAfterInstantiation(Object bean, String beanName) {
        return validInitialisation.computeIfAbsent(bean.getClass(), type -> {
            PlacementValidator.validateInitialisation(type);
            return true;
        });
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof AopInfrastructureBean)) {
            Map<Method, LeaderOnlyAttribute> methods = methodsOf(AopUtils.getTargetClass(bean));
            if (singletonsInstantiated) {
                methods.forEach(this::requireElection);
            } else {
                unchecked.putAll(methods);
                processedBeans.add(beanName);
            }
        }
        return super.postProcessAfterInitialization(bean, beanName);
    }

    Map<Method, LeaderOnlyAttribute> methodsOf(Class<?> type) {
        return methodsByClass.computeIfAbsent(type, found -> LeaderOnlyMethodFinder.find(found, isProxyTargetClass()));
    }

    @Override
    public void afterSingletonsInstantiated() {
        singletonsInstantiated = true;
        if (interceptor != null) {
            interceptor.initialise();
        }
        unchecked.forEach(this::requireElection);
        unchecked.clear();
        requireNoUnprocessedMethods();
        processedBeans.clear();
    }

    private void requireElection(Method method, LeaderOnlyAttribute attribute) {
        if (interceptor != null) {
            interceptor.requireElection(method, attribute);
        }
    }

    /** Beans that other post-processors depend on are created too early to be processed here. */
    private void requireNoUnprocessedMethods() {
        ConfigurableListableBeanFactory factory = beanFactory;
        if (factory == null) {
            return;
        }
        for (String name : factory.getSingletonNames()) {
            Object bean = processedBeans.contains(name) ? null : factory.getSingleton(name);
            if (bean != null && !factory.containsBeanDefinition(name)) {
                warnIfUnguarded(name, bean.getClass());
            } else if (bean != null && isRequiredByPostProcessor(name, factory, new HashSet<>())) {
                methodsOf(AopUtils.getTargetClass(bean)).keySet().stream()
                        .findFirst()
                        .ifPresent(method -> {
                            throw LeaderOnlyErrors.unsupportedMethod(
                                    method,
                                    "bean '%s' is required by a post-processor, and is created too early to have a proxy"
                                            .formatted(name),
                                    "Inject an ObjectProvider of the bean into the post-processor");
                        });
            }
        }
    }

    /** Objects that were registered as singletons are not processed by any post-processor. */
    private static void warnIfUnguarded(String name, Class<?> type) {
        List<String> methods = LeaderOnlyMethods.describe(type);
        if (!methods.isEmpty()) {
            log.warn(
                    "The @LeaderOnly methods {} are not guarded, and run on every instance: bean '{}' was registered as an object (registerSingleton)."
                            + " Register a bean definition instead, such as by a @Bean method",
                    methods,
                    name);
        }
    }

    /** Other beans may be unprocessed for other reasons, such as mocks that replace beans in tests. */
    private static boolean isRequiredByPostProcessor(
            String name, ConfigurableListableBeanFactory factory, Set<String> visited) {
        return Arrays.stream(factory.getDependentBeans(name))
                .filter(visited::add)
                .anyMatch(dependent -> factory.isTypeMatch(dependent, BeanPostProcessor.class)
                        || factory.isTypeMatch(dependent, BeanFactoryPostProcessor.class)
                        || isRequiredByPostProcessor(dependent, factory, visited));
    }
}
