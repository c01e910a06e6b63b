package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the README shows is taken from code that is compiled and run, and from properties that exist. */
class ReadmeTests {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern BLOCK = Pattern.compile("```(\\w+)\n(.*?)```", Pattern.DOTALL);

    static List<String> java() {
        return blocks("java");
    }

    static List<String> yaml() {
        return blocks("yaml").stream()
                .filter(block -> block.contains("leader-election:"))
                .toList();
    }

    private static List<String> blocks(String language) {
        Matcher matcher = BLOCK.matcher(read(ROOT.resolve("README.md")));
        List<String> blocks = new ArrayList<>();
        while (matcher.find()) {
            if (matcher.group(1).equals(language)) {
                blocks.add(matcher.group(2));
            }
        }
        return blocks;
    }

    @Test
    void thereAreSnippetsToCheck() {
        assertThat(java()).hasSizeGreaterThan(4);
        assertThat(yaml()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("java")
    void javaIsTakenFromCompiledCode(String snippet) {
        String wanted = withoutBlanks(snippet);
        assertThat(sources().filter(source -> withoutBlanks(read(source)).contains(wanted)))
                .as("a source that contains:%n%s", snippet)
                .isNotEmpty();
    }

    private static Stream<Path> sources() {
        return Stream.of("leader-election-spring-boot-autoconfigure", "sample-app")
                .map(module -> ROOT.resolve(module).resolve("src"))
                .filter(Files::isDirectory)
                .flatMap(ReadmeTests::walk)
                .filter(file -> file.toString().endsWith(".java"));
    }

    @ParameterizedTest
    @MethodSource("yaml")
    void propertiesExist(String snippet) throws IOException {
        List<String> known = knownProperties();
        for (PropertySource<?> source : new YamlPropertySourceLoader()
                .load("readme", new ByteArrayResource(snippet.getBytes(java.nio.charset.StandardCharsets.UTF_8)))) {
            assertThat(((Map<?, ?>) source.getSource()).keySet())
                    .map(Object::toString)
                    .filteredOn(property -> property.startsWith("leader-election."))
                    .allMatch(property ->
                            known.stream().anyMatch(name -> property.equals(name) || property.startsWith(name + ".")));
        }
    }

    @Test
    void everyPropertyIsInTheTable() throws IOException {
        String readme = read(ROOT.resolve("README.md"));
        assertThat(knownProperties())
                .allSatisfy(
                        property -> assertThat(readme).contains("`" + property.substring("leader-election.".length())));
    }

    private static List<String> knownProperties() throws IOException {
        try (var metadata = ReadmeTests.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            assertThat(metadata).as("generated configuration metadata").isNotNull();
            List<String> names = new ArrayList<>();
            for (JsonNode property : JsonMapper.shared().readTree(metadata).get("properties")) {
                String name = property.get("name").asString();
                if (name.startsWith("leader-election.")) {
                    names.add(name);
                }
            }
            return names;
        }
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

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
