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
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Lets a name alone ({@code orders:}) declare an election; to the binder it is an empty value that means nothing. */
final class ElectionNameBindHandler extends AbstractBindHandler {

    ElectionNameBindHandler(BindHandler parent) {
        super(parent);
    }

    @Override
    public @Nullable Object onFailure(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) throws Exception {
        // What is wrong with a property below the name has its own message.
        boolean ofTheNameItself =
                target.getType().resolve() == ElectionProperties.class && !(error instanceof BindException);
        ConfigurationProperty property = ofTheNameItself ? find(name, context) : null;
        if (property != null) {
            if (property.getValue().toString().isBlank()) {
                return ElectionProperties.DEFAULTS;
            }
            if (name.isNumericIndex(name.getNumberOfElements() - 1)) {
                throw new InvalidConfigurationPropertyValueException(
                        name.toString(),
                        property.getValue(),
                        "Elections are a map, not a list: write `%s:` below leader-election.elections."
                                .formatted(property.getValue()));
            }
            throw new InvalidConfigurationPropertyValueException(
                    name.toString(),
                    property.getValue(),
                    "The name of an election has no value of its own. Leave it empty, or set %s.path, %s.participate or %s.observe."
                            .formatted(name, name, name));
        }
        return super.onFailure(name, target, context, error);
    }

    /** The context's own property is that of whatever was tried last. */
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
