package io.github.leaderelection.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.Role;
import io.github.leaderelection.actuate.WebApplication;
import io.github.leaderelection.autoconfigure.Instances.EventLog;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;

/** A web application with {@code leave-when-not-ready}, which also refuses traffic when it is closed. */
class ElectionLifecycleTests {

    private WebApplication application;
    private Election orders;
    private EventLog log;

    @BeforeEach
    void start() {
        application = WebApplication.start(
                List.of(EventLog.class),
                "leader-election.mode=local",
                "leader-election.elections.orders=",
                "leader-election.leave-when-not-ready=true");
        orders = application.election("orders");
        log = application.context().getBean(EventLog.class);
        await().until(() -> log.events().contains("orders granted 1"));
    }

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void closingEndsTermWithReasonShutdown() {
        application.close();
        assertThat(log.events()).containsExactly("orders granted 1", "orders revoked 1 SHUTDOWN");
    }

    @Test
    void refusingTrafficEndsTermWithReasonNotReady() {
        AvailabilityChangeEvent.publish(application.context(), ReadinessState.REFUSING_TRAFFIC);
        await().until(() -> orders.role() == Role.OBSERVER);
        await().untilAsserted(() ->
                assertThat(log.events()).containsExactly("orders granted 1", "orders revoked 1 NOT_READY"));
    }

    @Test
    void acceptingTrafficAgainAtOnceKeepsLeadership() {
        AvailabilityChangeEvent.publish(application.context(), ReadinessState.REFUSING_TRAFFIC);
        AvailabilityChangeEvent.publish(application.context(), ReadinessState.ACCEPTING_TRAFFIC);
        await().during(ElectionLifecycle.NOT_READY_DELAY.multipliedBy(2)).until(orders::isLeader);
        assertThat(log.events()).containsExactly("orders granted 1");
    }
}
