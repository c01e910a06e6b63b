package io.github.leaderelection.aop;

import static io.github.leaderelection.aop.LeaderOnlyApplication.assertRejected;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.LeaderOnly.Otherwise;
import kotlin.coroutines.Continuation;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class ReturnTypeValidatorTests {

    @Test
    void rejectsPrimitiveResultsOfCallsThatMayBeSkipped() {
        assertRejected(Primitive.class, "count", "returns int", "skipped");
    }

    @Test
    void rejectsSuspendingFunctions() {
        assertRejected(Suspending.class, "job", "suspending function");
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

    static class Suspending {
        @LeaderOnly("orders")
        public Object job(Continuation<String> continuation) {
            return "done";
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
