package io.busbar.common.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ChangePredicateTest {

    private final Pod before = pod(metadata -> {});

    @Test
    void additions_and_deletions_pass_whatever_is_looked_at() {
        ChangePredicate<HasMetadata> predicate = ChangePredicate.labelsChanged();

        assertThat(predicate.test(Change.added(before))).isTrue();
        assertThat(predicate.test(Change.listed(before))).isTrue();
        assertThat(predicate.test(Change.deleted(before))).isTrue();
    }

    @Test
    void each_looks_at_its_own_part() {
        assertOnly(ChangePredicate.generationChanged(), pod(metadata -> metadata.withGeneration(2L)));
        assertOnly(ChangePredicate.labelsChanged(), pod(metadata -> metadata.addToLabels("a", "b")));
        assertOnly(ChangePredicate.annotationsChanged(), pod(metadata -> metadata.addToAnnotations("a", "b")));
        assertOnly(ChangePredicate.resourceVersionChanged(), pod(metadata -> metadata.withResourceVersion("2")));
    }

    @Test
    void an_object_that_begins_to_be_deleted_counts_as_a_new_generation() {
        Pod ending = pod(metadata -> metadata.withDeletionTimestamp("2026-01-01T00:00:00Z"));

        assertThat(ChangePredicate.generationChanged().test(Change.modified(before, ending)))
                .isTrue();
    }

    @Test
    void a_status_that_changes_is_not_beyond_the_status() {
        ChangePredicate<Pod> predicate = ChangePredicate.beyondStatus(Pod.class);
        Pod running = before.edit()
                .editMetadata()
                .withResourceVersion("2")
                .withGeneration(2L)
                .withManagedFields(
                        new ManagedFieldsEntryBuilder().withManager("m").build())
                .endMetadata()
                .withNewStatus()
                .withPhase("Running")
                .endStatus()
                .build();

        assertThat(predicate.test(Change.modified(before, running))).isFalse();
        assertThat(predicate.test(Change.added(running))).isTrue();
        assertThat(predicate.test(Change.deleted(running))).isTrue();
    }

    @Test
    void what_people_write_is_beyond_the_status_though_no_generation_counts_it() {
        ChangePredicate<Pod> predicate = ChangePredicate.beyondStatus(Pod.class);
        List<Pod> changed = List.of(
                pod(metadata -> metadata.addToLabels("a", "b")),
                pod(metadata -> metadata.addToAnnotations("a", "b")),
                pod(metadata -> metadata.addToFinalizers("a.b/c")),
                pod(metadata -> metadata.addNewOwnerReference().withUid("u").endOwnerReference()),
                pod(metadata -> metadata.withDeletionTimestamp("2026-01-01T00:00:00Z")),
                before.edit().withNewSpec().withNodeName("n").endSpec().build());

        assertThat(changed)
                .allSatisfy(after -> assertThat(predicate.test(Change.modified(before, after)))
                        .isTrue());
        assertThat(predicate.readsMetadataOnly()).isFalse();

        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("a")
                .endMetadata()
                .build();
        assertThat(ChangePredicate.beyondStatus(ConfigMap.class)
                        .test(Change.modified(
                                map, map.edit().addToData("k", "v").build())))
                .isTrue();
    }

    @Test
    void a_custom_resource_tells_by_its_metadata_alone() {
        ChangePredicate<Thing> predicate = ChangePredicate.beyondStatus(Thing.class);

        assertThat(predicate.readsMetadataOnly()).isTrue();
        assertThat(predicate.test(Change.modified(thing(1, "free"), thing(1, "busy"))))
                .isFalse();
        assertThat(predicate.test(Change.modified(thing(1, "free"), thing(2, "free"))))
                .isTrue();
        Thing labelled = thing(1, "free");
        labelled.getMetadata().setLabels(Map.of("a", "b"));
        assertThat(predicate.test(Change.modified(thing(1, "free"), labelled))).isTrue();
    }

    @Test
    void no_labels_are_the_same_as_empty_ones() {
        Pod empty = pod(metadata -> metadata.withLabels(Map.of()).withAnnotations(Map.of()));
        Pod none = pod(metadata -> {});
        none.getMetadata().setLabels(null);
        none.getMetadata().setAnnotations(null);

        assertThat(ChangePredicate.beyondStatus(Pod.class).test(Change.modified(empty, none)))
                .isFalse();
    }

    @Test
    void an_own_finalizer_counts_only_where_it_is_taken_away() {
        ChangePredicate<Pod> predicate = ChangePredicate.beyondStatus(Pod.class, "a.b/own");
        Pod own = pod(metadata -> metadata.addToFinalizers("a.b/own"));
        Pod both = pod(metadata -> metadata.addToFinalizers("a.b/own", "a.b/other"));

        assertThat(predicate.test(Change.modified(before, own))).isFalse();
        assertThat(predicate.test(Change.modified(own, before))).isTrue();
        assertThat(predicate.test(Change.modified(before, both))).isTrue();
        assertThat(predicate.test(Change.modified(both, own))).isTrue();
    }

    private static Thing thing(long generation, String state) {
        Thing thing = new Thing();
        thing.setMetadata(
                new ObjectMetaBuilder().withName("t").withGeneration(generation).build());
        thing.setStatus(state);
        return thing;
    }

    @Group("example.com")
    @Version("v1")
    static final class Thing extends CustomResource<String, String> {
        private static final long serialVersionUID = 1;
    }

    @Test
    void they_combine() {
        ChangePredicate<Pod> yes = ChangePredicate.always();
        ChangePredicate<Pod> no = yes.not();
        Change<Pod> change = Change.modified(before, before);

        assertThat(yes.test(change)).isTrue();
        assertThat(no.test(change)).isFalse();
        assertThat(yes.and(no).test(change)).isFalse();
        assertThat(yes.or(no).test(change)).isTrue();
        assertThat(no.or(no).test(change)).isFalse();
    }

    @Test
    void what_is_made_of_those_that_look_at_metadata_only_does_so_too() {
        ChangePredicate<HasMetadata> labels = ChangePredicate.labelsChanged();
        ChangePredicate<Pod> phase = ChangePredicate.changed(Pod::getStatus);

        assertThat(labels.readsMetadataOnly()).isTrue();
        assertThat(labels.not().and(ChangePredicate.generationChanged()).readsMetadataOnly())
                .isTrue();
        assertThat(ChangePredicate.<Pod>either(labels, ChangePredicate.always()).readsMetadataOnly())
                .isTrue();
        assertThat(phase.readsMetadataOnly()).isFalse();
        assertThat(phase.not().readsMetadataOnly()).isFalse();
        assertThat(phase.or(labels).readsMetadataOnly()).isFalse();
        assertThat(phase.and(labels).readsMetadataOnly()).isFalse();
        assertThat(ChangePredicate.<Pod>either(labels, phase).readsMetadataOnly())
                .isFalse();
    }

    @Test
    void a_change_has_a_before_or_an_after() {
        assertThatThrownBy(() -> new Change<Pod>(null, null, false)).isInstanceOf(IllegalArgumentException.class);
        assertThat(Change.modified(before, before).isModification()).isTrue();
        assertThat(Change.added(before).isModification()).isFalse();
        assertThat(Change.listed(before).initial()).isTrue();
    }

    private void assertOnly(ChangePredicate<HasMetadata> predicate, Pod after) {
        assertThat(predicate.test(Change.modified(before, after))).isTrue();
        assertThat(predicate.test(Change.modified(before, before))).isFalse();
        Pod other = pod(metadata -> metadata.withSelfLink("elsewhere"));
        assertThat(predicate.test(Change.modified(before, other))).isFalse();
    }

    private static Pod pod(Consumer<ObjectMetaBuilder> change) {
        ObjectMetaBuilder metadata =
                new ObjectMetaBuilder().withName("a").withGeneration(1L).withResourceVersion("1");
        change.accept(metadata);
        return new PodBuilder().withMetadata(metadata.build()).build();
    }
}
