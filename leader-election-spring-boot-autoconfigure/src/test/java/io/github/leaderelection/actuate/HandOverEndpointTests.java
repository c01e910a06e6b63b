package io.github.leaderelection.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.Role;
import io.github.leaderelection.actuate.WebApplication.Answer;
import io.github.leaderelection.zookeeper.ElectionOptions;
import io.github.leaderelection.zookeeper.ZooKeeperElections;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Moving the leadership by the endpoint of any instance, over HTTP and JMX. */
class HandOverEndpointTests extends WebApplicationTestSupport {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String JMX_DOMAIN = "hand-over-tests";
    private static final String HAND_OVER = "{\"action\":\"hand-over\"}";

    /** Starts an instance with an endpoint. */
    private WebApplication startAs(String id, String... properties) {
        var own = Stream.of("leader-election.candidate.id=" + id, UNRESTRICTED);
        return start(Stream.concat(own, Stream.of(properties)).toArray(String[]::new));
    }

    /** Joins as an instance without an endpoint. */
    private Election join(String id, String address) {
        ZooKeeperElections elections = ZooKeeperElections.over(
                watcher -> new ZooKeeper(address, 20_000, watcher),
                ElectionOptions.defaults().candidate(id, Map.of()).root(root).connectionTimeout(Duration.ofSeconds(5)));
        closedAtEnd(elections);
        Election election = elections.election("orders", root + "/orders");
        election.nominate();
        await().atMost(TIMEOUT).until(() -> election.role() == Role.LEADER || election.role() == Role.FOLLOWER);
        return election;
    }

    private Election join(String id) {
        return join(id, server.address());
    }

    private static void awaitRole(WebApplication application, Role role) {
        await().atMost(TIMEOUT).until(() -> application.election("orders").role() == role);
    }

    private static String to(String id) {
        return JsonMapper.shared().writeValueAsString(Map.of("action", "hand-over", "to", id));
    }

    private static Answer handOver(WebApplication application, String body) {
        return application.post("/election/orders", body);
    }

    private static String leader(Answer answer) {
        return answer.json().path("leader").path("id").asString();
    }

