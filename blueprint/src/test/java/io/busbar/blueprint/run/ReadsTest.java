package io.busbar.blueprint.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Lister;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ReadsTest {

    private static final ObjectKey INSTANCE = ObjectKey.of("ns", "instance");
    private static final ConfigMap SHARED = map("shared");

    private final Reads reads = new Reads();

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName(name)
                .endMetadata()
                .build();
    }

    private static JsonNode reference(String metadata) throws Exception {
        return reference("ConfigMap", metadata);
    }

    private static JsonNode reference(String kind, String metadata) throws Exception {
        return new ObjectMapper()
                .readTree("{\"apiVersion\": \"v1\", \"kind\": \"" + kind + "\", \"metadata\": " + metadata + "}");
    }

    @Test
    void an_object_concerns_those_that_read_it_by_name_or_by_selector_until_they_do_no_more() throws Exception {
        JsonNode named = reference("{\"name\": \"shared\", \"namespace\": \"ns\"}");
        JsonNode selected = reference("{\"selector\": {\"matchLabels\": {\"a\": \"b\"}}, \"namespace\": \"ns\"}");
        ObjectKey other = ObjectKey.of("ns", "other");
        reads.add(INSTANCE, named);
        reads.add(other, selected);
        assertThat(reads.readersOf(SHARED)).containsExactlyInAnyOrder(INSTANCE, other);
        assertThat(reads.readersOf(map("another"))).containsExactly(other);

        reads.keep(INSTANCE, List.of());
        reads.keep(other, List.of());
        assertThat(reads.readersOf(SHARED)).isEmpty();
    }

    @Test
    void what_readers_that_have_gone_have_read_is_forgotten() throws Exception {
        Lister<?> instances = (Lister<?>) Proxy.newProxyInstance(
                ReadsTest.class.getClassLoader(),
                new Class<?>[] {Lister.class},
                (self, method, arguments) -> arguments[0].equals(INSTANCE) ? Optional.of(SHARED) : Optional.empty());
        JsonNode shared = reference("{\"name\": \"shared\", \"namespace\": \"ns\"}");
        reads.add(INSTANCE, shared);
        for (int number = 0; number < 1_000; number++) { // of which each has gone before the next one comes
            ObjectKey other = ObjectKey.of("ns", "other-" + number);
            reads.add(other, shared);
            reads.keep(other, List.of(shared));
            reads.sweep(instances);
        }

        assertThat(reads.readersOf(SHARED)).contains(INSTANCE).hasSizeLessThan(50);
    }

    @Test
    void an_object_in_no_namespace_concerns_those_that_read_it() throws Exception {
        reads.add(INSTANCE, reference("Namespace", "{\"name\": \"shared\"}"));
        Namespace shared = new NamespaceBuilder()
                .withNewMetadata()
                .withName("shared")
                .endMetadata()
                .build();

        assertThat(reads.readersOf(shared)).containsExactly(INSTANCE);
    }

    /** Else a change between the look and the note would bring nobody back. */
    @Test
    void are_noted_before_the_store_is_looked_at() throws Exception {
        List<Set<ObjectKey>> knownAtTheLook = new ArrayList<>();
        Lister<?> lister = proxy(Lister.class, () -> {
            knownAtTheLook.add(reads.readersOf(SHARED));
            return Optional.empty();
        });
        ReconcileContext<?> context = (ReconcileContext<?>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ReconcileContext.class},
                (self, method, arguments) -> method.getName().equals("key") ? INSTANCE : lister);
        ClusterObjects objects = new ClusterObjects(
                context, List.of(), Map.of("v1 ConfigMap", GenericKubernetesResource.class), reads, object -> null);

        objects.external(reference("{\"name\": \"shared\", \"namespace\": \"ns\"}"));

        assertThat(knownAtTheLook).containsExactly(Set.of(INSTANCE));
        assertThat(objects.references()).hasSize(1);
    }

    private static <T> T proxy(Class<T> type, Supplier<Object> answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> answer.get()));
    }
}
