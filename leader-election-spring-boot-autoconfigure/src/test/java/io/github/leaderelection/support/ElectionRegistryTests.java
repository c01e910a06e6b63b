package io.github.leaderelection.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.test.TestElection;
import org.junit.jupiter.api.Test;

class ElectionRegistryTests {

    private final ElectionRegistry<TestElection> register = new ElectionRegistry<>();

    private TestElection open(String name) {
        return register.open(name, new TestElection(name).path(), earlier -> new TestElection(name));
    }

    @Test
    void anOpenElectionIsTheSameForAll() {
        TestElection orders = open("orders");

        assertThat(open("orders")).isSameAs(orders);
        assertThat(register.find("orders", orders.path())).isSameAs(orders);
        assertThat(register.all()).containsExactly(orders);
    }

    @Test
    void anotherPathForAnOpenNameIsRefused() {
        TestElection orders = open("orders");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> register.find("orders", "/elsewhere"))
                .withMessageContainingAll("'orders'", orders.path(), "/elsewhere");
    }

    @Test
    void aClosedElectionMakesRoomForAnotherAndIsKeptUntilNothingOfItIsLeft() {
        TestElection first = open("orders");
        first.close();
        assertThat(register.find("orders", first.path())).isNull();

        TestElection second = register.open("orders", "/elsewhere", earlier -> {
            assertThat(earlier).isSameAs(first);
            return new TestElection("orders");
        });

        assertThat(register.all()).containsExactlyInAnyOrder(first, second);
        register.forget(first);
        assertThat(register.all()).containsExactly(second);
        register.forget(second);
        assertThat(register.all()).isEmpty();
    }

    @Test
    void onceClosedItOpensNothingAndStillKnowsAll() {
        TestElection orders = open("orders");

        assertThat(register.close()).isTrue();

        assertThat(register.close()).as("open before the second time").isFalse();
        assertThatExceptionOfType(ElectionClosedException.class)
                .isThrownBy(() -> open("orders"))
                .withMessageContaining("'orders'");
        assertThat(register.all()).containsExactly(orders);
    }
}
