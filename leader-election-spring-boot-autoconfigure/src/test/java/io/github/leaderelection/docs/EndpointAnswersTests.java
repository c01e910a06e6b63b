package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.actuate.WebApplication;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The answers that operators find in the documentation are those of the endpoints, but for the values. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EndpointAnswersTests {

    @Test
    void answersHaveTheFieldsThatAreDocumented() {
        List<String> documented = Page.docs("operations.md").blocks("json");
        assertThat(documented).hasSize(3);
        try (WebApplication application = WebApplication.start(
                "leader-election.mode=local",
                "leader-election.elections.orders=",
                "management.info.java.enabled=false")) {
            await().until(() -> application.election("orders").isLeader());
            for (int i = 0; i < documented.size(); i++) {
                String path = List.of("/election", "/election/orders", "/info").get(i);
                JsonNode example = JsonMapper.shared().readTree(documented.get(i));
                assertThat(shape(application.get(path).json())).as(path).isEqualTo(shape(example));
            }
        }
    }

    /** The names of fields; a value is the empty text, whatever it is. */
    private static Object shape(JsonNode node) {
        if (node.isObject()) {
            Map<String, Object> fields = new TreeMap<>();
            node.properties().forEach(field -> fields.put(field.getKey(), shape(field.getValue())));
            return fields;
        }
        if (node.isArray()) {
            return node.valueStream().map(EndpointAnswersTests::shape).toList();
        }
        return "";
    }
}
