package io.busbar.operator.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.vertx.core.Deployable;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The rules of the layout and of the style that a compiler does not see. */
class ArchitectureTest {

    private static final JavaClasses BUSBAR = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.busbar");

    private static final Set<String> BLOCKING = Set.of(
            "java.lang.Thread.sleep",
            "java.lang.Thread.join",
            "java.lang.Object.wait",
            "java.util.concurrent.CountDownLatch.await",
            "java.util.concurrent.CompletableFuture.get",
            "java.util.concurrent.CompletableFuture.join",
            "java.util.concurrent.Future.get",
            "java.util.concurrent.BlockingQueue.take",
            "java.util.concurrent.BlockingQueue.put",
            "java.util.concurrent.locks.Lock.lock",
            "java.util.concurrent.Semaphore.acquire",
            "io.vertx.core.Future.await");

    @Test
    void modules_meet_only_in_common() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("common")
                .definedBy("io.busbar.common..")
                .layer("cel")
                .definedBy("io.busbar.cel..")
                .layer("watcher")
                .definedBy("io.busbar.watcher..")
                .layer("reconciler")
                .definedBy("io.busbar.reconciler..")
                .layer("admission")
                .definedBy("io.busbar.admission..")
                .layer("manifests")
                .definedBy("io.busbar.manifests..")
                .layer("sandbox")
                .definedBy("io.busbar.sandbox..")
                .layer("runtime")
                .definedBy("io.busbar.runtime..")
                .layer("testkit")
                .definedBy("io.busbar.testkit..")
                .layer("scaffold")
                .definedBy("io.busbar.scaffold..")
                .layer("blueprint")
                .definedBy("io.busbar.blueprint..")
                .layer("operator")
                .definedBy("io.busbar.operator..")
                .whereLayer("operator")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("watcher")
                .mayOnlyBeAccessedByLayers("runtime", "testkit", "operator")
                .whereLayer("reconciler")
                .mayOnlyBeAccessedByLayers("runtime", "testkit", "blueprint", "operator")
                .whereLayer("admission")
                .mayOnlyBeAccessedByLayers("runtime", "blueprint", "operator")
                .whereLayer("manifests")
                .mayOnlyBeAccessedByLayers("runtime", "blueprint", "operator")
                .whereLayer("sandbox")
                .mayOnlyBeAccessedByLayers("runtime", "testkit", "operator")
                .whereLayer("runtime")
                .mayOnlyBeAccessedByLayers("testkit", "blueprint", "operator")
                .whereLayer("testkit")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("scaffold")
                .mayOnlyBeAccessedByLayers("operator")
                .whereLayer("cel")
                .mayOnlyBeAccessedByLayers("sandbox", "blueprint")
                .whereLayer("cel")
                .mayNotAccessAnyLayer()
                .whereLayer("blueprint")
                .mayOnlyBeAccessedByLayers("operator")
                .whereLayer("common")
                .mayNotAccessAnyLayer()
                .check(BUSBAR);
    }

    @Test
    void packages_of_the_runtime_use_one_another_in_one_direction() {
        slices().matching("io.busbar.runtime.(*)..").should().beFreeOfCycles().check(BUSBAR);
    }

    @Test
    void packages_of_the_sandbox_use_one_another_in_one_direction() {
        slices().matching("io.busbar.sandbox.(**)").should().beFreeOfCycles().check(BUSBAR);
    }

    @Test
    void what_others_can_call_shows_nothing_internal() {
        Set<String> shown = BUSBAR.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC) && !isInternal(type))
                .flatMap(type -> type.getCodeUnits().stream())
                .filter(unit -> unit.getModifiers().contains(JavaModifier.PUBLIC)
                        || unit.getModifiers().contains(JavaModifier.PROTECTED))
                .filter(unit -> Stream.concat(Stream.of(unit.getRawReturnType()), unit.getRawParameterTypes().stream())
                        .anyMatch(ArchitectureTest::isInternal))
                .map(JavaCodeUnit::getFullName)
                .collect(Collectors.toSet());
        assertThat(shown).isEmpty();
        assertThat(BUSBAR.stream().filter(ArchitectureTest::isInternal)).isNotEmpty();
    }

    private static boolean isInternal(JavaClass type) {
        return type.getPackageName().startsWith("io.busbar.common.internal");
    }

    @Test
    void names_say_what_a_class_is() {
        noClasses()
                .should()
                .haveSimpleNameEndingWith("Impl")
                .orShould()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .orShould()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Base")
                .orShould()
                .haveSimpleNameStartingWith("Abstract")
                .check(BUSBAR);
    }

    @Test
    void every_package_is_null_marked() {
        Set<String> unmarked = BUSBAR.stream()
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .map(JavaClass::getPackage)
                .filter(in -> !in.isAnnotatedWith(NullMarked.class))
                .map(in -> in.getName())
                .collect(Collectors.toSet());
        assertThat(unmarked).isEmpty();
    }

    @Test
    void verticles_do_not_block_their_event_loop() {
        DescribedPredicate<JavaCall<?>> blocking = DescribedPredicate.describe(
                "block", call -> BLOCKING.contains(call.getTargetOwner().getName() + "." + call.getName()));
        ArchRule noBlockingCalls = noClasses()
                .that()
                .areAssignableTo(Deployable.class)
                .should()
                .callMethodWhere(blocking)
                .allowEmptyShould(false);
        noBlockingCalls.check(BUSBAR);
        methods()
                .that()
                .areDeclaredInClassesThat()
                .areAssignableTo(Deployable.class)
                .should()
                .notHaveModifier(JavaModifier.SYNCHRONIZED)
                .check(BUSBAR);
    }

    @Test
    void nothing_sleeps() {
        noClasses().should().callMethod(Thread.class, "sleep", long.class).check(BUSBAR);
    }

    @Test
    void domain_types_know_no_vertx() {
        classes()
                .that(are(resideInAnyPackage("io.busbar.operator.*.v1", "io.busbar.operator.*.v1alpha1")))
                .should()
                .onlyDependOnClassesThat()
                .resideOutsideOfPackage("io.vertx..")
                .check(BUSBAR);
    }
}
