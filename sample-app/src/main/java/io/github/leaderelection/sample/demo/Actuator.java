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

/** The endpoint of a replica, as any operator could use it. */
@Component
class Actuator {

    private static final String PATH = "/actuator/election/{election}";

    /** Handing over waits for work that drains. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final RestClient http;

    Actuator() {
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build());
        requests.setReadTimeout(PATIENCE);
        this.http = RestClient.builder().requestFactory(requests).build();
    }

    private record Answer(@Nullable List<Candidate> candidates) {}

    private record Candidate(String id) {}

    /** Who stands in the queue of that election, by their ids, the leader first; empty if that cannot be read. */
    List<String> queue(URI replica, String election) {
        Answer answer = http.get()
                .uri(replica + PATH, election)
                .accept(MediaType.APPLICATION_JSON)
                .retrieve()
                .body(Answer.class);
        return answer == null || answer.candidates() == null
                ? List.of()
                : answer.candidates().stream().map(Candidate::id).toList();
    }

    /** @param action {@code step-down}, {@code withdraw} or {@code nominate} */
    void act(URI replica, String election, String action) {
        http.post()
                .uri(replica + PATH, election)
                .contentType(MediaType.APPLICATION_JSON)
                .body(Map.of("action", action))
                .retrieve()
                .toBodilessEntity();
    }
}
