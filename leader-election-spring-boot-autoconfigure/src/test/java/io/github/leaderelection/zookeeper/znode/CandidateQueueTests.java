package io.github.leaderelection.zookeeper.znode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CandidateQueueTests {

    private static final String FIRST = "c-zz-0000000003";
    private static final String SECOND = "c-aa-0000000010";
    private static final String THIRD = "c-mm-0000000011";

    private static CandidateQueue queue(String... children) {
        return CandidateQueue.of(List.of(children), 7);
    }

    @Test
    void theSequenceDecidesTheOrderWhateverTheGuids() {
        CandidateQueue queue = queue(THIRD, SECOND, FIRST);

        assertThat(queue.nodes()).extracting(NodeName::name).containsExactly(FIRST, SECOND, THIRD);
        assertThat(queue.ordered()).isTrue();
        assertThat(queue.answeredAt()).isEqualTo(7);
    }

    @Test
    void foreignChildrenAreLeftOut() {
        assertThat(queue("leader", FIRST, "c-x", "lock-0000000001").nodes())
                .extracting(NodeName::name)
                .containsExactly(FIRST);
    }

    @Test
    void eachCandidateKnowsItsPredecessor() {
        CandidateQueue queue = queue(SECOND, THIRD, FIRST);

        assertThat(queue.before(FIRST)).isNull();
        assertThat(queue.before(SECOND)).isEqualTo(FIRST);
        assertThat(queue.before(THIRD)).isEqualTo(SECOND);
        assertThat(queue.before("c-aa-0000000099")).isNull();
        assertThat(queue.contains(SECOND)).isTrue();
        assertThat(queue.contains("c-aa-0000000099")).isFalse();
    }

    @Test
    void theHolderIsWatchedByTheNextCandidateOrElseByTheFirst() {
        CandidateQueue queue = queue(SECOND, THIRD, FIRST);

        assertThat(queue.watcherOf(FIRST)).isEqualTo(SECOND);
        assertThat(queue.watcherOf(SECOND)).isEqualTo(THIRD);
        assertThat(queue.watcherOf(THIRD)).isEqualTo(FIRST);
        assertThat(queue(FIRST).watcherOf(FIRST)).isNull();
    }

    @Test
    void aRequestToHandOverIsNoCandidate() {
        CandidateQueue queue = queue(SECOND, HandOverRequest.NODE, FIRST);

        assertThat(queue.handOverRequested()).isTrue();
        assertThat(queue.nodes()).extracting(NodeName::name).containsExactly(FIRST, SECOND);
        assertThat(queue(SECOND, FIRST).handOverRequested()).isFalse();
    }

    @Test
    void beforeTheFirstListThereIsNoCandidate() {
        assertThat(CandidateQueue.NONE.contains(FIRST)).isFalse();
        assertThat(CandidateQueue.NONE.watcherOf(FIRST)).isNull();
        assertThat(CandidateQueue.NONE.ordered()).isFalse();
    }

    @Test
    void theOrderIsUnknownAfterAnOverflowOfTheSequence() {
        String stuck = "c-aa-2147483647";
        String negative = "c-bb--2147483648";

        assertThat(queue("c-zz-2147483646").ordered()).isTrue();
        assertThat(queue("c-zz-2147483646", stuck).ordered()).isFalse();
        assertThat(queue(FIRST, negative).ordered()).isFalse();
        assertThat(queue("c-zz-2147483646", stuck).watcherOf("c-zz-2147483646")).isNull();
    }

    @Test
    void afterAnOverflowTheCzxidsDecideTheOrder() {
        String first = "c-zz-2147483647";
        String second = "c-aa--2147483648";
        String third = "c-mm-2147483647";
        String gone = "c-xx-2147483647";

        CandidateQueue queue = queue(third, gone, second, HandOverRequest.NODE, first)
                .orderedBy(Map.of(third, 30L, second, 20L, first, 10L), 8);

        assertThat(queue.nodes()).extracting(NodeName::name).containsExactly(first, second, third);
        assertThat(queue.ordered()).isTrue();
        assertThat(queue.answeredAt()).isEqualTo(8);
        assertThat(queue.watcherOf(first)).isEqualTo(second);
        assertThat(queue.handOverRequested()).isTrue();
    }

    @Test
    void nodesOfOneCandidacyAreFoundByTheirGuid() {
        CandidateQueue queue = queue("c-1f-0000000001", "c-1f2-0000000002", "c-1f-0000000003");

        assertThat(queue.withGuid("1f")).containsExactly("c-1f-0000000001", "c-1f-0000000003");
        assertThat(queue.withGuid("f")).isEmpty();
    }

    @Test
    void nodesOfOneConnectionAreFoundByItsGuid() {
        CandidateQueue queue =
                queue("c-1f.a-0000000001", "c-1f2.a-0000000002", "c-1f.b.p5-0000000003", "c-1f-0000000004");

        assertThat(queue.ofConnection("1f"))
                .containsExactly("c-1f.a-0000000001", "c-1f.b.p5-0000000003", "c-1f-0000000004");
        assertThat(queue.ofConnection("f")).isEmpty();
    }
}
