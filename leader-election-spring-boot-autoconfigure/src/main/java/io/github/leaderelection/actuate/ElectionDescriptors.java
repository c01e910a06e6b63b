package io.github.leaderelection.actuate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.leaderelection.Candidate;
import io.github.leaderelection.ElectionStatus;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.support.ConnectionStatus;
import io.github.leaderelection.support.Electorate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the endpoint answers. Names are spelled out, nulls are written and times are text, so that the answer looks the
 * same however the application has its JSON written.
 */
final class ElectionDescriptors {

    private ElectionDescriptors() {}

    @JsonInclude(content = JsonInclude.Include.ALWAYS)
    record All(
            @JsonProperty("candidate") Self candidate,
            @JsonProperty("connection") Connection connection,
            @JsonProperty("elections") Map<String, State> elections) {}

    /** What this instance is called in all of its elections. */
    @JsonInclude(content = JsonInclude.Include.ALWAYS)
    record Self(
            @JsonProperty("id") String id,
            @JsonProperty("metadata") Map<String, String> metadata) {}

    @JsonInclude
    record Connection(
            @JsonProperty("state") String state,
            @JsonProperty("sessionId") @Nullable String sessionId,
            @JsonProperty("sessionTimeout") @Nullable String sessionTimeout) {

        static Connection of(ConnectionStatus status) {
            return new Connection(
                    status.state().name(),
                    Optional.ofNullable(status.sessionId())
                            .map(id -> "0x" + Long.toHexString(id))
                            .orElse(null),
                    Optional.ofNullable(status.sessionTimeout())
                            .map(Duration::toString)
                            .orElse(null));
        }
    }

    /** One election, as this instance knows it without asking. */
    @JsonInclude
    record State(
            @JsonProperty("path") String path,
            @JsonProperty("role") String role,
            @JsonProperty("fencingToken") @Nullable Long fencingToken,
            @JsonProperty("term") @Nullable Long term,
            @JsonProperty("since") @Nullable String since,
            @JsonProperty("following") @Nullable String following,
            @JsonProperty("error") @Nullable String error) {

        static State of(ElectionStatus status) {
            Optional<Leadership> leadership = status.leadership();
            return new State(
                    status.path(),
                    status.role().name(),
                    leadership.map(Leadership::fencingToken).orElse(null),
                    leadership.map(Leadership::term).orElse(null),
                    leadership.map(term -> term.since().toString()).orElse(null),
                    status.following().orElse(null),
                    status.error().orElse(null));
        }
    }

    /** One election with everybody who takes part. */
    @JsonInclude
    record Details(
            @JsonProperty("path") String path,
            @JsonProperty("role") String role,
            @JsonProperty("fencingToken") @Nullable Long fencingToken,
            @JsonProperty("term") @Nullable Long term,
            @JsonProperty("since") @Nullable String since,
            @JsonProperty("following") @Nullable String following,
            @JsonProperty("error") @Nullable String error,
            @JsonProperty("leader") @Nullable Leader leader,
            @JsonProperty("candidates") @Nullable List<Participant> candidates) {

        static Details of(State state, Electorate electorate) {
            return of(
                    state,
                    state.error(),
                    electorate
                            .leader()
                            .map(candidate -> new Leader(candidate.id()))
                            .orElse(null),
                    electorate.candidates().stream().map(Participant::of).toList());
        }

        static Details unread(State state, String error) {
            return of(state, error, null, null);
        }

        private static Details of(
                State state, @Nullable String error, @Nullable Leader leader, @Nullable List<Participant> candidates) {
            return new Details(
                    state.path(),
                    state.role(),
                    state.fencingToken(),
                    state.term(),
                    state.since(),
                    state.following(),
                    error,
                    leader,
                    candidates);
        }
    }

    @JsonInclude
    record Leader(@JsonProperty("id") String id) {}

    @JsonInclude(content = JsonInclude.Include.ALWAYS)
    record Participant(
            @JsonProperty("id") String id,
            @JsonProperty("metadata") Map<String, String> metadata,
            @JsonProperty("sequence") long sequence,
            @JsonProperty("since") String since) {

        static Participant of(Candidate candidate) {
            return new Participant(
                    candidate.id(),
                    candidate.metadata(),
                    candidate.sequence(),
                    candidate.since().toString());
        }
    }

    /** Why a request was refused. */
    @JsonInclude
    record Refusal(@JsonProperty("message") String message) {}
}
