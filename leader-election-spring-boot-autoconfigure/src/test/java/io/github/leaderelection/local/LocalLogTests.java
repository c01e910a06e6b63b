package io.github.leaderelection.local;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.leaderelection.Election;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LocalLogTests {

    private final Logger logger = (Logger) LoggerFactory.getLogger(Election.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
        logger.setAdditive(true);
        logger.setLevel(null);
    }

    @Test
    void everyChangeOfRoleIsOneLine() {
        try (LocalElections elections = LocalElections.create("shop", Map.of())) {
            Election orders = elections.election("orders", "/elections/orders");
            orders.nominate();
            orders.stepDown();
            orders.withdraw();
            orders.withdraw();
            orders.nominate();
            orders.close();
            orders.close();
            Election billing = elections.election("billing", "/elections/billing");
            billing.nominate();
            billing.delete();
            billing.delete();
        }
        assertThat(log.list)
                .extracting(event -> event.getFormattedMessage().replaceAll(" \\(.*", ""))
                .containsExactly(
                        "Election 'orders': shop is a candidate",
                        "Election 'orders': shop leads",
                        "Election 'orders': shop no longer leads: STEPPED_DOWN",
                        "Election 'orders': shop leads",
                        "Election 'orders': shop no longer leads: WITHDRAWN",
                        "Election 'orders': shop has withdrawn",
                        "Election 'orders': shop is a candidate",
                        "Election 'orders': shop leads",
                        "Election 'orders': shop no longer leads: RESIGNED",
                        "Election 'orders' is closed in this process",
                        "Election 'billing': shop is a candidate",
                        "Election 'billing': shop leads",
                        "Election 'billing': shop no longer leads: ENDED",
                        "Election 'billing' has ended: /elections/billing was deleted");
    }
}
