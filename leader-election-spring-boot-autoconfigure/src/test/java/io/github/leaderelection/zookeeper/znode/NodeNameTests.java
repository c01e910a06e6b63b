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
        "c-1f--000000005, -5"
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
                    .ifPresent(node -> assertThat(node.name()).matches("c-[0-9A-Za-z]+-(\\d{10}|-\\d{9,10})"));
        });
    }

    @Test
    void theGuidIsPartOfTheName() {
        assertThat(NodeName.prefix("1f")).isEqualTo("c-1f-");
        assertThat(NodeName.guid("c-1f-0000000005")).isEqualTo("1f");
        assertThat(NodeName.guid("c-1f--2147483648")).isEqualTo("1f");
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
