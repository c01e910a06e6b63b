package io.github.leaderelection.zookeeper.znode;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.fixture.HostileText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeNameTests {

    @RegisterExtension
    final HostileText hostile = new HostileText();

    @ParameterizedTest
    @CsvSource({
        "c-1f-0000000005, 5",
        "c-1f-2147483647, 2147483647",
        "c-1f--2147483648, -2147483648",
        "c-1f--000000005, -5",
        "c-1f.a-0000000005, 5",
        "c-1f.a.p5-0000000005, 5",
        "c-1f.a.m5--000000005, -5"
    })
    void theSequenceIsReadAsZooKeeperWritesIt(String name, int sequence) {
        assertThat(NodeName.parse(name)).contains(new NodeName(name, sequence));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "c-",
                "c-x",
                "leader",
                "c-x-+5",
                "c-x-5",
                "c-x-+000000005",
                "c--0000000005",
                "c-x-\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0661",
                "c-\u2028-0000000005",
                "c-x-9999999999",
                "c-x--99999999999",
                "c-x-0000000005 ",
                "C-x-0000000005"
            })
    void anyOtherNameIsForeign(String name) {
        assertThat(NodeName.parse(name)).isEmpty();
    }

    @Test
    void onlyNamesThatZooKeeperCanHaveAssignedAreAccepted() {
        hostile.repeat(round -> {
            String name = round % 2 == 0 ? hostile.text() : "c-" + hostile.text() + "-" + hostile.text();
            NodeName.parse(name)
                    .ifPresent(node -> assertThat(node.name()).matches("c-[0-9A-Za-z.]+-(\\d{10}|-\\d{9,10})"));
        });
    }

    @Test
    void theGuidIsPartOfTheName() {
        assertThat(NodeName.prefix("1f")).isEqualTo("c-1f-");
        assertThat(NodeName.guid("c-1f-0000000005")).isEqualTo("1f");
        assertThat(NodeName.guid("c-1f--2147483648")).isEqualTo("1f");
    }

    @ParameterizedTest
    @CsvSource({"0, 1f.a", "5, 1f.a.p5", "-5, 1f.a.m5", "2147483647, 1f.a.p2147483647", "-2147483648, 1f.a.m2147483648"
    })
    void thePriorityIsPartOfTheGuid(int priority, String guid) {
        assertThat(NodeName.guid("1f.a", priority)).isEqualTo(guid);
        assertThat(named(guid).priority()).isEqualTo(priority);
        assertThat(named(guid).connection()).isEqualTo("1f");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1f", "1f.a", "1f.p5", "1f.a.p", "1f.a.5", "1f.a.55", "1f.a.x5", "1f.a.pp", "1f..", "1f.a.p5x"})
    void anyOtherGuidHasNoPriority(String guid) {
        assertThat(named(guid).priority()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"2147483647, 1f.a.p9999999999", "-2147483648, 1f.a.m9999999999", "0, 1f.a.p99999999999999999999"})
    void aPriorityThatIsTooLargeIsCutOff(int priority, String guid) {
        assertThat(named(guid).priority()).isEqualTo(priority);
    }

    private static NodeName named(String guid) {
        return NodeName.parse(NodeName.prefix(guid) + "0000000005").orElseThrow();
    }

    @Test
    void theGuidOfACandidacyBeginsWithThatOfItsConnection() {
        assertThat(named("1f.a").connection()).isEqualTo("1f");
        assertThat(named("1f").connection()).isEqualTo("1f");
        assertThat(NodeName.connection("1f.a.p5")).isEqualTo("1f");
    }

    @Test
    void aSequenceHasOverflownAtItsMaximumAndWhenNegative() {
        assertThat(new NodeName("c-1f-2147483646", Integer.MAX_VALUE - 1).overflown())
                .isFalse();
        assertThat(new NodeName("c-1f-2147483647", Integer.MAX_VALUE).overflown())
                .isTrue();
        assertThat(new NodeName("c-1f--2147483648", Integer.MIN_VALUE).overflown())
                .isTrue();
    }
}
