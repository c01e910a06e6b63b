package io.github.leaderelection.benchmarks.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.framework.recipes.leader.LeaderSelector;
import org.apache.curator.framework.recipes.leader.LeaderSelectorListener;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.support.SmartLifecycleRoleController;
import org.springframework.integration.zookeeper.leader.LeaderInitiator;

/** The methods to migrate from, in the tables of docs/migrating.md, exist in the other libraries. */
class MigrationTableTests {

    private static final Path PAGE = Path.of("..", "docs", "migrating.md");
    /** {@code name(…)} or {@code object.name(…)}; {@code .name(…)} belongs to another type. */
    private static final Pattern METHOD = Pattern.compile("`(?:\\w+\\.)?([a-z]\\w*)\\([^`]*`");

    static Stream<Arguments> tables() {
        return Stream.of(
                Arguments.of("LeaderLatch", List.of(LeaderLatch.class, LeaderLatchListener.class)),
                Arguments.of("LeaderSelector", List.of(LeaderSelector.class, LeaderSelectorListener.class)),
                Arguments.of("LeaderInitiator", List.of(LeaderInitiator.class, Candidate.class, Context.class)),
                Arguments.of("SmartLifecycleRoleController", List.of(SmartLifecycleRoleController.class)));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void methodsToMigrateFromExist(String library, List<Class<?>> types) throws IOException {
        Set<String> known = types.stream()
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .map(Method::getName)
                .collect(Collectors.toSet());
        List<String> named = Files.readAllLines(PAGE).stream()
                .dropWhile(line -> !line.startsWith("| " + library + " |"))
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.split("\\|")[1])
                .flatMap(cell -> METHOD.matcher(cell).results())
                .map((MatchResult result) -> result.group(1))
                .toList();
        assertThat(named).isNotEmpty().isSubsetOf(known);
    }
}
