package io.github.leaderelection.local;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Role;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Where this process stands in an in-process election; replaced as a whole by each change. */
sealed interface LocalState {

    Role role();

    default Optional<Candidate> candidate() {
        return Optional.empty();
    }

    default Optional<String> error() {
        return Optional.empty();
    }

    /** Whether it is closed because the election was deleted. */
    default boolean ended() {
        return false;
    }

    /** Whether something may be running that a term of it has admitted. */
    default boolean mayHaveWork() {
        return false;
    }

    record Observing() implements LocalState {

        @Override
        public Role role() {
            return Role.OBSERVER;
        }
    }

    /**
     * Nominated: leads when it is granted.
     *
     * @param mayHaveWork that of a term which was lost, and did not drain
     */
    record Waiting(Candidate self, Optional<String> error, boolean mayHaveWork) implements LocalState {

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

        @Override
        public boolean mayHaveWork() {
            return true;
        }
    }

    /** The term is over and drains; what follows may be changed until then. */
    record Leaving(Next next, CompletableFuture<Instant> handedOver) implements LocalState {

        Leaving then(Next other) {
            return new Leaving(other, handedOver);
        }

        @Override
        public Role role() {
            return switch (next) {
                case REJOIN -> Role.CANDIDATE;
                case OBSERVE -> Role.OBSERVER;
                case CLOSE, END -> Role.CLOSED;
            };
        }

        @Override
        public boolean ended() {
            return next == Next.END;
        }
    }

    /**
     * Over for this process.
     *
     * @param handedOver completes when its place is free
     */
    record Closed(boolean ended, CompletableFuture<Instant> handedOver) implements LocalState {

        @Override
        public Role role() {
            return Role.CLOSED;
        }
    }

    /** What follows a hand-over. */
    enum Next {
        REJOIN,
        OBSERVE,
        CLOSE,
        END
    }
}
