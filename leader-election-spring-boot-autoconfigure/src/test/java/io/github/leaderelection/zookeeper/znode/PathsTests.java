package io.github.leaderelection.zookeeper.znode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PathsTests {

    @Test
    void aChildOfTheRootHasOneSlash() {
        assertThat(Paths.child("/", "elections")).isEqualTo("/elections");
        assertThat(Paths.child("/elections", "orders")).isEqualTo("/elections/orders");
    }

    @Test
    void theParentOfATopLevelNodeIsTheRoot() {
        assertThat(Paths.parent("/elections/orders")).isEqualTo("/elections");
        assertThat(Paths.parent("/elections")).isEqualTo("/");
        assertThat(Paths.parent("/")).isEqualTo("/");
    }

    @Test
    void theNameIsTheLastPart() {
        assertThat(Paths.name("/elections/orders")).isEqualTo("orders");
        assertThat(Paths.name("/elections")).isEqualTo("elections");
    }

    @Test
    void allAncestorsAreListedFromTheTopWithoutTheRoot() {
        assertThat(Paths.fromTop("/a/b/c")).containsExactly("/a", "/a/b", "/a/b/c");
        assertThat(Paths.fromTop("/a")).containsExactly("/a");
    }
}
