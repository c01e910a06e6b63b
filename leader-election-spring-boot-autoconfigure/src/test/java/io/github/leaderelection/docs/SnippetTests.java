package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/** What the pages show is taken from code that is compiled and run, and from what there is. */
class SnippetTests {

    private static final Pattern DEPENDENCY =
            Pattern.compile("<groupId>(.+?)</groupId>\\s*<artifactId>(.+?)</artifactId>\\s*<version>(.+?)</version>");

    /** Without blanks. */
    private static List<String> sources;

    @BeforeAll
    static void readSources() {
        sources = Stream.of("leader-election-spring-boot-autoconfigure", "sample-app", "benchmarks")
                .flatMap(module -> walk(Page.ROOT.resolve(module).resolve("src")))
                .filter(file -> file.toString().endsWith(".java"))
                .map(file -> withoutBlanks(Page.read(file)))
                .toList();
    }

    static List<Page> pages() {
        return Page.all();
    }

    static Stream<String> java() {
        return blocks("java");
    }

    static Stream<String> yaml() {
        return blocks("yaml");
    }

    static Stream<String> xml() {
        return blocks("xml");
    }

    private static Stream<String> blocks(String language) {
        return Page.all().stream().flatMap(page -> page.blocks(language).stream());
    }

    /** Otherwise no test checks it. JSON and commands have tests of their own. */
    @ParameterizedTest
    @MethodSource("pages")
    void everyBlockSaysWhatItIs(Page page) {
        assertThat(page.blocks())
                .extracting(Page.Block::language)
                .isSubsetOf("java", "yaml", "xml", "json", "sh", "text");
    }

    @ParameterizedTest
    @MethodSource("java")
    void javaIsTakenFromCompiledCode(String snippet) {
        String wanted = withoutBlanks(snippet);
        assertThat(sources.stream().anyMatch(source -> source.contains(wanted)))
                .as("a source that contains:%n%s", snippet)
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("yaml")
    void propertiesExist(String snippet) throws IOException {
        KnownProperties known = KnownProperties.ofEverything();
        for (PropertySource<?> source : new YamlPropertySourceLoader()
                .load("snippet", new ByteArrayResource(snippet.getBytes(StandardCharsets.UTF_8)))) {
            assertThat(((Map<?, ?>) source.getSource()).keySet())
                    .isNotEmpty()
                    .map(Object::toString)
                    .allMatch(known::include, "a known property");
        }
    }

    @ParameterizedTest
    @MethodSource("xml")
    void dependenciesAreThoseOfTheBuild(String snippet) {
        List<MatchResult> dependencies = DEPENDENCY.matcher(snippet).results().toList();
        assertThat(dependencies).isNotEmpty();
        String build = withoutBlanks(Page.read(Page.ROOT.resolve("pom.xml")));
        for (MatchResult dependency : dependencies) {
            MatchResult managed = Pattern.compile(
                            Pattern.quote("<groupId>%s</groupId><artifactId>%s</artifactId><version>${"
                                            .formatted(dependency.group(1), dependency.group(2)))
                                    + "(.+?)}</version>")
                    .matcher(build)
                    .results()
                    .findFirst()
                    .orElseThrow();
            String version = managed.group(1).equals("project.version") ? "version" : managed.group(1);
            assertThat(build).contains("<%s>%s</%s>".formatted(version, dependency.group(3), version));
        }
    }

    @Test
    void propertiesThatAreMentionedExist() throws IOException {
        KnownProperties known = KnownProperties.ofEverything();
        assertThat(Page.all())
                .allSatisfy(page -> assertThat(page.prose().code())
                        .filteredOn(code ->
                                code.matches("(leader-election|management|spring\\.lifecycle|spring\\.main)\\..+"))
                        .map(code -> code.split("[=: ]")[0].replaceAll("\\.\\*?$", ""))
                        .allMatch(known::include, "a known property"));
    }

    private static String withoutBlanks(String text) {
        return text.replaceAll("\\s+", "");
    }

    private static Stream<Path> walk(Path directory) {
        try {
            return Files.walk(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
