package io.github.leaderelection.zookeeper.znode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.fixture.HostileText;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaderRecordTests {

    private static final String NODE = "c-0-0000000007";
    private static final String HEIR = "c-1-0000000008";

    @RegisterExtension
    final HostileText hostile = new HostileText();

    private static Optional<LeaderRecord> parse(String json) {
        return LeaderRecord.parse(json.getBytes(UTF_8));
    }

    @Test
    void theJsonIsPartOfTheContract() {
        LeaderRecord held = LeaderRecord.held(NODE, 42, 3_333);

        assertThat(new String(held.toJson(), UTF_8))
                .isEqualTo(
                        "{\"version\":1,\"state\":\"HELD\",\"holder\":\"" + NODE + "\",\"token\":42,\"lease\":3333}");
        assertThat(new String(LeaderRecord.held(NODE, HEIR, 42, 3_333).toJson(), UTF_8))
                .isEqualTo("{\"version\":1,\"state\":\"HELD\",\"holder\":\"" + NODE + "\",\"heir\":\"" + HEIR
                        + "\",\"token\":42,\"lease\":3333}");
        assertThat(new String(held.ended().acknowledge().toJson(), UTF_8))
                .isEqualTo("{\"version\":1,\"state\":\"ENDED\",\"holder\":\"" + NODE
                        + "\",\"token\":42,\"lease\":3333,\"acknowledged\":true}");
    }

    @Test
    void whatIsWrittenCanBeRead() {
        LeaderRecord held = LeaderRecord.held(NODE, 42, 3_333);
        LeaderRecord released = LeaderRecord.released(42, 3_333);

        assertThat(LeaderRecord.parse(held.toJson())).contains(held);
        LeaderRecord withHeir = LeaderRecord.held(NODE, HEIR, 42, 3_333);
        assertThat(LeaderRecord.parse(withHeir.toJson())).contains(withHeir);
        assertThat(LeaderRecord.parse(released.toJson())).contains(released);
        assertThat(LeaderRecord.parse(held.ended().toJson())).contains(held.ended());
        assertThat(LeaderRecord.parse(held.ended().acknowledge().toJson()))
                .contains(held.ended().acknowledge());
    }

    @Test
    void unknownFieldsAreIgnored() {
        assertThat(parse("{\"version\":1,\"quorum\":{\"node\":[1]},\"state\":\"RELEASED\",\"token\":7,\"lease\":500}"))
                .contains(LeaderRecord.released(7, 500));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"version\":2,\"state\":\"HELD\",\"holder\":\"x\",\"token\":7,\"lease\":500}",
                "{\"version\":2,\"state\":\"SHARED\"}",
                "{\"version\":2,\"lease\":\"long\"}",
                "{\"version\":2,\"state\":\"HELD\"",
                "{\"state\":\"RELEASED\",\"lease\":500,\"version\":3}"
            })
    void aRecordOfALaterVersionIsNeitherHeldNorReleased(String json) {
        assertThat(parse(json)).hasValueSatisfying(record -> {
            assertThat(record.state()).isEqualTo(LeaderRecord.State.NEWER);
            assertThat(record.heldBy("x")).isFalse();
            assertThat(record.heir()).isEmpty();
        });
    }

    @Test
    void aTokenOfZeroStandsForTheZxidOfTheRecord() {
        assertThat(LeaderRecord.held(NODE, 0, 3_333).token(90)).isEqualTo(90);
        assertThat(LeaderRecord.held(NODE, 42, 3_333).token(90)).isEqualTo(42);
    }

    @Test
    void anEndedElectionHasNoHeir() {
        assertThat(LeaderRecord.held(NODE, HEIR, 42, 3_333).ended().heir()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "{}",
                "{\"state\":\"HELD\",\"lease\":500",
                "{\"state\":\"PAUSED\",\"lease\":500}",
                "{\"state\":\"HELD\",\"lease\":0}",
                "{\"state\":\"HELD\",\"lease\":-1}",
                "{\"state\":\"HELD\",\"lease\":\"500\"}",
                "{\"state\":\"HELD\",\"lease\":99999999999999999999}",
                "{\"state\":\"HELD\",\"token\":1e400,\"lease\":500}",
                "{\"state\":\"HELD\",\"acknowledged\":1,\"lease\":500}",
                "{\"state\":{},\"lease\":500}"
            })
    void anUnreadableRecordIsNoRecord(String json) {
        assertThat(parse(json)).isEmpty();
    }

    @Test
    void aLeaseOfMoreThanADayIsNoRecord() {
        long day = Duration.ofDays(1).toMillis();

        assertThat(LeaderRecord.parse(LeaderRecord.released(1, day).toJson())).isPresent();
        assertThat(LeaderRecord.parse(LeaderRecord.released(1, day + 1).toJson()))
                .isEmpty();
    }

    @Test
    void onlyAHeldRecordIsHeldByItsHolder() {
        LeaderRecord held = LeaderRecord.held(NODE, 42, 3_333);

        assertThat(held.heldBy(NODE)).isTrue();
        assertThat(held.heldBy("c-0-0000000008")).isFalse();
        assertThat(held.ended().heldBy(NODE)).isFalse();
        assertThat(LeaderRecord.released(42, 3_333).heldBy("")).isFalse();
    }

    @Test
    void theEndOfAReleasedRecordNeedsNoAcknowledgement() {
        assertThat(LeaderRecord.held(NODE, 42, 3_333).ended().acknowledged()).isFalse();
        assertThat(LeaderRecord.released(42, 3_333).ended().acknowledged()).isTrue();
    }

    @Test
    void anyDataCanBeRead() {
        byte[] valid = LeaderRecord.held(NODE, 42, 3_333).toJson();
        hostile.documents(valid, "version", "state", "holder", "heir", "token", "lease")
                .forEach(data -> LeaderRecord.parse(data).ifPresent(record -> {
                    assertThat(record.state()).isNotNull();
                    assertThat(record.holder()).isNotNull();
                    assertThat(record.lease()).isPositive();
                }));
    }

    @Test
    void hugeDataIsNoRecord() {
        assertThat(HostileText.hugeDocuments().map(LeaderRecord::parse)).allMatch(Optional::isEmpty);
    }
}
