package io.github.leaderelection.autoconfigure.election;

import io.github.leaderelection.autoconfigure.LeaderElectionProperties.ElectionProperties;
import java.util.Set;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Names of the configured elections and of their beans, needed before the properties are bound as a bean. */
public final class ElectionNames {

    private ElectionNames() {}

    public static Set<String> configured(Environment environment) {
        return Binder.get(environment)
                .bind(
                        "leader-election.elections",
                        Bindable.mapOf(String.class, ElectionProperties.class),
                        new ElectionNameBindHandler(BindHandler.DEFAULT))
                .map(elections -> elections.keySet())
                .orElseGet(Set::of);
    }

    public static String beanName(String election) {
        return election + "Election";
    }
}
