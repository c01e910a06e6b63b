package io.github.leaderelection.sample.shop;

import org.springframework.stereotype.Component;

/**
 * What a leader writes to. It remembers the highest fencing token it has seen, and refuses a smaller one: such a write
 * was on its way when its sender lost the leadership.
 *
 * <p>It stands for a database that all instances share. Do not copy the fields: in the memory of one instance no other
 * leader's token is ever seen. Keep the token in the database, and compare and write in one statement.
 */
@Component
class Warehouse {

    private long highestToken;
    private long shipments;

    synchronized void ship(long fencingToken) {
        if (fencingToken < highestToken) {
            throw new IllegalStateException(
                    "Refused: fencing token %d, but %d was here".formatted(fencingToken, highestToken));
        }
        highestToken = fencingToken;
        shipments++;
    }

    synchronized long shipments() {
        return shipments;
    }
}
