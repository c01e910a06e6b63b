package io.github.leaderelection;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import java.time.Instant;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.NullMarked;
import org.springframework.boot.autoconfigure.AutoConfiguration;

@AnalyzeClasses(packages = ArchitectureTests.ROOT, importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

    static final String ROOT = "io.github.leaderelection";

    private static final String AUTOCONFIGURE = ROOT + ".autoconfigure";
    private static final String ZOOKEEPER = ROOT + ".zookeeper";
    private static final String GUARD_OPERATION = "org.apache.zookeeper.Op";

    @ArchTest
    static final ArchRule theCoreImportsNoSpring = noClasses()
            .that()
            .resideInAnyPackage(ROOT, ROOT + ".support..", ROOT + ".zookeeper..", ROOT + ".local..", ROOT + ".test..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule theRootPackageDependsOnNextToNothing =
            classes().that().resideInAPackage(ROOT).should(dependOnlyOnTheApi()).allowEmptyShould(true);

    @ArchTest
    static final ArchRule onlyTheGuardOfALeadershipShowsZooKeeper = methods()
            .that()
            .areDeclaredInClassesThat(are(resideInAnyPackage(ROOT)))
            .and()
            .haveRawReturnType(GUARD_OPERATION)
            .should()
            .haveName("guard")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule packagesAreFreeOfCycles = slices().assignedFrom(packagesBelowTheRoot())
            .should()
            .beFreeOfCycles()
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule dependenciesPointDownward = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .withOptionalLayers(true)
            .layer("auto-configuration")
            .definedBy(ROOT + ".autoconfigure..")
            .layer("integration")
            .definedBy(
                    ROOT + ".aop..",
                    ROOT + ".term..",
                    ROOT + ".event..",
                    ROOT + ".lifecycle..",
                    ROOT + ".actuate..",
                    ROOT + ".metrics..")
            .layer("test support")
            .definedBy(ROOT + ".test..")
            .layer("engine")
            .definedBy(ROOT + ".zookeeper..", ROOT + ".local..")
            .layer("support")
            .definedBy(ROOT + ".support..")
            .layer("API")
            .definedBy(ROOT)
            .whereLayer("auto-configuration")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("integration")
            .mayOnlyBeAccessedByLayers("auto-configuration")
            .whereLayer("test support")
            .mayOnlyBeAccessedByLayers("auto-configuration")
            .whereLayer("engine")
            .mayOnlyBeAccessedByLayers("auto-configuration", "integration", "test support")
            .whereLayer("support")
            .mayOnlyBeAccessedByLayers("auto-configuration", "integration", "engine", "test support")
            .ensureAllClassesAreContainedInArchitecture()
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule packagesOfTheAutoConfigurationAreFreeOfCycles =
            slices().matching(AUTOCONFIGURE + ".(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule onlyTheMainAutoConfigurationImportsTheOthers = noClasses()
            .that()
            .resideInAPackage(AUTOCONFIGURE)
            .and()
            .areNotAssignableTo(LeaderElectionAutoConfiguration.class)
            .should()
            .dependOnClassesThat(resideInAPackage(AUTOCONFIGURE + ".(*)..")
                    .and(not(resideInAPackage(AUTOCONFIGURE + ".condition"))));

    @ArchTest
    static final ArchRule autoConfigurationsShowNothingButTheirNames = classes()
            .that()
            .areAnnotatedWith(AutoConfiguration.class)
            .should()
            .bePublic()
            .andShould()
            .haveModifier(JavaModifier.FINAL)
            .andShould(haveNoPublicMembers());

    @ArchTest
    static final ArchRule theRoomsOfTheEngineAreBuiltOnEachOther = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("face")
            .definedBy(ZOOKEEPER)
            .layer("engine")
            .definedBy(ZOOKEEPER + ".engine")
            .layer("protocol")
            .definedBy(ZOOKEEPER + ".protocol")
            .layer("placement")
            .definedBy(ZOOKEEPER + ".placement")
            .layer("znode")
            .definedBy(ZOOKEEPER + ".znode")
            .layer("client")
            .definedBy(ZOOKEEPER + ".client")
            .whereLayer("face")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("engine")
            .mayOnlyBeAccessedByLayers("face")
            .whereLayer("protocol")
            .mayOnlyBeAccessedByLayers("face", "engine")
            .whereLayer("placement")
            .mayOnlyBeAccessedByLayers("engine")
            .whereLayer("znode")
            .mayOnlyBeAccessedByLayers("face", "engine", "protocol")
            .whereLayer("client")
            .mayOnlyBeAccessedByLayers("face", "engine", "protocol");

    @ArchTest
    static final ArchRule theInnerRoomsOfTheEngineAreInternal = noClasses()
            .that()
            .resideOutsideOfPackage(ZOOKEEPER + "..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ZOOKEEPER + ".(*)..");

    @ArchTest
    static final ArchRule theProtocolIsPure = noClasses()
            .that()
            .resideInAnyPackage(ZOOKEEPER + ".protocol", ZOOKEEPER + ".placement")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.slf4j..", "java.util.concurrent..", "java.io..", "java.net..")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(AsyncClient.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(ZooKeeper.class)
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Math.class, "random");

    @ArchTest
    static final ArchRule everyPackageIsNullMarked =
            classes().should(resideInANullMarkedPackage()).allowEmptyShould(true);

    private static ArchCondition<JavaClass> dependOnlyOnTheApi() {
        return new ArchCondition<>("depend only on Java, JSpecify, SLF4J and each other") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getDirectDependenciesFromSelf().stream()
                        .filter(dependency -> !isAllowed(dependency))
                        .forEach(dependency ->
                                events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription())));
            }
        };
    }

    private static boolean isAllowed(Dependency dependency) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (target.getName().equals(GUARD_OPERATION)) {
            return dependency.getOriginClass().getName().equals(ROOT + ".Leadership");
        }
        return target.isPrimitive()
                || resideInAnyPackage(ROOT, "java..", "org.jspecify..", "org.slf4j..")
                        .test(target);
    }

    private static ArchCondition<JavaClass> haveNoPublicMembers() {
        return new ArchCondition<>("have no public members") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getMembers().stream()
                        .filter(member -> member.getModifiers().contains(JavaModifier.PUBLIC))
                        .forEach(member -> events.add(
                                SimpleConditionEvent.violated(member, member.getDescription() + " is public")));
            }
        };
    }

    private static ArchCondition<JavaClass> resideInANullMarkedPackage() {
        return new ArchCondition<>("reside in a package whose package-info says @NullMarked") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
                    events.add(SimpleConditionEvent.violated(
                            type, "%s is not @NullMarked, needed for %s".formatted(type.getPackageName(), type)));
                }
            }
        };
    }

    /** One slice for each package right below the root with all that is in it, and one for the root itself. */
    private static SliceAssignment packagesBelowTheRoot() {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                String name = type.getPackageName();
                if (name.equals(ROOT)) {
                    return SliceIdentifier.of("root");
                }
                if (!name.startsWith(ROOT + ".")) {
                    return SliceIdentifier.ignore();
                }
                return SliceIdentifier.of(name.substring(ROOT.length() + 1).split("\\.", 2)[0]);
            }

            @Override
            public String getDescription() {
                return "the packages of " + ROOT;
            }
        };
    }
}
