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
 * Responses of the endpoint. Names are explicit, nulls are written and times are text, so that the JSON does not depend on
 * how the application has configured its mapper.
 */
final class ElectionDescriptors {

    private ElectionDescriptors() {}

    @JsonInclude(content = JsonInclude.Include.ALWAYS)
    record ElectionsDescriptor(
            @JsonProperty("candidate") InstanceDescriptor candidate,
            @JsonProperty("connection") ConnectionDescriptor connection,
            @JsonProperty("led") long led,
            @JsonProperty("elections") Map<String, ElectionDescriptor> elections) {}

    /** The identity of this instance in all elections. */
    @JsonInclude(content = JsonInclude.Include.ALWAYS)
    record InstanceDescriptor(
            @JsonProperty("id") String id,
            @JsonProperty("metadata") Map<String, String> metadata) {}

    @JsonInclude
    record ConnectionDescriptor(
            @JsonProperty("state") String state,
            @JsonProperty("sessionId") @Nullable String sessionId,
            @JsonProperty("sessionTimeout") @Nullable String sessionTimeout) {

        static ConnectionDescriptor of(ConnectionStatus status) {
            return new ConnectionDescriptor(
                    status.state().name(),
                    Optional.ofNullable(status.sessionId())
                            .map(id -> "0x" + Long.toHexString(id))
                            .orElse(null),
                    Optional.ofNullable(status.sessionTimeout())
                            .map(Duration::toString)
                            .orElse(null));
        }
    }

    /** One election as this instance knows it, without access to ZooKeeper. */
    @JsonInclude
    record ElectionDescriptor(
            @JsonProperty("path") String path,
            @JsonProperty("role") String role,
            @JsonProperty("fencingToken") @Nullable Long fencingToken,
            @JsonProperty("term") @Nullable Long term,
            @JsonProperty("since") @Nullable String since,
            @JsonProperty("following") @Nullable String following,
            @JsonProperty("error") @Nullable String error) {

        static ElectionDescriptor of(ElectionStatus status) {
            Optional<Leadership> leadership = status.leadership();
            return new ElectionDescriptor(
                    status.path(),
                    status.role().name(),
                    leadership.map(Leadership::fencingToken).orElse(null),
                    leadership.map(Leadership::term).orElse(null),
                    leadership.map(term -> term.since().toString()).orElse(null),
                    status.following().orElse(null),
                    status.error().orElse(null));
        }

        /** Returns the election with the given error, unless it has one. */
        ElectionDescriptor orError(String other) {
            return error != null
                    ? this
                    : new ElectionDescriptor(path, role, fencingToken, term, since, following, other);
        }
    }

    /** One election with its candidates. */
    @JsonInclude
    record ElectionDetailsDescriptor(
            @JsonProperty("path") String path,
            @JsonProperty("role") String role,
            @JsonProperty("fencingToken") @Nullable Long fencingToken,
            @JsonProperty("term") @Nullable Long term,
            @JsonProperty("since") @Nullable String since,
            @JsonProperty("following") @Nullable String following,
            @JsonProperty("error") @Nullable String error,
            @JsonProperty("leader") @Nullable LeaderDescriptor leader,
            @JsonProperty("heir") @Nullable LeaderDescriptor heir,
            @JsonProperty("candidates") @Nullable List<CandidateDescriptor> candidates) {

        static ElectionDetailsDescriptor of(ElectionDescriptor election, Electorate electorate) {
            return of(
                    election,
                    election.error(),
                    LeaderDescriptor.of(electorate.leader()),
                    LeaderDescriptor.of(electorate.heir()),
                    electorate.candidates().stream()
                            .map(CandidateDescriptor::of)
                            .toList());
        }

        static ElectionDetailsDescriptor unavailable(ElectionDescriptor election, String error) {
            return of(election, error, null, null, null);
        }

        /** Returns the election with the given error, unless it has one. */
        ElectionDetailsDescriptor orError(String other) {
            return error != null
                    ? this
                    : new ElectionDetailsDescriptor(
                            path, role, fencingToken, term, since, following, other, leader, heir, candidates);
        }

        private static ElectionDetailsDescriptor of(
                ElectionDescriptor election,
                @Nullable String error,
                @Nullable LeaderDescriptor leader,
                @Nullable LeaderDescriptor heir,
                @Nullable List<CandidateDescriptor> candidates) {
            return new ElectionDetailsDescriptor(
                    election.path(),
                    election.role(),
                    election.fencingToken(),
                    election.term(),
                    election.since(),
                    election.following(),
                    error,
                    leader,
                    heir,
                    candidates);
        }
    }

    @JsonInclude
    record LeaderDescriptor(@JsonProperty("id") String id) {

        static @Nullable LeaderDescriptor of(Optional<Candidate> candidate) {
            return candidate.map(found -> new LeaderDescriptor(found.id())).orElse(null);
        }
    }

    @JsonInclude(content = JsonInclude.Include.ALWAYS)
    record CandidateDescriptor(
            @JsonProperty("id") String id,
            @JsonProperty("metadata") Map<String, String> metadata,
            @JsonProperty("priority") int priority,
            @JsonProperty("sequence") long sequence,
            @JsonProperty("since") String since) {

        static CandidateDescriptor of(Candidate candidate) {
            return new CandidateDescriptor(
                    candidate.id(),
                    candidate.metadata(),
                    candidate.priority(),
                    candidate.sequence(),
                    candidate.since().toString());
        }
    }

    /** The reason why a request was rejected. */
    @JsonInclude
    record ErrorDescriptor(@JsonProperty("message") String message) {}
}
