package io.github.leaderelection.autoconfigure.election;

import io.github.leaderelection.autoconfigure.LeaderElectionProperties.ElectionProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;

/** Binds a name without properties ({@code orders:}) to an election. The binder fails to convert the empty value. */
final class ElectionNameBindHandler extends AbstractBindHandler {

    ElectionNameBindHandler(BindHandler parent) {
        super(parent);
    }

    @Override
    public @Nullable Object onFailure(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) throws Exception {
        // A BindException is about a property of the election, and is reported as such.
        boolean isElection =
                target.getType().resolve() == ElectionProperties.class && !(error instanceof BindException);
        ConfigurationProperty property = isElection ? find(name, context) : null;
        if (property != null && property.getValue().toString().isBlank()) {
            return ElectionProperties.DEFAULTS;
        }
        return super.onFailure(name, target, context, error);
    }

    /** Searches the sources, because the property of the context is only the last property that was tried. */
    private static @Nullable ConfigurationProperty find(ConfigurationPropertyName name, BindContext context) {
        for (ConfigurationPropertySource source : context.getSources()) {
            ConfigurationProperty property = source.getConfigurationProperty(name);
            if (property != null) {
                return property;
            }
        }
        return null;
    }
}
