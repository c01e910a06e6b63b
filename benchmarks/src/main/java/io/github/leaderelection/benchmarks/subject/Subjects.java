package io.github.leaderelection.benchmarks.subject;

import java.util.List;

/** What is compared. */
public final class Subjects {

    /** All subjects; the first is the baseline of the others. */
    public static final List<Subject> ALL = List.of(
            new BareRecipe(),
            new CuratorLeaderLatch(),
            new CuratorLeaderSelector(),
            new SpringLeaderInitiator(),
            new Ours());

    private Subjects() {}

    public static Subject named(String name) {
        return ALL.stream()
                .filter(subject -> subject.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
