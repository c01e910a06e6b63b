package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whom a leader chooses as its heir. */
class SuccessionTests {

    private static final String IMPORTANT = "c-i.1.p5-0000000012";
    private static final String UNIMPORTANT = "c-u.1.m5-0000000002";

    private static Succession chosen(String appointed, Heirs heirs, String... nodes) {
        return Succession.UNKNOWN.listed(queue(nodes), ME, appointed, heirs);
    }

    private static String heir(String appointed, Heirs heirs, String... nodes) {
        return chosen(appointed, heirs, nodes).heir();
    }

    private static Heirs preferred(String connection) {
        return new Heirs(connection, Set.of());
    }

    private static Heirs silent(String... connections) {
        return new Heirs("", Set.of(connections));
    }

    @Test
    @DisplayName("the heir is the oldest of the others, also where that stands before the leader")
    void oldest() {
        assertThat(heir("", Heirs.NONE, ME, AFTER, LAST)).isEqualTo(AFTER);
        assertThat(heir("", Heirs.NONE, BEFORE, ME, AFTER)).isEqualTo(BEFORE);
        assertThat(heir("", Heirs.NONE, ME)).isNull();
    }

    @Test
    @DisplayName("the highest priority comes first, whatever else speaks for another candidate")
    void priority() {
        assertThat(heir("", Heirs.NONE, ME, AFTER, IMPORTANT)).isEqualTo(IMPORTANT);
        assertThat(heir(AFTER, preferred("y"), ME, AFTER, IMPORTANT)).isEqualTo(IMPORTANT);
        assertThat(heir("", Heirs.NONE, UNIMPORTANT, ME, AFTER)).isEqualTo(AFTER);
        assertThat(heir("", Heirs.NONE, UNIMPORTANT, ME)).isEqualTo(UNIMPORTANT);
    }

    @Test
    @DisplayName("the present heir stays, since a change costs two writes")
    void presentHeir() {
        assertThat(heir(LAST, Heirs.NONE, BEFORE, ME, AFTER, LAST)).isEqualTo(LAST);
        assertThat(heir(LAST, Heirs.NONE, ME, AFTER)).isEqualTo(AFTER);
    }

    @Test
    @DisplayName("the preferred connection comes before others, and before the present heir")
    void preferredConnection() {
        assertThat(heir("", preferred("z"), ME, AFTER, LAST)).isEqualTo(LAST);
        assertThat(heir(AFTER, preferred("z"), ME, AFTER, LAST)).isEqualTo(LAST);
    }

    @Test
    @DisplayName("a connection that has fallen silent is chosen only if all have, whatever its priority (F83)")
    void silentConnections() {
        assertThat(heir("", silent("y"), ME, AFTER, LAST)).isEqualTo(LAST);
        assertThat(heir(AFTER, silent("y"), ME, AFTER, LAST)).isEqualTo(LAST);
        assertThat(heir("", silent("i"), ME, AFTER, IMPORTANT)).isEqualTo(AFTER);
        assertThat(heir("", silent("y", "i"), ME, AFTER, IMPORTANT)).isEqualTo(IMPORTANT);
    }

    @Test
    @DisplayName("another candidate of the leader's own connection is chosen only if there is no other")
    void ownConnection() {
        String sibling = "c-me.2.p9-0000000008";

        assertThat(heir("", Heirs.NONE, ME, sibling, AFTER)).isEqualTo(AFTER);
        assertThat(heir("", Heirs.NONE, ME, sibling)).isEqualTo(sibling);
    }

    @Test
    @DisplayName("the heir's own heir is chosen among the others in the same way, but by no leader's preference")
    void next() {
        assertThat(chosen("", Heirs.NONE, ME, AFTER, LAST).next()).isEqualTo(LAST);
        assertThat(chosen("", Heirs.NONE, FIRST, ME, AFTER, IMPORTANT).next()).isEqualTo(FIRST);
        assertThat(chosen("", preferred("z"), BEFORE, ME, AFTER, LAST).next()).isEqualTo(BEFORE);
        assertThat(chosen("", silent("y"), ME, BEFORE, AFTER, LAST).next()).isEqualTo(LAST);
        assertThat(chosen("", Heirs.NONE, ME, AFTER).next()).isNull();
    }

    @Test
    @DisplayName("an heir that is not appointed is not named if it does not watch us; one that does is named instead")
    void successor() {
        Succession succession = chosen("", preferred("z"), BEFORE, ME, AFTER, LAST);

        assertThat(succession.plan(holding(LAST)).heir()).isEqualTo(LAST);
        assertThat(succession.plan(holding("")).heir()).isEqualTo(AFTER);
        assertThat(chosen(BEFORE, preferred("z"), BEFORE, ME, AFTER, LAST)
                        .plan(holding(BEFORE))
                        .heir())
                .isEqualTo(BEFORE);
        assertThat(chosen("", Heirs.NONE, BEFORE, ME).plan(holding("")).heir()).isEqualTo(BEFORE);
        assertThat(chosen("", Heirs.NONE, ME).plan(holding("")).heir()).isNull();
    }

    private static Holding holding(String heir) {
        return new Holding(VERSION, TOKEN, LEASE, heir, false);
    }

    @Test
    @DisplayName("there is no heir while the order of the queue is not known (F59)")
    void unordered() {
        Succession succession = chosen("", Heirs.NONE, ME, "c-x-2147483647");

        assertThat(succession.isKnown()).isTrue();
        assertThat(succession.heir()).isNull();
        assertThat(succession.next()).isNull();
        assertThat(succession.plan(holding("")).heir()).isNull();
    }

    @Test
    @DisplayName("nothing is known before the first list")
    void unknown() {
        assertThat(Succession.UNKNOWN.isKnown()).isFalse();
        assertThat(Succession.UNKNOWN.listed(CandidateQueue.NONE, ME, "", Heirs.NONE))
                .isEqualTo(Succession.UNKNOWN);
    }
}
