package io.github.leaderelection.docs;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The design page and the code agree on rules and faults. */
class DesignTests {

    private static final Path MAIN = Path.of("src/main/java");
    private static final Path TESTS = Path.of("src/test/java");
    private static final Pattern RULE = Pattern.compile("\\bR\\d+\\b");
    private static final Pattern FAULT = Pattern.compile("\\bF\\d+\\b");
    private static final Pattern FAULT_RANGE = Pattern.compile("\\bF(\\d+)-F(\\d+)\\b");

    private final String page = Page.read(Page.ROOT.resolve("docs/design.md"));
    private final String main = sources(MAIN);
    private final String tests = sources(TESTS);

    /** A row of the table of rules. */
    private record Rule(String id, List<String> methods, List<String> mutations) {}

    @Test
    void everyRuleIsCitedInTheCodeAndEveryCitedRuleIsExplained() {
        assertThat(ids(RULE, main)).isEqualTo(explained(RULE));
    }

    @Test
    void everyRuleIsCitedInATestAndEveryCitedRuleIsExplained() {
        assertThat(ids(RULE, tests)).isEqualTo(explained(RULE));
    }

    @Test
    void everyFaultIsTestedAndEveryTestedFaultIsExplained() {
        assertThat(ids(FAULT, tests)).isEqualTo(explained(FAULT));
    }

    @Test
    void rangesOfFaultsAreExplainedToo() {
        FAULT_RANGE.matcher(tests).results().forEach(range -> {
            for (int number = number(range, 1); number <= number(range, 2); number++) {
                assertThat(explained(FAULT)).contains("F" + number);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> eachRuleIsKeptByTheMethodThatThePageNames() {
        return rules().stream()
                .map(rule -> DynamicTest.dynamicTest(
                        rule.id(),
                        () -> assertThat(rule.methods())
                                .isNotEmpty()
                                .allSatisfy(
                                        method -> assertThat(declares(method)).isTrue())));
    }

    @TestFactory
    Stream<DynamicTest> eachRuleIsCitedInAClassThatThePageNames() {
        return rules().stream()
                .map(rule -> DynamicTest.dynamicTest(
                        rule.id(),
                        () -> assertThat(rule.methods())
                                .anySatisfy(method -> assertThat(ids(RULE, source(MAIN, className(method))))
                                        .contains(rule.id()))));
    }

    @TestFactory
    Stream<DynamicTest> eachMutationThatThePageNamesIsPartOfTheTests() {
        String mutations = mutations();
        String run = source(TESTS, "SimulationMutationTests");
        return rules().stream()
                .flatMap(rule -> rule.mutations().stream())
                .map(mutation -> DynamicTest.dynamicTest(mutation, () -> {
                    assertThat(mutations).containsPattern("static SimMutation " + mutation + "\\(");
                    assertThat(run).containsPattern("Sim\\w*Mutations(::|\\.)" + mutation + "\\b");
                }));
    }

    private static String mutations() {
        return Stream.of("SimMutations", "SimHeartbeatMutations", "SimTakeOverMutations", "SimMoveMutations")
                .map(name -> source(TESTS, name))
                .collect(Collectors.joining());
    }

    @Test
    void everyMutationIsNamedOnThePage() {
        List<String> named =
                rules().stream().flatMap(rule -> rule.mutations().stream()).toList();
        assertThat(Pattern.compile("\n    static SimMutation (\\w+)\\(")
                        .matcher(mutations())
                        .results()
                        .map(match -> match.group(1)))
                // The check of the own node in a take-over, like R8, cannot be found by any schedule.
                .filteredOn(mutation -> !mutation.equals("takeOverWithoutOwnNode"))
                .isSubsetOf(named);
    }

    @Test
    void everyStateOfTheProtocolIsInTheTableOfStates() {
        String states = page.substring(page.indexOf("## States"), page.indexOf("## Why the lease is safe"));
        Pattern state = Pattern.compile(
                "public record (\\w+)\\([^)]*\\)\\s+implements (State|Entering|Queued|Leaving|Outgoing) ");
        assertThat(state.matcher(main).results().map(match -> match.group(1)))
                .hasSizeGreaterThan(15)
                .allSatisfy(name -> assertThat(states).contains("| `" + name + "` |"));
    }

    /** The ids at the beginning of a row of a table. */
    private SortedSet<String> explained(Pattern id) {
        return page.lines()
                .filter(line -> line.startsWith("| "))
                .map(line -> line.split("\\|")[1].strip())
                .filter(id.asMatchPredicate())
                .collect(toCollection(TreeSet::new));
    }

    private List<Rule> rules() {
        List<Rule> rules = new ArrayList<>();
        page.lines().filter(line -> line.matches("\\| R\\d+ \\|.*")).forEach(line -> {
            String[] cells = line.split("\\|");
            rules.add(new Rule(cells[1].strip(), quoted(cells[3]), quoted(cells[4])));
        });
        assertThat(rules).hasSizeGreaterThan(20);
        return rules;
    }

    private static List<String> quoted(String cell) {
        return Pattern.compile("`([^`]+)`")
                .matcher(cell)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private static boolean declares(String method) {
        String name = method.substring(method.indexOf('.') + 1);
        return Pattern.compile("[\\w>\\]] " + name + "\\(")
                .matcher(source(MAIN, className(method)))
                .find();
    }

    private static String className(String method) {
        return method.substring(0, method.indexOf('.'));
    }

    private static SortedSet<String> ids(Pattern id, String text) {
        return id.matcher(text).results().map(MatchResult::group).collect(toCollection(TreeSet::new));
    }

    private static int number(MatchResult range, int group) {
        return Integer.parseInt(range.group(group));
    }

    private static String source(Path root, String className) {
        return String.join("\n", contents(root, file -> file.endsWith(className + ".java")));
    }

    /** All sources but this one, which is about ids in general. */
    private static String sources(Path root) {
        return String.join("\n", contents(root, file -> !file.endsWith("DesignTests.java")));
    }

    private static List<String> contents(Path root, Predicate<Path> filter) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(filter)
                    .map(Page::read)
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
