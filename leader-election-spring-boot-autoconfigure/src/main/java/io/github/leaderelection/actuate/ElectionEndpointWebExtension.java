package io.github.leaderelection.actuate;

import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.NotLeaderException;
import io.github.leaderelection.Role;
import io.github.leaderelection.actuate.ElectionDescriptors.ElectionDescriptor;
import io.github.leaderelection.actuate.ElectionDescriptors.ErrorDescriptor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** Adds the operations on one election to the {@link ElectionEndpoint} over HTTP, with status codes and messages. */
@EndpointWebExtension(endpoint = ElectionEndpoint.class)
public class ElectionEndpointWebExtension {

    private final ElectionEndpoint endpoint;

    public ElectionEndpointWebExtension(ElectionEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Returns an election, or with the path {@code <election>/leader} whether this instance leads it. */
    @ReadOperation
    WebEndpointResponse<Object> read(@Selector(match = Selector.Match.ALL_REMAINING) ElectionPath path) {
        return path.isLeader()
                ? leader(path.election())
                : respond(path, name -> new WebEndpointResponse<>(endpoint.election(name)));
    }

    /** For load balancers: the HTTP status says whether this instance leads, without access to ZooKeeper. */
    private WebEndpointResponse<Object> leader(String name) {
        ElectionDescriptor election = endpoint.localElection(name);
        if (election == null) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        }
        return new WebEndpointResponse<>(
                election,
                election.role().equals(Role.LEADER.name())
                        ? WebEndpointResponse.STATUS_OK
                        : WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
    }

    @WriteOperation
    WebEndpointResponse<Object> act(
            @Selector(match = Selector.Match.ALL_REMAINING) ElectionPath path,
            @Nullable String action,
            @Nullable String to) {
        return respond(path, name -> new WebEndpointResponse<>(endpoint.act(name, action, to)));
    }

    @DeleteOperation
    WebEndpointResponse<Object> delete(@Selector(match = Selector.Match.ALL_REMAINING) ElectionPath path) {
        return respond(path, name -> {
            var unused = endpoint.delete(name);
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
        });
    }

    private WebEndpointResponse<Object> respond(
            ElectionPath path, Function<String, WebEndpointResponse<Object>> operation) {
        if (!path.isElection() || !endpoint.hasElection(path.election())) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        }
        try {
            return operation.apply(path.election());
        } catch (InvalidEndpointRequestException invalid) {
            return error(WebEndpointResponse.STATUS_BAD_REQUEST, invalid);
        } catch (ElectionConnectionException | NotLeaderException unavailable) {
            return error(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, unavailable);
        } catch (ElectionException failed) {
            return error(WebEndpointResponse.STATUS_INTERNAL_SERVER_ERROR, failed);
        }
    }

    private static WebEndpointResponse<Object> error(int status, Exception cause) {
        return new WebEndpointResponse<>(new ErrorDescriptor(String.valueOf(cause.getMessage())), status);
    }
}
