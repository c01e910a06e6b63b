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
import org.springframework.web.client.RestClientResponseException;

/** Client of the {@code election} actuator endpoint of the replicas. */
@Component
class ElectionEndpointClient {

    private static final String PATH = "/actuator/election/{election}";

    /** Longer than the connection timeout and the drain timeout of a replica, after which it says what has happened. */
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

    private final RestClient http;

    ElectionEndpointClient() {
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build());
        requests.setReadTimeout(READ_TIMEOUT);
        this.http = RestClient.builder().requestFactory(requests).build();
    }

    private record Response(
            @Nullable List<Candidate> candidates, @Nullable Candidate heir) {}

    private record Candidate(String id) {}

    private record Refusal(@Nullable String message) {}

    /** Returns the queue of an election; it is empty if the replica could not read it. */
    CandidateQueue queue(URI replica, String election) {
        Response response = http.get()
                .uri(replica + PATH, election)
                .accept(MediaType.APPLICATION_JSON)
                .retrieve()
                .body(Response.class);
        return response == null || response.candidates() == null
                ? CandidateQueue.EMPTY
                : new CandidateQueue(
                        response.candidates().stream().map(Candidate::id).toList(),
                        response.heir() == null ? null : response.heir().id());
    }

    /**
     * Posts an action to the endpoint.
     *
     * @param action {@code step-down}, {@code withdraw} or {@code nominate}
     */
    void post(URI replica, String election, String action) {
        post(replica, election, Map.of("action", action));
    }

    /**
     * Moves the leadership of an election to a candidate.
     *
     * @param replica any replica; it asks the leader
     * @param to id of the candidate
     */
    void handOver(URI replica, String election, String to) {
        post(replica, election, Map.of("action", "hand-over", "to", to));
    }

    private void post(URI replica, String election, Map<String, String> body) {
        try {
            http.post()
                    .uri(replica + PATH, election)
                    .contentType(MediaType.APPLICATION_JSON)
                    .accept(MediaType.APPLICATION_JSON)
                    .body(body)
                    .retrieve()
                    .toBodilessEntity();
        } catch (RestClientResponseException refused) {
            throw new IllegalStateException(reason(refused), refused);
        }
    }

    /** Returns the reason that the endpoint gives, or the status where it gives none. */
    private static String reason(RestClientResponseException refused) {
        Refusal refusal =
                refused.getResponseBodyAsByteArray().length == 0 ? null : refused.getResponseBodyAs(Refusal.class);
        return refusal == null || refusal.message() == null ? String.valueOf(refused.getMessage()) : refusal.message();
    }
}
