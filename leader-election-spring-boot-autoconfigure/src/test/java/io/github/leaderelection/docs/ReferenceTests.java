package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.event.ElectionEvent;
import io.github.leaderelection.zookeeper.ZooKeeperElections;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/** The tables are complete, and the names in the text are those of the code. */
class ReferenceTests {

    private static final String PACKAGE = "io.github.leaderelection";
    private static final Pattern TYPE = Pattern.compile("@?([A-Z]\\w+)(?:\\.(\\w+))?.*", Pattern.DOTALL);
    private static final Pattern METHOD = Pattern.compile("(?<![\\w.])([a-z]\\w*)\\(");

    /** Our types by their simple names. */
    private static Map<String, Class<?>> types;

    @BeforeAll
    static void loadTypes() {
        types = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS).importPackages(PACKAGE).stream()
                        .filter(JavaClass::isTopLevelClass)
                        .map(JavaClass::reflect)
                        .collect(Collectors.toMap(Class::getSimpleName, type -> type, ReferenceTests::moreVisible));
    }

    private static Class<?> moreVisible(Class<?> one, Class<?> other) {
        return Modifier.isPublic(one.getModifiers()) ? one : other;
    }

    static List<Page> pages() {
        return Page.all().stream()
                .filter(page -> !page.file().endsWith("design.md"))
                .toList();
    }

    @Test
    void everyPropertyIsInTheTableWithItsDefault() throws IOException {
        Map<String, String> known =
                KnownProperties.ofEverything().below("leader-election.").defaults();
        List<List<String>> rows = Page.docs("configuration.md").table("property", "default", "meaning");

        assertThat(rows)
                .map(row -> Page.code(row.get(0)).get(0))
                .containsExactlyInAnyOrderElementsOf(documented(known));
        for (List<String> row : rows) {
            String value = known.getOrDefault(Page.code(row.get(0)).get(0), "");
            if (!value.isEmpty()) {
                assertThat(row.get(1)).as(row.get(0)).isEqualTo("`%s`".formatted(value));
            }
        }
    }

    /** The metadata has maps as a whole. */
    private static Set<String> documented(Map<String, String> known) {
        Set<String> names = new TreeSet<>(known.keySet());
        names.remove("candidate.metadata");
        names.add("candidate.metadata.*");
        names.remove("elections");
        names.add("elections.<name>");
        KnownProperties.ofAnElection().forEach(key -> names.add("elections.<name>." + key));
        return names;
    }

    @Test
    void everyEventHasARow() {
        assertThat(Page.readme().table("event", "when", "carries"))
                .map(row -> Page.code(row.get(0)).get(0))
                .containsExactlyInAnyOrderElementsOf(types.values().stream()
                        .filter(type ->
                                ElectionEvent.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers()))
                        .map(Class::getSimpleName)
                        .toList());
    }

    @Test
    void everyGetterOfAnEventIsInItsRow() {
        for (List<String> row : Page.readme().table("event", "when", "carries")) {
            Class<?> event = types.get(Page.code(row.get(0)).get(0));
            List<String> getters = Arrays.stream(event.getDeclaredMethods())
                    .filter(method -> Modifier.isPublic(method.getModifiers()))
                    .map(method -> method.getName() + "()")
                    .toList();
            assertThat(Page.code(row.get(2))).containsExactlyInAnyOrderElementsOf(getters);
        }
    }

    @Test
    void everyReasonHasARow() {
        assertThat(Page.docs("programming-model.md").table("reason", "cause"))
                .map(row -> Page.code(row.get(0)).get(0))
                .containsExactly(
                        Arrays.stream(RevocationReason.values()).map(Enum::name).toArray(String[]::new));
    }

    @Test
    void everyRoleHasARow() {
        assertThat(Page.docs("operations.md").table("role", "meaning"))
                .map(row -> Page.code(row.get(0)).get(0))
                .containsExactlyInAnyOrder(
                        Arrays.stream(Role.values()).map(Enum::name).toArray(String[]::new));
    }

    @Test
    void everyAttributeOfLeaderOnlyHasARowWithItsDefault() {
        for (Page page : List.of(Page.readme(), Page.docs("programming-model.md"))) {
            List<List<String>> rows = page.table("attribute", "default", "meaning");
            assertThat(rows)
                    .map(row -> Page.code(row.get(0)).get(0))
                    .containsExactlyInAnyOrderElementsOf(Arrays.stream(LeaderOnly.class.getDeclaredMethods())
                            .map(Method::getName)
                            .toList());
            for (List<String> row : rows) {
                String value = String.valueOf(defaultOf(Page.code(row.get(0)).get(0)));
                if (!value.isEmpty()) {
                    assertThat(row.get(1)).isEqualTo("`%s`".formatted(value));
                }
            }
        }
    }

    private static Object defaultOf(String attribute) {
        return Arrays.stream(LeaderOnly.class.getDeclaredMethods())
                .filter(method -> method.getName().equals(attribute))
                .findFirst()
                .orElseThrow()
                .getDefaultValue();
    }

    @Test
    void everyAlertHasARow() throws IOException {
        List<List<String>> alerts = new ArrayList<>();
        try (InputStream file =
                ReferenceTests.class.getResourceAsStream("/META-INF/leader-election/prometheus-rules.yml")) {
            Map<String, List<Map<String, List<Map<String, Object>>>>> content = new Yaml().load(file);
            for (Map<String, Object> rule : content.get("groups").get(0).get("rules")) {
                Map<?, ?> labels = (Map<?, ?>) rule.get("labels");
                alerts.add(List.of("`%s`".formatted(rule.get("alert")), String.valueOf(labels.get("severity"))));
            }
        }
        assertThat(Page.docs("operations.md").table("alert", "severity", "means"))
                .map(row -> row.subList(0, 2))
                .containsExactlyElementsOf(alerts);
    }

    /** A name that is ours has to be public, and a member of it has to exist. */
    @ParameterizedTest
    @MethodSource("pages")
    void typesAndMembersExist(Page page) {
        assertThat(page.prose().code()).allSatisfy(code -> {
            var name = TYPE.matcher(code);
            Class<?> type = name.matches() ? types.get(name.group(1)) : null;
            if (type != null) {
                assertThat(type).isPublic();
                String member = name.group(2);
                assertThat(member == null || members(type).contains(member))
                        .as("%s has %s", type.getSimpleName(), member)
                        .isTrue();
            }
        });
    }

    private static Set<String> members(Class<?> type) {
        return Stream.of(
                        Arrays.stream(type.getMethods()).map(Method::getName),
                        Arrays.stream(type.getFields()).map(field -> field.getName()),
                        Arrays.stream(type.getClasses()).map(Class::getSimpleName))
                .flatMap(names -> names)
                .collect(Collectors.toSet());
    }

    @Test
    void everyMethodToMigrateToExists() {
        Set<String> methods = Stream.of(
                        Election.class,
                        ElectionListener.class,
                        Leadership.class,
                        ZooKeeperElections.class,
                        types.get("OnGrantedEvent"))
                .flatMap(type -> members(type).stream())
                .collect(Collectors.toSet());
        Page page = Page.docs("migrating.md");
        for (String other : List.of(
                "LeaderLatch", "LeaderSelector", "LeaderInitiator", "SmartLifecycleRoleController", "ShedLock")) {
            List<String> wanted = page.table(other, "here").stream()
                    .flatMap(row -> Page.code(row.get(1)).stream())
                    .flatMap(code -> METHOD.matcher(code).results())
                    .map((MatchResult result) -> result.group(1))
                    .toList();
            assertThat(methods).containsAll(wanted);
        }
    }

    @Test
    void everyMethodOfAnElectionIsExplained() {
        String rows =
                Page.docs("programming-model.md").table("method", "effect").toString();
        assertThat(Arrays.stream(Election.class.getDeclaredMethods())
                        .map(Method::getName)
                        .filter(name -> !Set.of("name", "path", "addListener", "removeListener")
                                .contains(name)))
                .allSatisfy(name -> assertThat(rows).contains("`" + name + "("));
    }
}
