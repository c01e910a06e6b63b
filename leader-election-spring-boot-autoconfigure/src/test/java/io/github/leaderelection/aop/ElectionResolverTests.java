package io.github.leaderelection.aop;

import static io.github.leaderelection.aop.LeaderOnlyApplication.assertRejected;

import io.github.leaderelection.LeaderOnly;
import org.junit.jupiter.api.Test;

class ElectionResolverTests {

    @Test
    void rejectsUnknownElections() {
        assertRejected(
                LeaderOnlyApplication.application(Unknown.class), "Unknown.job()", "\"refunds\"", "[orders, billing]");
        assertRejected(
                LeaderOnlyApplication.withOneElection(Unknown.class), "Unknown.job()", "\"refunds\"", "only 'orders'");
    }

    @Test
    void rejectsMissingNameUnlessThereIsOneElection() {
        assertRejected(LeaderOnlyApplication.application(Unnamed.class), "Unnamed.job()", "[orders, billing]");
        assertRejected(LeaderOnlyApplication.withElections(Unnamed.class), "Unnamed.job()", "there is none");
    }

    @Test
    void rejectsUnresolvablePlaceholders() {
        assertRejected(Unresolvable.class, "job", "${test.unset}");
    }

    @Test
    void rejectsPlaceholdersWithEmptyValue() {
        assertRejected(
                LeaderOnlyApplication.application(Unresolvable.class).withPropertyValues("test.unset="),
                "Unresolvable.job()",
                "does not name an election");
    }

    static class Unknown {
        @LeaderOnly("refunds")
        public void job() {}
    }

    static class Unnamed {
        @LeaderOnly
        public void job() {}
    }

    static class Unresolvable {
        @LeaderOnly("${test.unset}")
        public void job() {}
    }
}
