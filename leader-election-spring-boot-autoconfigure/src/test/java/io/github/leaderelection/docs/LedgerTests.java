package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leaderelection.Leadership;
import io.github.leaderelection.NotLeaderException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.test.TestElection;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;

/** The example of fencing: a statement that was on its way for too long is rejected by the database. */
class LedgerTests {

    private final TestElection election = new TestElection("billing");
    private EmbeddedDatabase dataSource;
    private JdbcClient database;

    @BeforeEach
    void createTable() {
        dataSource = new EmbeddedDatabaseBuilder()
                .setType(EmbeddedDatabaseType.H2)
                .generateUniqueName(true)
                .build();
        database = JdbcClient.create((DataSource) dataSource);
        database.sql("create table ledger (id int primary key, closed int not null, token bigint not null)")
                .update();
        database.sql("insert into ledger values (1, 0, 0)").update();
    }

    @AfterEach
    void shutDown() {
        dataSource.shutdown();
    }

    @Test
    void anOldLeadersWriteIsRejected() {
        Ledger ledger = new Ledger(database);
        Leadership old = election.grant();
        election.revoke(RevocationReason.CONNECTION_LOST);
        Leadership current = election.grant();

        ledger.write(11, current.fencingToken());

        assertThatThrownBy(() -> ledger.write(10, old.fencingToken())).isInstanceOf(NotLeaderException.class);
        assertThat(database.sql("select closed from ledger")
                        .query(Integer.class)
                        .single())
                .isEqualTo(11);
    }
}
