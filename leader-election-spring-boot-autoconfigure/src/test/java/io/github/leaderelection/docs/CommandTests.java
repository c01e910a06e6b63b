package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/** Commands name modules, profiles, properties, tests and files that exist. */
class CommandTests {

    private static final Set<String> PHASES = Set.of("test", "package", "verify", "install", "spring-boot:run");
    /** Those of Maven's plugins; others are our own. */
    private static final Set<String> PROPERTIES_OF_MAVEN =
            Set.of("skipTests", "skipITs", "maven.test.skip", "test", "it.test");

    private static final Path AUTO_CONFIGURATION = Page.ROOT.resolve("leader-election-spring-boot-autoconfigure");

    private static String builds;
    private static String tests;

    @BeforeAll
    static void read() {
        builds = Stream.of("", "leader-election-spring-boot-autoconfigure", "sample-app", "benchmarks")
                .map(module -> Page.read(Page.ROOT.resolve(module).resolve("pom.xml")))
                .collect(Collectors.joining());
        tests = testSources().map(Page::read).collect(Collectors.joining());
    }

    private static Stream<Path> testSources() {
        try {
            return Files.walk(AUTO_CONFIGURATION.resolve("src/test/java"))
                    .filter(file -> file.toString().endsWith(".java"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> commands() {
        Stream<String> blocks = Page.all().stream()
                .flatMap(page -> page.blocks("sh").stream())
                .flatMap(block -> block.replace("\\\n", " ").lines())
                .flatMap(line -> Arrays.stream(line.split("&&")));
        Stream<String> inline = Page.all().stream()
                .flatMap(page -> page.prose().code().stream())
                .filter(code -> code.startsWith("mvn ") || code.startsWith(".ci/"));
        return Stream.concat(blocks, inline).map(String::strip).distinct().toList();
    }

    @Test
    void thereAreCommandsToCheck() {
        assertThat(commands())
                .contains("mvn -B verify", "mvn -q -pl sample-app -am -Dmaven.test.skip spring-boot:run", ".ci/matrix");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everythingThatACommandNamesExists(String command) throws Exception {
        List<String> words =
                List.of(command.replaceAll("eval \"\\$\\((.*)\\)\"", "$1").split(" +"));
        switch (words.get(0)) {
            case "mvn" -> verifyMaven(words.subList(1, words.size()));
            case "java" -> verifyJar(words.subList(1, words.size()));
            case "docker" -> verifyCompose(words.subList(1, words.size()));
            default -> assertThat(Page.ROOT.resolve(words.get(0))).isExecutable();
        }
    }

    private static void verifyMaven(List<String> words) {
        List<String> goals = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("-pl")) {
                i++;
                assertThat(Page.ROOT.resolve(words.get(i)).resolve("pom.xml")).exists();
            } else if (word.startsWith("-P")) {
                assertThat(builds).contains("<id>%s</id>".formatted(word.substring(2)));
            } else if (word.startsWith("-D")) {
                verifyProperty(word.substring(2).split("=", 2));
            } else if (!Set.of("-q", "-B", "-am").contains(word)) {
                goals.add(word);
            }
        }
        assertThat(goals).isNotEmpty().isSubsetOf(PHASES);
    }

    private static void verifyProperty(String[] property) {
        if (!PROPERTIES_OF_MAVEN.contains(property[0])) {
            assertThat(builds.contains("<%s>".formatted(property[0]))
                            || tests.contains("\"%s\"".formatted(property[0])))
                    .as("somebody asks for %s", property[0])
                    .isTrue();
        } else if (property[0].equals("test")) {
            assertThat(testSources()).anyMatch(file -> file.endsWith(property[1] + ".java"));
        }
    }

    private static void verifyJar(List<String> words) throws IOException {
        assertThat(words.get(0)).isEqualTo("-jar");
        Path jar = Path.of(words.get(1));
        Path module = Page.ROOT.resolve(jar.getName(0));
        assertThat(Page.read(module.resolve("pom.xml")))
                .contains("<finalName>%s</finalName>"
                        .formatted(jar.getFileName().toString().replace(".jar", "")));
        KnownProperties known = KnownProperties.ofEverything();
        assertThat(words.subList(2, words.size()))
                .map(word -> word.substring("--".length()).split("=")[0])
                .filteredOn(name -> !name.equals("replica") && !name.startsWith("demo."))
                .allMatch(known::include, "a known property");
    }

    private static void verifyCompose(List<String> words) {
        assertThat(words.subList(0, 2)).containsExactly("compose", "-f");
        Map<String, Map<String, Object>> file = new Yaml().load(Page.read(Page.ROOT.resolve(words.get(2))));
        assertThat(words.get(3)).isIn("up", "kill");
        assertThat(file.get("services").keySet()).containsAll(words.subList(4, words.size()));
    }
}
