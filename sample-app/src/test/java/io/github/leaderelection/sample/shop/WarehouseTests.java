package io.github.leaderelection.sample.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WarehouseTests {

    private final Warehouse warehouse = new Warehouse();

    @Test
    void refusesWhatAnEarlierLeaderSendsAfterItsSuccessor() {
        warehouse.ship(41);
        warehouse.ship(42);
        warehouse.ship(42);
        assertThatThrownBy(() -> warehouse.ship(41)).hasMessageContaining("fencing token 41, but 42 was here");
        assertThat(warehouse.shipments()).isEqualTo(3);
    }
}
