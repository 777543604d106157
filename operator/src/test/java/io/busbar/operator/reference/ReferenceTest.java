package io.busbar.operator.reference;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import io.busbar.common.MetadataKey;
import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The pages of the reference are what the code says, and the code says nothing that they leave out. */
class ReferenceTest {

    /** A name of an annotation, a label or a finalizer, with a prefix; the rest may follow at run time. */
    private static final Pattern KEY = Pattern.compile("[a-z0-9-]+(\\.[a-z0-9-]+)+/[A-Za-z0-9_.-]*");

    private static final Pattern API_VERSION = Pattern.compile(".*/v\\d+((alpha|beta)\\d+)?");

    /** Of others, which the operators read, or give to what they make for others to read. */
    private static final Set<String> OF_OTHERS = Set.of(
            "app.kubernetes.io/name",
            "k8s.io/initial-events-end",
            "kubernetes.io/tls",
            "kubernetes.io/metadata.name",
            "kubernetes.io/hostname",
            "topology.kubernetes.io/zone",
            "operatorframework.io/suggested-namespace",
            "cert-manager.io/inject-ca-from",
            "kubectl.kubernetes.io/last-applied-configuration",
            "kruise.io/");

    private final ConditionsPage conditions = new ConditionsPage();
    private final AnnotationsPage annotations = new AnnotationsPage();

    @Test
    void has_all_flags_of_all_commands() throws IOException {
        new FlagsPage().page().check();
    }

    @Test
    void has_all_conditions() throws IOException {
        conditions.page().check();
    }

    @Test
    void has_all_annotations_labels_and_finalizers() throws IOException {
        annotations.page().check();
    }

    @Test
    void explains_each_reason_where_it_belongs_and_none_that_nobody_gives() throws IOException {
        assertThat(conditions.homeless()).isEmpty();
        assertThat(conditions.declared()).hasSizeGreaterThan(90);
        assertThat(conditions.declared().stream()
                        .filter(one -> !one.isUsed())
                        .map(one -> one.field().getFullName()))
                .as("nobody gives these reasons")
                .isEmpty();
        assertThat(ClassStrings.of(shipped("io.busbar.operator.memcached.MemcachedReconciler")))
                .containsAll(ConditionsPage.MEMCACHED.stream()
                        .map(ConditionReason::reason)
                        .collect(Collectors.toSet()));
    }

    /**
     * Both conditions of a backup give the reason that was declared for one of them; Memcached is made to be copied.
     */
    @Test
    void knows_all_reasons_as_operators_give_declared_ones_only() {
        noClasses()
                .that()
                .resideInAPackage("io.busbar.operator..")
                .and()
                .resideOutsideOfPackage("io.busbar.operator.memcached")
                .and()
                .doNotHaveSimpleName("BackupProgress")
                .should()
                .callMethod(Conditions.class, "with", String.class, boolean.class, String.class, String.class)
                .orShould()
                .callMethod(Conditions.class, "withUnknown", String.class, String.class, String.class)
                .because("a reason that is declared as a ConditionReason is explained in docs/reference/conditions.md")
                .check(DeclaredFields.SHIPPED);
    }

    @Test
    void explains_each_key_that_a_class_names() throws IOException {
        Set<String> known = annotations.keys().stream().map(MetadataKey::name).collect(Collectors.toSet());
        Set<String> unexplained = new TreeSet<>();
        for (JavaClass type : DeclaredFields.SHIPPED) {
            if (!type.getPackageName().startsWith("io.busbar.sandbox")) {
                ClassStrings.of(type).stream()
                        .filter(text -> KEY.matcher(text).matches()
                                && !API_VERSION.matcher(text).matches()
                                && !OF_OTHERS.contains(text)
                                && known.stream().noneMatch(name -> isOf(name, text)))
                        .map(text -> type.getSimpleName() + ": " + text)
                        .forEach(unexplained::add);
            }
        }
        assertThat(unexplained).as("declare these as MetadataKey").isEmpty();
        assertThat(ClassStrings.of(shipped("io.busbar.operator.memcached.MemcachedBundle")))
                .contains(AnnotationsPage.MEMCACHED.name());
    }

    /** A name, or what comes before the part of it that varies. */
    private static boolean isOf(String name, String text) {
        return name.equals(text) || (text.endsWith("/") && name.startsWith(text));
    }

    private static JavaClass shipped(String name) {
        return DeclaredFields.SHIPPED.get(name);
    }
}
