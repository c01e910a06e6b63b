package io.github.leaderelection.sample.shop;

import org.springframework.stereotype.Component;

/**
 * The resource that the leader writes to. It remembers the highest fencing token so far and rejects a lower one: the
 * sender of such a write has lost leadership in the meantime.
 *
 * <p>This class stands in for a database that all instances share. Do not copy the fields: the memory of one instance
 * never sees the tokens of other leaders. Store the token in the database, and compare and write in one statement.
 */
@Component
class Warehouse {

    private long highestToken;
    private long shipments;

    synchronized void ship(long fencingToken) {
        if (fencingToken < highestToken) {
            throw new IllegalStateException(
                    "Rejected: fencing token %d is lower than %d".formatted(fencingToken, highestToken));
        }
        highestToken = fencingToken;
        shipments++;
    }

    synchronized long shipments() {
        return shipments;
    }
}
