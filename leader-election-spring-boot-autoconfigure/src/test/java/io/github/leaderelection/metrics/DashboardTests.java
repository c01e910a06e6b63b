package io.github.leaderelection.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.actuate.WebApplication;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboard and the alert rules use meters and tags that an application has. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DashboardTests {

    private static final String FOLDER = "/META-INF/leader-election/";
    private static final Pattern SERIES = Pattern.compile("(election_\\w+)(?:\\{([^}]*)\\})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(=~|=)\\s*\"([^\"]*)\"");
    private static final Pattern GROUPING = Pattern.compile("\\bby \\(([^)]*)\\)");

    /** Added by Prometheus itself. */
    private static final Set<String> LABELS_OF_TARGETS = Set.of("job", "instance");

    /** Values by label, by series. */
    private static final Map<String, Map<String, Set<String>>> scraped = new HashMap<>();

    private static WebApplication application;

    @BeforeAll
    static void scrape() {
        application = WebApplication.start("leader-election.mode=local", "leader-election.elections.orders=");
        await().until(() -> application.election("orders").isLeader());
        application.get("/prometheus").body().lines().forEach(line -> {
            Matcher series = SERIES.matcher(line);
            if (series.lookingAt()) {
                Map<String, Set<String>> labels = scraped.computeIfAbsent(series.group(1), name -> new HashMap<>());
                Matcher label = MATCHER.matcher(series.group(2) == null ? "" : series.group(2));
                while (label.find()) {
                    labels.computeIfAbsent(label.group(1), name -> new HashSet<>())
                            .add(label.group(3));
                }
            }
        });
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static String read(String file) throws IOException {
        try (InputStream in = DashboardTests.class.getResourceAsStream(FOLDER + file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void panelsUseExistingMeters() throws IOException {
        JsonNode dashboard = JsonMapper.builder().build().readTree(read("grafana-dashboard.json"));
        List<String> expressions = new ArrayList<>();
        dashboard.path("panels").forEach(panel -> {
            assertThat(panel.path("title").asString()).isNotBlank();
            assertThat(panel.path("targets")).isNotEmpty();
            panel.path("targets")
                    .forEach(target -> expressions.add(target.path("expr").asString()));
        });
        expressions.forEach(DashboardTests::assertMeaningful);
        assertThat(seriesOf(expressions)).containsAll(seriesByMeter());
        assertThat(dashboard
                        .path("templating")
                        .path("list")
                        .get(1)
                        .path("query")
                        .asString())
                .isEqualTo("label_values(election_leader, election)");
    }

    /** One series of each meter that the dashboard has to show, with its name in Prometheus. */
    private static Set<String> seriesByMeter() {
        return Set.of(
                "election_leader",
                "election_transitions_total",
                "election_lease_remaining_seconds",
                "election_invocations_total",
                "election_handover_seconds_sum",
                "election_handover_seconds_count",
                "election_led",
                "election_moves_total");
    }

    @Test
    @SuppressWarnings("unchecked")
    void alertsUseExistingMeters() throws IOException {
        Map<String, Object> rules = new Yaml().load(read("prometheus-rules.yml"));
        List<Map<String, Object>> groups = (List<Map<String, Object>>) rules.get("groups");
        List<Map<String, Object>> alerts =
                (List<Map<String, Object>>) groups.get(0).get("rules");
        assertThat(alerts)
                .extracting(alert -> alert.get("alert"))
                .doesNotHaveDuplicates()
                .contains(
                        "ElectionWithoutLeader",
                        "ElectionWithTwoLeaders",
                        "ElectionFlapping",
                        "ElectionFlappingByMoves");
        alerts.forEach(alert -> {
            assertMeaningful((String) alert.get("expr"));
            assertThat((Map<String, Object>) alert.get("labels")).containsKey("severity");
            assertThat((Map<String, Object>) alert.get("annotations")).containsOnlyKeys("summary", "description");
        });
    }

    /** A slow ZooKeeper ends leases while the connection is established. */
    @Test
    void everyReasonForWhichALeaseRunsOutIsCounted() throws IOException {
        assertThat(read("prometheus-rules.yml"))
                .contains("reason=~\"%s|%s|%s\""
                        .formatted(
                                ElectionMeterRecorder.tagValue(RevocationReason.CONNECTION_LOST),
                                ElectionMeterRecorder.tagValue(RevocationReason.LEASE_EXPIRED),
                                ElectionMeterRecorder.tagValue(RevocationReason.SESSION_EXPIRED)));
    }

    private static Set<String> seriesOf(List<String> expressions) {
        Set<String> names = new HashSet<>();
        expressions.forEach(expression -> {
            Matcher series = SERIES.matcher(expression);
            while (series.find()) {
                names.add(series.group(1));
            }
        });
        return names;
    }

    private static void assertMeaningful(String expression) {
        assertThat(expression.chars().filter(c -> c == '(').count())
                .as(expression)
                .isEqualTo(expression.chars().filter(c -> c == ')').count());
        Set<String> labels = new HashSet<>(LABELS_OF_TARGETS);
        Matcher series = SERIES.matcher(expression);
        int found = 0;
        while (series.find()) {
            found++;
            assertThat(scraped).as(expression).containsKey(series.group(1));
            Map<String, Set<String>> known = scraped.get(series.group(1));
            labels.addAll(known.keySet());
            assertLabels(expression, known, series.group(2) == null ? "" : series.group(2));
        }
        assertThat(found).as(expression).isPositive();
        Matcher grouping = GROUPING.matcher(expression);
        while (grouping.find()) {
            assertThat(labels).as(expression).contains(grouping.group(1).split(",\\s*"));
        }
    }

    private static void assertLabels(String expression, Map<String, Set<String>> known, String matchers) {
        Matcher label = MATCHER.matcher(matchers);
        while (label.find()) {
            assertThat(known).as(expression).containsKey(label.group(1));
            Set<String> values = known.get(label.group(1));
            if (label.group(2).equals("=")) {
                assertThat(values).as(expression).contains(label.group(3));
            } else if (!label.group(3).startsWith("$")) {
                assertThat(values).as(expression).contains(label.group(3).split("\\|"));
            }
        }
    }
}
