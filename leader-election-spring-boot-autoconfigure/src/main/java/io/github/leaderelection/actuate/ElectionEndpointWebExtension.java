package io.github.leaderelection.actuate;

import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** Says by the HTTP status what became of a request, and by a message why it was refused. */
@EndpointWebExtension(endpoint = ElectionEndpoint.class)
public class ElectionEndpointWebExtension {

    private final ElectionEndpoint endpoint;

    public ElectionEndpointWebExtension(ElectionEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @WriteOperation
    WebEndpointResponse<Object> act(@Selector String name, @Nullable String action) {
        return answer(name, () -> new WebEndpointResponse<>(endpoint.act(name, action)));
    }

    @DeleteOperation
    WebEndpointResponse<Object> delete(@Selector String name) {
        return answer(name, () -> {
            var unused = endpoint.delete(name);
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
        });
    }

    private WebEndpointResponse<Object> answer(String name, Supplier<WebEndpointResponse<Object>> request) {
        if (!endpoint.knows(name)) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        }
        try {
            return request.get();
        } catch (InvalidEndpointRequestException invalid) {
            return refuse(WebEndpointResponse.STATUS_BAD_REQUEST, invalid);
        } catch (ElectionConnectionException away) {
            return refuse(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, away);
        } catch (ElectionException failed) {
            return refuse(WebEndpointResponse.STATUS_INTERNAL_SERVER_ERROR, failed);
        }
    }

    private static WebEndpointResponse<Object> refuse(int status, Exception cause) {
        return new WebEndpointResponse<>(new ElectionDescriptors.Refusal(String.valueOf(cause.getMessage())), status);
    }
}
