package io.github.leaderelection.local;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Role;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The state of this process in an in-process election. */
sealed interface LocalState {

    Role role();

    default Optional<Candidate> candidate() {
        return Optional.empty();
    }

    default Optional<String> error() {
        return Optional.empty();
    }

    /** Whether the election was deleted. */
    default boolean ended() {
        return false;
    }

    /** Not nominated. */
    record Observing() implements LocalState {
        @Override
        public Role role() {
            return Role.OBSERVER;
        }
    }

    /** Nominated, and not leading yet. */
    record Waiting(Candidate self, Optional<String> error) implements LocalState {
        @Override
        public Role role() {
            return Role.CANDIDATE;
        }

        @Override
        public Optional<Candidate> candidate() {
            return Optional.of(self);
        }
    }

    record Leading(LocalTerm term) implements LocalState {
        @Override
        public Role role() {
            return Role.LEADER;
        }

        @Override
        public Optional<Candidate> candidate() {
            return Optional.of(term.candidate());
        }
    }

    /** The last term is draining. This state outlasts the drain only if this process has left for good. */
    record Leaving(Next next, CompletableFuture<Instant> handedOver) implements LocalState {
        @Override
        public Role role() {
            return next.role;
        }

        @Override
        public boolean ended() {
            return next == Next.END;
        }
    }

    /** What follows a hand-over. May be replaced until the hand-over is complete, unless it is final. */
    enum Next {
        REJOIN(Role.CANDIDATE),
        OBSERVE(Role.OBSERVER),
        CLOSE(Role.CLOSED),
        END(Role.CLOSED);

        private final Role role;

        Next(Role role) {
            this.role = role;
        }

        boolean isFinal() {
            return role == Role.CLOSED;
        }
    }
}
