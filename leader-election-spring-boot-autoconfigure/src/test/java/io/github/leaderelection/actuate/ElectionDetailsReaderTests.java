package io.github.leaderelection.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.ElectionStatus;
import io.github.leaderelection.Role;
import io.github.leaderelection.actuate.ElectionDescriptors.ElectionDetailsDescriptor;
import io.github.leaderelection.support.Electorate;
import io.github.leaderelection.support.ManagedElection;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ElectionDetailsReaderTests {

    private static final Candidate SELF = new Candidate("shop-1", Map.of(), 0, 7, Instant.EPOCH);
    private static final ElectionStatus NOT_LEADING = new ElectionStatus(
            "orders",
            "/elections/orders",
            Role.CANDIDATE,
            Optional.of(SELF),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    private static ManagedElection election(CompletableFuture<Electorate> electorate) {
        return (ManagedElection) Proxy.newProxyInstance(
                ManagedElection.class.getClassLoader(),
                new Class<?>[] {ManagedElection.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "status" -> NOT_LEADING;
                    case "electorate" -> electorate;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    /** As long as a leader that was paused has lost its lease, and the record still names it. */
    @Test
    void aContradictionThatLastsIsShownAsItIs() {
        var electorate = new Electorate(Optional.of(SELF), List.of(SELF), Optional.empty());

        ElectionDetailsDescriptor details =
                new ElectionDetailsReader().read(election(CompletableFuture.completedFuture(electorate)));

        assertThat(details.error()).isNull();
        assertThat(details.role()).isEqualTo("CANDIDATE");
        assertThat(details.candidates()).hasSize(1);
    }

    @Test
    void candidatesThatAreNotReadInTimeAreReported() {
        ElectionDetailsDescriptor details = new ElectionDetailsReader().read(election(new CompletableFuture<>()));

        assertThat(details.error()).isEqualTo("ZooKeeper has not returned the candidates within PT1S");
        assertThat(details.candidates()).isNull();
    }
}
