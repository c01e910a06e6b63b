package io.github.leaderelection.actuate;

import io.github.leaderelection.actuate.ElectionDescriptors.ElectionDetailsDescriptor;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.jmx.annotation.EndpointJmxExtension;

/** Adds the operations on one election to the {@link ElectionEndpoint} over JMX. */
@EndpointJmxExtension(endpoint = ElectionEndpoint.class)
public class ElectionEndpointJmxExtension {

    private final ElectionEndpoint endpoint;

    public ElectionEndpointJmxExtension(ElectionEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @ReadOperation
    @Nullable
    ElectionDetailsDescriptor election(@Selector String name) {
        return endpoint.election(name);
    }

    @WriteOperation
    ElectionDetailsDescriptor act(@Selector String name, @Nullable String action, @Nullable String to) {
        return endpoint.act(name, action, to);
    }

    @DeleteOperation
    ElectionDetailsDescriptor delete(@Selector String name) {
        return endpoint.delete(name);
    }
}
