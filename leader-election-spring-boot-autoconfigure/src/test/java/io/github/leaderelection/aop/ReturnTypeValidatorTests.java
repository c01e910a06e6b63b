package io.github.leaderelection.aop;

import static io.github.leaderelection.aop.LeaderOnlyApplication.assertRejected;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.LeaderOnly.Otherwise;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class ReturnTypeValidatorTests {

    @Test
    void rejectsPrimitiveResultsOfCallsThatMayBeSkipped() {
        assertRejected(Primitive.class, "count", "returns int", "skipped");
    }

    @Test
    void rejectsNonNullResultsInKotlinOfCallsThatMayBeSkipped() {
        assertRejected(NonNullJob.class, "job", "returns String", "not nullable in Kotlin");
        assertRejected(NonNullSuspendingJob.class, "job", "returns String", "not nullable in Kotlin");
    }

    @Test
    void acceptsPrimitiveResultsOfCallsThatThrow() {
        LeaderOnlyApplication.application(Usable.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class Primitive {
        @LeaderOnly("orders")
        public int count() {
            return 1;
        }
    }

    @LeaderOnly(value = "orders", otherwise = Otherwise.THROW)
    static class Usable {

        static void helper() {}

        public static int answer() {
            return 42;
        }

        public int count() {
            return 1;
        }

        @LeaderOnly("orders")
        public Mono<Void> reactive() {
            return Mono.empty();
        }
    }
}
