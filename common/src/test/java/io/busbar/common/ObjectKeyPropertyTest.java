package io.busbar.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ObjectKeyPropertyTest {

    @Property
    void parsing_reads_what_to_string_writes(@ForAll("keys") ObjectKey key) {
        assertThat(ObjectKey.parse(key.toString())).isEqualTo(key);
    }

    @Property
    void order_agrees_with_equality(@ForAll("keys") ObjectKey one, @ForAll("keys") ObjectKey other) {
        assertThat(one.compareTo(other) == 0).isEqualTo(one.equals(other));
        assertThat(Integer.signum(one.compareTo(other))).isEqualTo(-Integer.signum(other.compareTo(one)));
    }

    @Example
    void is_ordered_by_namespace_then_name() {
        ObjectKey cluster = ObjectKey.of("z");
        ObjectKey first = ObjectKey.of("a", "z");
        ObjectKey second = ObjectKey.of("b", "a");

        assertThat(List.of(second, first, cluster).stream().sorted()).containsExactly(cluster, first, second);
    }

    @Example
    void names_its_cluster_where_that_is_another_than_the_operators_own() {
        ObjectKey here = ObjectKey.of("ns", "a");

        assertThat(here.in("east")).hasToString("east/ns/a").isNotEqualTo(here).isGreaterThan(here);
        assertThat(ObjectKey.of("a").in("east")).hasToString("east//a");
        assertThat(here.in("east").local()).isEqualTo(here);
        assertThat(here.in("")).isSameAs(here);
    }

    @Example
    void is_read_from_an_object_of_either_scope() {
        var pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("a")
                .endMetadata();
        var namespace = new NamespaceBuilder().withNewMetadata().withName("ns").endMetadata();

        assertThat(ObjectKey.of(pod.build())).hasToString("ns/a");
        assertThat(ObjectKey.of(namespace.build())).hasToString("ns");
    }

    @Example
    void refuses_what_is_no_key() {
        for (String text : List.of("", "ns/", "a/b/c/d", "a/b/")) {
            assertThatThrownBy(() -> ObjectKey.parse(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Provide
    Arbitrary<ObjectKey> keys() {
        Arbitrary<String> names =
                Arbitraries.strings().withChars("ab-.0").ofMinLength(1).ofMaxLength(4);
        Arbitrary<String> none = Arbitraries.just("");
        return Combinators.combine(Arbitraries.oneOf(none, names), names, Arbitraries.oneOf(none, names))
                .as(ObjectKey::new);
    }
}
