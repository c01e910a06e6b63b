package io.github.leaderelection.actuate;

import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.actuate.ElectionDescriptors.ErrorDescriptor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** Adds HTTP status codes, and messages for rejected requests, to the {@link ElectionEndpoint}. */
@EndpointWebExtension(endpoint = ElectionEndpoint.class)
public class ElectionEndpointWebExtension {

    private final ElectionEndpoint endpoint;

    public ElectionEndpointWebExtension(ElectionEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @WriteOperation
    WebEndpointResponse<Object> act(@Selector String name, @Nullable String action) {
        return respond(name, () -> new WebEndpointResponse<>(endpoint.act(name, action)));
    }

    @DeleteOperation
    WebEndpointResponse<Object> delete(@Selector String name) {
        return respond(name, () -> {
            var unused = endpoint.delete(name);
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
        });
    }

    private WebEndpointResponse<Object> respond(String name, Supplier<WebEndpointResponse<Object>> operation) {
        if (!endpoint.hasElection(name)) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        }
        try {
            return operation.get();
        } catch (InvalidEndpointRequestException invalid) {
            return error(WebEndpointResponse.STATUS_BAD_REQUEST, invalid);
        } catch (ElectionConnectionException disconnected) {
            return error(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, disconnected);
        } catch (ElectionException failed) {
            return error(WebEndpointResponse.STATUS_INTERNAL_SERVER_ERROR, failed);
        }
    }

    private static WebEndpointResponse<Object> error(int status, Exception cause) {
        return new WebEndpointResponse<>(new ErrorDescriptor(String.valueOf(cause.getMessage())), status);
    }
}
