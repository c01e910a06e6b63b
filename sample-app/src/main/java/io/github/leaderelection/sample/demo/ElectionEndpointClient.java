package io.github.leaderelection.sample.demo;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/** Client of the {@code election} actuator endpoint of the replicas. */
@Component
class ElectionEndpointClient {

    private static final String PATH = "/actuator/election/{election}";

    /** Long, because stepping down waits for running jobs to drain. */
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(15);

    private final RestClient http;

    ElectionEndpointClient() {
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build());
        requests.setReadTimeout(READ_TIMEOUT);
        this.http = RestClient.builder().requestFactory(requests).build();
    }

    private record Response(@Nullable List<Candidate> candidates) {}

    private record Candidate(String id) {}

    /** Returns the ids of the candidates in queue order, leader first; empty if the replica could not read them. */
    List<String> candidates(URI replica, String election) {
        Response response = http.get()
                .uri(replica + PATH, election)
                .accept(MediaType.APPLICATION_JSON)
                .retrieve()
                .body(Response.class);
        return response == null || response.candidates() == null
                ? List.of()
                : response.candidates().stream().map(Candidate::id).toList();
    }

    /**
     * Posts an action to the endpoint.
     *
     * @param action {@code step-down}, {@code withdraw} or {@code nominate}
     */
    void post(URI replica, String election, String action) {
        http.post()
                .uri(replica + PATH, election)
                .contentType(MediaType.APPLICATION_JSON)
                .body(Map.of("action", action))
                .retrieve()
                .toBodilessEntity();
    }
}
