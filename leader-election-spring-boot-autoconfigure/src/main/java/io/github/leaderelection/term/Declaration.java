package io.github.leaderelection.term;

import static io.github.leaderelection.term.WhileLeaderErrors.describe;

import io.github.leaderelection.WhileLeader;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.context.Lifecycle;

/** What the application has annotated with {@link WhileLeader}. */
sealed interface Declaration {

    WhileLeader annotation();

    /** What is annotated, as error messages name it. */
    String description();

    /** A method that is called for each term. */
    record OfMethod(WhileLeader annotation, Method method, Object bean) implements Declaration {

        @Override
        public String description() {
            return describe(method);
        }
    }

    /** A bean that is started for each term. */
    record OfBean(WhileLeader annotation, String name, Lifecycle bean) implements Declaration {

        @Override
        public String description() {
            return describe(name, bean.getClass());
        }
    }

    /** Message listeners, whose containers are started for each term. */
    record OfListeners(
            WhileLeader annotation, String name, String description, ListenerContainers containers, List<String> ids)
            implements Declaration {}
}
