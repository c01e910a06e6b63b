package io.github.leaderelection.term;

import static io.github.leaderelection.term.WhileLeaderErrors.describe;
import static io.github.leaderelection.term.WhileLeaderErrors.unsupported;

import io.github.leaderelection.WhileLeader;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;
import org.springframework.util.StringUtils;

/** Finds and validates the elements of an application that are declared to run for a term. */
final class WhileLeaderScanner {

    private final ConfigurableListableBeanFactory beans;
    private final List<ListenerContainers> brokers;
    private final List<Declaration> found = new ArrayList<>();

    WhileLeaderScanner(ConfigurableListableBeanFactory beans, List<ListenerContainers> brokers) {
        this.beans = beans;
        this.brokers = brokers;
    }

    /** @throws io.github.leaderelection.support.MisconfigurationException if something cannot run for a term */
    List<Declaration> scan() {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null : typeOf(name);
            if (type != null) {
                WhileLeader annotation = annotation(name, type);
                if (annotation != null) {
                    addBean(name, type, annotation);
                }
                if (AnnotationUtils.isCandidateClass(type, WhileLeader.class)) {
                    annotatedMethods(type).forEach((method, onMethod) -> addMethod(name, type, method, onMethod));
                }
            }
        }
        return found;
    }

    private @Nullable WhileLeader annotation(String name, Class<?> type) {
        WhileLeader annotation = beans.findAnnotationOnBean(name, WhileLeader.class);
        // A proxy that is made from interfaces hides the annotation of its class.
        return annotation != null ? annotation : AnnotatedElementUtils.findMergedAnnotation(type, WhileLeader.class);
    }

    private @Nullable Class<?> typeOf(String name) {
        try {
            return AutoProxyUtils.determineTargetClass(beans, name);
        } catch (RuntimeException | LinkageError unresolvable) {
            // The bean is lazy and cannot be created, or a class that it needs is missing.
            return null;
        }
    }

    static Map<Method, WhileLeader> annotatedMethods(Class<?> type) {
        Map<Method, WhileLeader> annotated = new LinkedHashMap<>();
        // The annotation of a @Bean method is found on the bean.
        MethodFilter mayRun = method -> !method.isBridge() && !AnnotatedElementUtils.hasAnnotation(method, Bean.class);
        for (Method method : MethodIntrospector.selectMethods(type, mayRun)) {
            WhileLeader annotation = AnnotatedElementUtils.findMergedAnnotation(method, WhileLeader.class);
            if (annotation != null) {
                annotated.put(method, annotation);
            }
        }
        return annotated;
    }

    private void addBean(String name, Class<?> type, WhileLeader annotation) {
        requireSingleton(name, describe(name, type));
        if (addListeners(name, describe(name, type), type, name, annotation)) {
            return;
        }
        Lifecycle lifecycle = lifecycle(name)
                .orElseThrow(
                        () -> unsupported(
                                describe(name, type),
                                "it does not implement Lifecycle, so that it cannot be started and stopped",
                                "Implement org.springframework.context.Lifecycle, or annotate methods: one that runs for the term, or message listeners"));
        requireIdle(annotation, describe(name, type));
        AutoStartup.disable(lifecycle, describe(name, type));
        found.add(new Declaration.OfBean(annotation, name, lifecycle));
    }

    /** The factory bean may be the {@code Lifecycle}, as for Quartz's scheduler. */
    private Optional<Lifecycle> lifecycle(String name) {
        Object bean = beans.getBean(name);
        if (!(bean instanceof Lifecycle) && beans.isFactoryBean(name)) {
            bean = beans.getBean(BeanFactory.FACTORY_BEAN_PREFIX + name);
        }
        return bean instanceof Lifecycle lifecycle ? Optional.of(lifecycle) : Optional.empty();
    }

    private void addMethod(String name, Class<?> type, Method method, WhileLeader annotation) {
        requireSingleton(name, describe(method));
        WhileLeaderMethodValidator.requireNotLeaderOnly(method);
        String work = "%s.%s".formatted(type.getSimpleName(), method.getName());
        if (!addListeners(work, describe(method), method, name, annotation)) {
            WhileLeaderMethodValidator.validate(method, type);
            found.add(new Declaration.OfMethod(annotation, method, beans.getBean(name)));
        }
    }

    private boolean addListeners(
            String work, String description, AnnotatedElement element, String beanName, WhileLeader annotation) {
        int before = found.size();
        for (ListenerContainers broker : brokers) {
            List<String> ids = broker.ids(element);
            if (!ids.isEmpty()) {
                requireListener(broker, ids, description, beanName, annotation);
                found.add(new Declaration.OfListeners(annotation, work, description, broker, ids));
            }
        }
        return found.size() > before;
    }

    private void requireListener(
            ListenerContainers broker, List<String> ids, String description, String beanName, WhileLeader annotation) {
        if (!ids.stream().allMatch(StringUtils::hasText)) {
            throw unsupported(
                    description,
                    "its %s has no id, by which its container is found".formatted(broker.annotation()),
                    "Add an id: %s(id = \"orders\", …)".formatted(broker.annotation()));
        }
        if (!beans.containsSingleton(beanName)) {
            throw unsupported(
                    description,
                    "bean '%s' is created lazily, and its listener would start when that happens".formatted(beanName),
                    "Annotate the bean with @Lazy(false)");
        }
        requireIdle(annotation, description);
    }

    private void requireSingleton(String name, String description) {
        if (!beans.isSingleton(name)) {
            throw unsupported(
                    description, "bean '%s' is not a singleton".formatted(name), "Remove the scope of the bean");
        }
    }

    private static void requireIdle(WhileLeader annotation, String description) {
        if (annotation.then() != WhileLeader.Then.IDLE) {
            throw unsupported(
                    description,
                    "'then = %s' applies to methods that return, and it runs until it is stopped"
                            .formatted(annotation.then()),
                    "Remove the attribute 'then'");
        }
    }
}
