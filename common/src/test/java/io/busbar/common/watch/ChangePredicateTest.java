package io.busbar.common.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
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