    private static void assertRefused(Answer answer, int status, String message) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.json().path("message").asString()).isEqualTo(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void anyInstanceMovesTheLeadershipToAnyCandidate(String type) {
        Election first = join("a");
        join("b");
        WebApplication third = startAs("c", "spring.main.web-application-type=" + type);
        awaitRole(third, Role.FOLLOWER);

        Answer toItself = handOver(third, to("c"));
        assertThat(toItself.status()).as(toItself.body()).isEqualTo(200);
        assertThat(toItself.json().path("role").asString()).isEqualTo("LEADER");
        assertThat(leader(toItself)).isEqualTo("c");
        assertThat(first.isLeader()).isFalse();

        Answer away = handOver(third, to("b"));
        assertThat(away.status()).as(away.body()).isEqualTo(200);
        assertThat(leader(away)).isEqualTo("b");

        Answer amongOthers = handOver(third, to("a"));
        assertThat(amongOthers.status()).as(amongOthers.body()).isEqualTo(200);
        assertThat(leader(amongOthers)).isEqualTo("a");
        await().atMost(TIMEOUT).until(first::isLeader);
    }

    @Test
    void withoutACandidateItGoesToTheHeir() {
        WebApplication first = startAs("a");
        awaitRole(first, Role.LEADER);
        Election second = join("b");
        Answer onTheLeader = handOver(first, HAND_OVER);
        assertThat(onTheLeader.status()).as(onTheLeader.body()).isEqualTo(200);
        assertThat(leader(onTheLeader)).isEqualTo("b");
        await().atMost(TIMEOUT).until(second::isLeader);

        awaitRole(first, Role.FOLLOWER);
        Answer onAFollower = handOver(first, HAND_OVER);
        assertThat(onAFollower.status()).as(onAFollower.body()).isEqualTo(200);
        assertThat(leader(onAFollower)).isEqualTo("a");
    }

    @Test
    void anObserverMovesTheLeadershipToo() {
        join("a");
        join("b");
        WebApplication observer = startAs("c", "leader-election.elections.orders.participate=false");
        assertThat(leader(handOver(observer, to("b")))).isEqualTo("b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void impossibleHandOversAreRefusedWithTheReason(String type) {
        WebApplication application = startAs("a", "spring.main.web-application-type=" + type);
        awaitRole(application, Role.LEADER);
        assertRefused(handOver(application, HAND_OVER), 400, "election 'orders' has no other candidate");
        join("twin");
        join("twin");

        assertRefused(handOver(application, to("a")), 400, "'a' already leads election 'orders'");
        assertRefused(handOver(application, to("b")), 400, "There is no candidate 'b' in election 'orders'");
        assertRefused(
                handOver(application, to("twin")),
                400,
                "Several candidates of election 'orders' have the id 'twin'. Give each instance its own"
                        + " (leader-election.candidate.id)");
        assertThat(application.election("orders").isLeader()).isTrue();
    }

    @Test
    void hostileIdsAreUnknownCandidates() {
        WebApplication application = startAs("a");
        awaitRole(application, Role.LEADER);
        for (String id : List.of(
                "", " ", "../a", "/orders/leader", "%s%n{}", "two\nlines", "\u202Eevil", "x".repeat(100_000), "\0")) {
            Answer answer = handOver(application, to(id));
            assertThat(answer.status()).as(id).isEqualTo(400);
            assertThat(answer.json().path("message").asString())
                    .hasSizeLessThan(300)
                    .doesNotContain("\n", "\u202E", "\0")
                    .startsWith("There is no candidate '");
        }
        assertThat(application.election("orders").isLeader()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void aCandidateMayHaveAnyId(String type) {
        WebApplication application = startAs("a", "spring.main.web-application-type=" + type);
        awaitRole(application, Role.LEADER);
        List<String> ids =
                List.of("\"quoted\"", "it's", "back\\slash", "a/b/../c", "%2F%n{}", " ", "Köln 名前 \ud83d\ude00");
        ids.forEach(this::join);
        for (String id : ids) {
            Answer answer = handOver(application, to(id));
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(leader(answer)).isEqualTo(id);
        }
    }

    @Test
    void aCandidateThatIsNoTextIsRefused() {
        WebApplication application = startAs("a");
        awaitRole(application, Role.LEADER);
        Election other = join("b");
        for (String to : List.of("42", "true", "{}", "{\"id\":\"b\"}", "[]", "[[\"b\"]]", "\"b")) {
            Answer answer = handOver(application, "{\"action\":\"hand-over\",\"to\":" + to + "}");
            assertThat(answer.status()).as(to + ": " + answer.body()).isEqualTo(400);
            assertThat(answer.body()).hasSizeLessThan(2_000).doesNotContain("\tat ");
        }
        assertThat(application.election("orders").isLeader()).isTrue();
        assertThat(other.isLeader()).isFalse();
    }

    @Test
    void withoutAConnectionItIsUnavailable() {
        try (TcpProxy proxy = new TcpProxy(server.port())) {
            join("a");
            WebApplication follower = startAs("b", "leader-election.zookeeper.connect-string=" + proxy.address());
            awaitRole(follower, Role.FOLLOWER);
            proxy.cut();
            await().atMost(TIMEOUT)
                    .until(
                            () -> follower.get("/election").json().at("/connection/state"),
                            state -> !state.asString().equals("CONNECTED"));

            assertThat(handOver(follower, to("b")).status()).isEqualTo(503);
            assertThat(handOver(follower, HAND_OVER).status()).isEqualTo(503);
            proxy.open();
        }
    }

    @Test
    void withoutALeaderItIsUnavailable() {
        WebApplication observer = startAs("a", "leader-election.elections.orders.participate=false");
        String reason = "There is no leader that could hand over election 'orders'";
        assertRefused(handOver(observer, to("a")), 503, reason);
        assertRefused(handOver(observer, HAND_OVER), 503, reason);
    }

    @Test
    void aLeaderThatDoesNotAnswerIsReportedInTime() {
        try (TcpProxy proxy = new TcpProxy(server.port())) {
            Election frozen = join("frozen", proxy.address());
            assertThat(frozen.isLeader()).isTrue();
            WebApplication other = startAs(
                    "b", "leader-election.zookeeper.connection-timeout=1s", "leader-election.drain-timeout=500ms");
            awaitRole(other, Role.FOLLOWER);
            proxy.blackHole();

            long start = System.nanoTime();
            Answer answer = handOver(other, to("b"));
            Duration time = Duration.ofNanos(System.nanoTime() - start);

            assertRefused(answer, 503, "The leader of election 'orders' has not handed over to 'b' in time");
            assertThat(time).isLessThan(Duration.ofSeconds(6));
            proxy.open();
        }
    }

    @Test
    void anEndedElectionHasNoLeadershipToMove() {
        WebApplication application = startAs("a");
        awaitRole(application, Role.LEADER);
        application.delete("/election/orders");
        assertThat(handOver(application, to("a")).status()).isEqualTo(400);
        assertThat(handOver(application, HAND_OVER).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void withoutAccessItIsNotAllowed(String type) {
        Election leader = join("a");
        WebApplication follower = startAs(
                "b", "management.endpoint.election.access=read-only", "spring.main.web-application-type=" + type);
        awaitRole(follower, Role.FOLLOWER);
        assertThat(handOver(follower, to("b")).status()).isEqualTo(405);
        assertThat(leader.isLeader()).isTrue();
    }

    private WebApplication startWithJmx(String id, String... properties) {
        return startAs(
                id,
                Stream.concat(
                                Stream.of(
                                        "spring.jmx.enabled=true",
                                        "management.endpoints.jmx.domain=" + JMX_DOMAIN,
                                        "management.endpoints.jmx.exposure.include=election"),
                                Stream.of(properties))
                        .toArray(String[]::new));
    }

    @Test
    @SuppressWarnings("unchecked")
    void movesOverJmx() throws Exception {
        join("a");
        WebApplication follower = startWithJmx("b");
        awaitRole(follower, Role.FOLLOWER);

        assertThat((Map<String, Object>) invoke("orders", "hand-over", "b")).containsEntry("role", "LEADER");
        Map<String, Object> toTheHeir = (Map<String, Object>) invoke("orders", "hand-over", null);
        assertThat(toTheHeir.get("leader")).isEqualTo(Map.of("id", "a"));
    }

    @Test
    void impossibleHandOversAreRefusedWithTheReasonOverJmx() {
        WebApplication application = startWithJmx("a", "leader-election.elections.billing.participate=false");
        awaitRole(application, Role.LEADER);
        assertThatThrownBy(() -> invoke("orders", "hand-over", null))
                .hasMessageContaining("election 'orders' has no other candidate");
        join("twin");
        join("twin");

        assertThatThrownBy(() -> invoke("orders", "hand-over", "a"))
                .hasMessageContaining("'a' already leads election 'orders'");
        assertThatThrownBy(() -> invoke("orders", "hand-over", "c"))
                .hasMessageContaining("There is no candidate 'c' in election 'orders'");
        assertThatThrownBy(() -> invoke("orders", "hand-over", "two\nlines"))
                .hasMessageContaining("There is no candidate 'two\\u000alines' in election 'orders'");
        assertThatThrownBy(() -> invoke("orders", "hand-over", "twin"))
                .hasMessageContaining("Several candidates of election 'orders' have the id 'twin'");
        assertThatThrownBy(() -> invoke("billing", "hand-over", "a"))
                .hasMessageContaining("There is no leader that could hand over election 'billing'");
        assertThatThrownBy(() -> invoke("unknown", "hand-over", "a"))
                .hasMessageContaining("There is no election 'unknown'");
        assertThat(application.election("orders").isLeader()).isTrue();
    }

    @Test
    void withoutAccessItIsNoOperationOverJmx() throws Exception {
        Election leader = join("a");
        WebApplication follower = startWithJmx("b", "management.endpoint.election.access=read-only");
        awaitRole(follower, Role.FOLLOWER);

        assertThatThrownBy(() -> invoke("orders", "hand-over", "b")).hasMessageContaining("no operation named act");
        assertThat(leader.isLeader()).isTrue();
    }

    private static Object invoke(String... arguments) throws Exception {
        String[] signature =
                Stream.of(arguments).map(each -> String.class.getName()).toArray(String[]::new);
        return ManagementFactory.getPlatformMBeanServer()
                .invoke(new ObjectName(JMX_DOMAIN + ":type=Endpoint,name=Election"), "act", arguments, signature);
    }
}
