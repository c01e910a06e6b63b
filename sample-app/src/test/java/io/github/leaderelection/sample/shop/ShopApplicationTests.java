package io.github.leaderelection.sample.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;

/** The whole application in local mode, without ZooKeeper: it leads all elections. */
@SpringBootTest(properties = "leader-election.mode=local")
class ShopApplicationTests {

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofSeconds(60));
    }

    @Autowired
    private Elections elections;

    @Autowired
    @Qualifier("orders")
    private Election orders;

    @Autowired
    private Warehouse warehouse;

    @Autowired
    private OrderIntake orderIntake;

    @Autowired
    private InvoiceRun invoiceRun;

    @Autowired
    private DailyReport dailyReport;

    @Autowired
    private ElectionLog log;

    @Test
    void leadsAllElectionsAndRunsItsJobs() {
        eventually().until(() -> elections.all().stream().allMatch(Election::isLeader));
        eventually().until(() -> warehouse.shipments() > 0);
        eventually().until(() -> invoiceRun.invoices() > 0);
        eventually().until(() -> dailyReport.last().isPresent());
    }

    @Test
    void consumesOrdersOnlyWhileItLeads() {
        eventually().until(orders::isLeader);
        long before = orderIntake.accepted();
        orderIntake.place(1);
        eventually().until(() -> orderIntake.accepted() == before + 1);
        orders.withdraw();
        // The consumer has ended when withdraw() returns.
        orderIntake.place(2);
        assertThat(orderIntake.accepted()).isEqualTo(before + 1);

        orders.nominate();
        eventually().until(() -> orderIntake.accepted() == before + 2);
    }

    @Test
    void aJobDoesNotRunAfterWithdrawingFromItsElection() {
        eventually().until(orders::isLeader);
        orders.withdraw();
        // Running jobs have completed when withdraw() returns.
        long before = warehouse.shipments();
        long invoices = invoiceRun.invoices();
        eventually().until(() -> invoiceRun.invoices() >= invoices + 2);
        assertThat(warehouse.shipments()).isEqualTo(before);

        orders.nominate();
        eventually().until(() -> warehouse.shipments() > before);
        eventually()
                .untilAsserted(() -> assertThat(log.entries())
                        .filteredOn(entry -> entry.election().equals("orders"))
                        .extracting(ElectionLog.Entry::type)
                        .startsWith(ElectionLog.Type.GRANTED, ElectionLog.Type.REVOKED, ElectionLog.Type.GRANTED));
    }
}
