package io.github.leaderelection.term;

import static io.github.leaderelection.term.WhileLeaderErrors.unsupported;

import java.util.Objects;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;

/** Prevents the application context from starting a bean automatically. */
final class AutoStartup {

    static final String PROPERTY = "autoStartup";

    private AutoStartup() {}

    /** @throws io.github.leaderelection.support.MisconfigurationException if that is not possible */
    static void disable(Lifecycle bean, String description) {
        if (bean instanceof SmartLifecycle smart && smart.isAutoStartup()) {
            Object target = Objects.requireNonNullElse(AopProxyUtils.getSingletonTarget(bean), bean);
            BeanWrapper properties = PropertyAccessorFactory.forBeanPropertyAccess(target);
            if (properties.isWritableProperty(PROPERTY)) {
                properties.setPropertyValue(PROPERTY, false);
            }
            if (smart.isAutoStartup()) {
                throw unsupported(
                        description,
                        "it is a SmartLifecycle that starts with the application, on every instance",
                        "Let isAutoStartup() return false, add a method setAutoStartup(boolean), or implement Lifecycle"
                                + " instead of SmartLifecycle");
            }
        }
    }
}
