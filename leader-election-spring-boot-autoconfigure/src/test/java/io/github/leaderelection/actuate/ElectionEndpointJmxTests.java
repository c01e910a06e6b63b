package io.github.leaderelection.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The endpoint over JMX. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ElectionEndpointJmxTests {

    private static final String DOMAIN = "election-endpoint-tests";

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    private static WebApplication start(String... more) {
        String[] properties = Arrays.copyOf(
                new String[] {
                    "spring.jmx.enabled=true",
                    "management.endpoints.jmx.domain=" + DOMAIN,
                    "management.endpoints.jmx.exposure.include=election",
                    "leader-election.mode=local",
                    "leader-election.elections.orders="
                },
                5 + more.length);
        System.arraycopy(more, 0, properties, 5, more.length);
        WebApplication application = WebApplication.start(properties);
        await().until(() -> application.election("orders").isLeader());
        return application;
    }

    private Object invoke(String operation, Object... arguments) throws Exception {
        String[] signature = new String[arguments.length];
        Arrays.fill(signature, String.class.getName());
        return server.invoke(new ObjectName(DOMAIN + ":type=Endpoint,name=Election"), operation, arguments, signature);
    }

    @Test
    @SuppressWarnings("unchecked")
    void hasSameOperationsAsOverHttp() throws Exception {
        try (WebApplication application = start("management.endpoint.election.access=unrestricted")) {
            Map<String, Object> all = (Map<String, Object>) invoke("elections");
            assertThat(all).containsOnlyKeys("candidate", "connection", "led", "elections");
            assertThat((Map<String, Object>) all.get("elections")).containsOnlyKeys("orders");
            Map<String, Object> one = (Map<String, Object>) invoke("election", "orders");
            assertThat(one)
                    .containsOnlyKeys(
                            "path",
                            "role",
                            "fencingToken",
                            "term",
                            "since",
                            "following",
                            "error",
                            "leader",
                            "heir",
                            "candidates")
                    .containsEntry("role", "LEADER")
                    .containsEntry("error", null);
            assertThat(invoke("election", "nobody")).isNull();

            assertThat((Map<String, Object>) invoke("act", "orders", "withdraw"))
                    .containsEntry("role", "OBSERVER");
            assertThat(application.election("orders").isLeader()).isFalse();
            assertThatThrownBy(() -> invoke("act", "orders", "explode"))
                    .hasMessageContaining("Unknown action 'explode'");
            assertThatThrownBy(() -> invoke("act", "orders", "step-down")).hasMessageContaining("does not lead");
            assertThatThrownBy(() -> invoke("delete", "nobody")).hasMessageContaining("no election 'nobody'");
            assertThat((Map<String, Object>) invoke("delete", "orders")).containsEntry("role", "CLOSED");
        }
    }

    @Test
    void accessIsReadOnlyByDefault() throws Exception {
        try (WebApplication application = start()) {
            assertThat(application.get("/election").status()).isEqualTo(200);
            assertThat(server.getMBeanInfo(new ObjectName(DOMAIN + ":type=Endpoint,name=Election"))
                            .getOperations())
                    .extracting(MBeanOperationInfo::getName)
                    .containsExactlyInAnyOrder("elections", "election");
        }
    }
}
