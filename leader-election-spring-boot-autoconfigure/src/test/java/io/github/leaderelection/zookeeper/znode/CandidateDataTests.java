package io.github.leaderelection.zookeeper.znode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.zookeeper.fixture.HostileText;
import java.time.Instant;
import java.util.Map;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CandidateDataTests {

    private static final String HEARTBEAT = "/elections/.beats/b";

    @RegisterExtension
    final HostileText hostile = new HostileText();

    private static CandidateData parse(String json) {
        return CandidateData.parse(json.getBytes(UTF_8));
    }

    @Test
    void theJsonIsPartOfTheContract() {
        var data = new CandidateData("a", "", Map.of("zone", "eu-1"), HEARTBEAT);

        assertThat(new String(data.toJson(), UTF_8))
                .isEqualTo(
                        "{\"id\":\"a\",\"metadata\":{\"zone\":\"eu-1\"},\"beat\":\"/elections/.beats/b\",\"protocol\":2}");
        assertThat(CandidateData.parse(data.toJson())).isEqualTo(data);
    }

    @Test
    void theApplicationIsNoMetadata() {
        var data = new CandidateData("a", "shop", Map.of("application", "mine"), HEARTBEAT);

        assertThat(new String(data.toJson(), UTF_8))
                .isEqualTo(
                        "{\"id\":\"a\",\"application\":\"shop\",\"metadata\":{\"application\":\"mine\"},\"beat\":\"/elections/.beats/b\",\"protocol\":2}");
        assertThat(CandidateData.parse(data.toJson())).isEqualTo(data);
    }

    @Test
    void unknownFieldsAreIgnored() {
        assertThat(parse("{\"priority\":[1,{\"id\":\"x\"}],\"id\":\"a\",\"beat\":\"" + HEARTBEAT + "\"}"))
                .isEqualTo(new CandidateData("a", "", Map.of(), HEARTBEAT, 1));
    }

    @Test
    void whatPrecedesAnErrorIsKept() {
        assertThat(parse("{\"id\":\"a\",\"metadata\":{\"zone\":\"eu-1\""))
                .isEqualTo(new CandidateData("a", "", Map.of("zone", "eu-1"), "", 1));
    }

    @Test
    void fieldsOfAnotherTypeAreIgnored() {
        assertThat(parse("{\"id\":7,\"metadata\":\"none\",\"beat\":true,\"protocol\":\"2\"}"))
                .isEqualTo(new CandidateData("", "", Map.of(), "", 1));
        assertThat(parse("{\"metadata\":{\"a\":1,\"b\":\"two\",\"c\":[\"three\"]}}")
                        .metadata())
                .containsExactly(Map.entry("b", "two"));
    }

    @Test
    void onlyACandidateThatKeepsTheSameRulesCanBeReplaced() {
        assertThat(new CandidateData("a", "", Map.of(), HEARTBEAT).allowsTakeOver())
                .isTrue();
        assertThat(parse("{\"protocol\":2}").allowsTakeOver()).isTrue();
        assertThat(parse("{\"protocol\":1}").allowsTakeOver()).isFalse();
        assertThat(parse("{\"protocol\":3}").allowsTakeOver()).isFalse();
        assertThat(parse("{}").allowsTakeOver()).isFalse();
    }

    @Test
    void aCandidateOfALaterVersionIsRecognized() {
        assertThat(parse("{\"protocol\":3}").isNewer()).isTrue();
        assertThat(parse("{\"protocol\":2}").isNewer()).isFalse();
        assertThat(parse("{}").isNewer()).isFalse();
    }

    @Test
    void aHeartbeatThatIsNoPathIsIgnored() {
        assertThat(parse("{\"beat\":\"elections/.beats/b\"}").heartbeat()).isEmpty();
        assertThat(parse("{\"beat\":\"/elections/../b\"}").heartbeat()).isEmpty();
    }

    @Test
    void anyDataCanBeRead() {
        byte[] valid = new CandidateData("a", "", Map.of("zone", "eu-1"), HEARTBEAT).toJson();
        hostile.documents(valid, "id", "metadata", "beat", "protocol").forEach(data -> {
            CandidateData read = CandidateData.parse(data);
            assertThat(read.id()).isNotNull();
            assertThat(read.metadata()).doesNotContainValue(null);
            assertThat(read.heartbeat())
                    .satisfiesAnyOf(
                            heartbeat -> assertThat(heartbeat).isEmpty(),
                            heartbeat -> assertThat(heartbeat).startsWith("/"));
        });
    }

    @Test
    void hugeDataCanBeRead() {
        HostileText.hugeDocuments()
                .forEach(data ->
                        assertThat(CandidateData.parse(data).heartbeat()).isEmpty());
    }

    @Test
    void theIdOfACandidateIsOneLine() {
        var node = new NodeName("c-1f.1.p3-0000000005", 5);
        var stat = new Stat();
        stat.setCtime(1_000);
        byte[] data = new CandidateData("two\nlines", "", Map.of("zone", "eu-1"), HEARTBEAT).toJson();

        Candidate candidate = CandidateData.candidate(node, data, stat);

        assertThat(candidate)
                .isEqualTo(new Candidate("two\\u000alines", Map.of("zone", "eu-1"), 3, 5, Instant.ofEpochMilli(1_000)));
    }
}
