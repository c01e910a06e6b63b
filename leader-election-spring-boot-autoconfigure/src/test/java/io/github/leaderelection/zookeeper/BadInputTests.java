package io.github.leaderelection.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What others may have written where we read: whatever it is, reading it tells what can be told, and breaks nothing.
 * {@code -Dfuzz.seed=…} repeats a run, {@code -Dfuzz.rounds=…} prolongs it.
 */
class BadInputTests {

    private static final long SEED = Long.getLong("fuzz.seed", System.nanoTime());
    private static final int ROUNDS = Integer.getInteger("fuzz.rounds", 5_000);

    private final HostileText hostile = new HostileText(SEED);

    private static void repeatedly(Consumer<Integer> test) {
        System.out.printf("BadInputTests: seed %d, %d rounds%n", SEED, ROUNDS);
        for (int round = 0; round < ROUNDS; round++) {
            test.accept(round);
        }
    }

    private static Stream<byte[]> monsters() {
        String deep = "{\"id\":\"a\",\"metadata\":" + "[".repeat(400_000);
        String deeper = "{\"x\":" + "{\"x\":".repeat(100_000) + "1" + "}".repeat(100_001);
        String longText = "{\"id\":\"" + "x".repeat(1_000_000) + "\"}";
        String longName = "{\"" + "x".repeat(1_000_000) + "\":1}";
        String longNumber = "{\"token\":" + "9".repeat(1_000_000) + "}";
        return Stream.concat(
                Stream.of(deep, deeper, longText, longName, longNumber).map(text -> text.getBytes(UTF_8)),
                Stream.of(
                        new byte[0],
                        new byte[1_000_000],
                        new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf},
                        "{\"id\":\"utf-16\"}".getBytes(Charset.forName("UTF-16LE")),
                        "{\"id\":\"utf-32\"}".getBytes(Charset.forName("UTF-32BE")),
                        new byte[] {0, 0, 0, '{', 0x7f, 0x7f, 0x7f, 0x7f}));
    }

    @Test
    void anyDataOfACandidateCanBeRead() {
        byte[] valid = new CandidateData("a", Map.of("zone", "eu-1"), "/elections/.beats/b").toJson();
        repeatedly(round -> {
            byte[] data = switch (round % 3) {
                case 0 -> hostile.noise();
                case 1 -> hostile.damaged(valid);
                default ->
                    hostile.foreignDocument("id", "metadata", "beat", "version").getBytes(UTF_8);
            };
            CandidateData read = CandidateData.parse(data);
            assertThat(read.id()).isNotNull();
            assertThat(read.metadata()).doesNotContainValue(null);
            assertThat(read.heartbeat())
                    .satisfiesAnyOf(
                            heartbeat -> assertThat(heartbeat).isEmpty(),
                            heartbeat -> assertThat(heartbeat).startsWith("/"));
        });
        monsters()
                .forEach(data ->
                        assertThat(CandidateData.parse(data).heartbeat()).isEmpty());
    }

    @Test
    void anyRecordCanBeRead() {
        byte[] valid = LeaderRecord.held("c-0-0000000007", 42, 3_333).toJson();
        repeatedly(round -> {
            byte[] data = switch (round % 3) {
                case 0 -> hostile.noise();
                case 1 -> hostile.damaged(valid);
                default ->
                    hostile.foreignDocument("version", "state", "holder", "token", "lease")
                            .getBytes(UTF_8);
            };
            Optional<LeaderRecord> read = LeaderRecord.parse(data);
            read.ifPresent(record -> {
                assertThat(record.state()).isNotNull();
                assertThat(record.holder()).isNotNull();
                assertThat(record.lease()).isPositive();
            });
        });
        assertThat(monsters().map(LeaderRecord::parse)).allMatch(Optional::isEmpty);
    }

    @Test
    void whateverAnIdAndMetadataSayTheyAreReadAsTheyWereGiven() {
        repeatedly(round -> {
            ElectionOptions options = ElectionOptions.defaults()
                    .candidate(
                            abbreviated(hostile.text()), Map.of(hostile.text(), hostile.text(), "key", hostile.text()));
            var config = options.electionConfig("orders", "/elections/orders");
            var said = new CandidateData(config.id(), config.metadata(), "/elections/.beats/b");
            assertThat(CandidateData.parse(said.toJson())).isEqualTo(said);
        });
    }

    private static String abbreviated(String text) {
        return text.length() > 80 ? text.substring(0, 80) : text;
    }

    @Test
    void whatBreaksALineIsEscapedInAnIdAndWhatUnicodeCanNotWriteIsReplaced() {
        var config = ElectionOptions.defaults()
                .candidate("a\ud800\nb", Map.of("\udfff", "ok\ud83d\ude00"))
                .electionConfig("orders", "/elections/orders");

        assertThat(config.id()).isEqualTo("a\\ud800\\u000ab");
        assertThat(config.metadata()).containsExactly(Map.entry("?", "ok\ud83d\ude00"));
    }

    @Test
    void anIdOrMetadataTooLongForZooKeeperIsRefusedAtOnce() {
        Map<String, String> much = Map.of("novel", "x".repeat(70_000));

        assertThatThrownBy(() -> ElectionOptions.defaults().candidate("a", much))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65536");
        assertThatThrownBy(() -> ElectionOptions.defaults().candidate("ä".repeat(501), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("500")
                .hasMessageContaining("501");
    }

    @Test
    void aChildOfAnyNameIsForeignUnlessZooKeeperCanHaveNamedItForUs() {
        repeatedly(round -> {
            String name = round % 2 == 0 ? hostile.text() : "c-" + hostile.text() + "-" + hostile.text();
            NodeName.parse(name)
                    .ifPresent(node -> assertThat(node.name()).matches("c-[0-9A-Za-z]+-(\\d{10}|-\\d{9,10})"));
        });
        assertThat(List.of(
                        "c-x-+5",
                        "c-x-5",
                        "c-x-+000000005",
                        "c--0000000005",
                        "c-x-\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0661",
                        "c-\u2028-0000000005",
                        "c-x-9999999999",
                        "c-x-0000000005 ",
                        "C-x-0000000005"))
                .allMatch(name -> NodeName.parse(name).isEmpty());
        assertThat(NodeName.parse("c-1f-0000000005")).hasValue(new NodeName("c-1f-0000000005", 5));
        assertThat(NodeName.parse("c-1f--2147483648")).hasValue(new NodeName("c-1f--2147483648", Integer.MIN_VALUE));
        assertThat(NodeName.parse("c-1f--000000005")).hasValue(new NodeName("c-1f--000000005", -5));
    }
}
