package io.github.leaderelection.docs;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.NotLeaderException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

@Component
class Ledger {

    private final JdbcClient database;

    Ledger(JdbcClient database) {
        this.database = database;
    }

    @LeaderOnly("billing")
    public void close(int month) {
        long token = Leadership.current().orElseThrow().fencingToken();
        write(month, token);
    }

    /** One statement compares and writes, so no other leader can come in between. */
    void write(int month, long token) {
        int written = database.sql("update ledger set closed = ?, token = ? where id = 1 and token <= ?")
                .params(month, token, token)
                .update();
        if (written == 0) {
            throw new NotLeaderException("A later leader has written to the ledger");
        }
    }
}
