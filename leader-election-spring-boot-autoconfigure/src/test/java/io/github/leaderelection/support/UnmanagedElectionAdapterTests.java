package io.github.leaderelection.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.LeaderOnly.WhenRevoked;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.test.TestElection;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class UnmanagedElectionAdapterTests {

    private static final Candidate CANDIDATE = new Candidate("shop", Map.of(), 1, 2, Instant.EPOCH);

    private final Election election = mock(Election.class);
    private final ManagedElection adapter = ManagedElection.of(election);

    @Test
    void managedElectionIsNotAdapted() {
        var managed = new TestElection("orders");
        assertThat(ManagedElection.of(managed)).isSameAs(managed);
    }

    static Stream<Method> methodsOfElection() {
        return Arrays.stream(Election.class.getMethods());
    }

    @ParameterizedTest
    @MethodSource("methodsOfElection")
    void delegatesToElection(Method method) throws Exception {
        method.invoke(adapter, new Object[method.getParameterCount()]);
        assertThat(mockingDetails(election).getInvocations())
                .singleElement()
                .satisfies(invocation -> assertThat(invocation.getMethod()).isEqualTo(method));
    }

    @Test
    void admitsWorkOnlyDuringValidTerm() {
        when(election.leadership()).thenReturn(Optional.empty());
        assertThat(adapter.admit(WhenRevoked.DRAIN, () -> "test")).isNull();

        Leadership term = mock(Leadership.class);
        when(election.leadership()).thenReturn(Optional.of(term));
        assertThat(adapter.admit(WhenRevoked.DRAIN, () -> "test")).isNull();

        when(term.isValid()).thenReturn(true);
        try (LeaderWork.Permit permit = adapter.admit(WhenRevoked.DRAIN, () -> "test")) {
            assertThat(permit).isNotNull();
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"OBSERVER", "CLOSED"})
    void withdrawsCandidates(Role role) {
        when(election.role()).thenReturn(role);
        assertThat(adapter.withdraw(RevocationReason.SHUTDOWN)).succeedsWithin(Duration.ofSeconds(10));
        verify(election).withdraw();
    }

    @ParameterizedTest
    @EnumSource(names = {"OBSERVER", "CLOSED"})
    void doesNotWithdrawOthers(Role role) {
        when(election.role()).thenReturn(role);
        assertThat(adapter.withdraw(RevocationReason.SHUTDOWN)).isCompleted();
        verify(election, never()).withdraw();
    }

    @Test
    void readsCandidatesOfElection() {
        when(election.leader()).thenReturn(Optional.of(CANDIDATE));
        when(election.candidates()).thenReturn(List.of(CANDIDATE));
        assertThat(adapter.electorate())
                .succeedsWithin(Duration.ofSeconds(10))
                .isEqualTo(new Electorate(Optional.of(CANDIDATE), List.of(CANDIDATE), Optional.empty()));
    }

    @Test
    void isConsideredConnectedAndNotEnded() {
        assertThat(adapter.gauges()).isEqualTo(new ElectionGauges(true, false, 0, 0, null));
    }
}
