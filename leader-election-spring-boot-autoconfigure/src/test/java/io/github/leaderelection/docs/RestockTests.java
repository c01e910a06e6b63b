package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.test.TestElection;
import org.junit.jupiter.api.Test;

class RestockTests {

    @Test
    void onlyTheLeaderRestocks() {
        TestElection orders = new TestElection("orders");
        Restock restock = new Restock(orders);
        assertThat(restock.restock()).isFalse();
        orders.grant();
        assertThat(restock.restock()).isTrue();
    }
}
