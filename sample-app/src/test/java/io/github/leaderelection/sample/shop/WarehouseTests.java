package io.github.leaderelection.sample.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WarehouseTests {

    private final Warehouse warehouse = new Warehouse();

    @Test
    void rejectsAWriteOfAFormerLeader() {
        warehouse.ship(41);
        warehouse.ship(42);
        warehouse.ship(42);
        assertThatThrownBy(() -> warehouse.ship(41)).hasMessageContaining("fencing token 41 is lower than 42");
        assertThat(warehouse.shipments()).isEqualTo(3);
    }
}
