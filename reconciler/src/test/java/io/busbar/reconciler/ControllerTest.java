package io.busbar.reconciler;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.watch.Change;
import io.busbar.common.watch.ChangePredicate;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Trigger;
import io.busbar.common.watch.WatchRequest;
import io.busbar.common.watch.WatchSpec;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;

class ControllerTest {

    private final Reconciler<ConfigMap> nothing = (primary, context) -> ReconcileResult.awaitChange();
    private final Controller<ConfigMap> controller =
            Controller.of(ConfigMap.class, nothing).when(change -> false);

    @Test
    void deletion_and_pausing_count_whatever_the_predicate_says() {
        ConfigMap plain = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("a")
                .endMetadata()
                .build();
        ConfigMap deleted = plain.edit()
                .editMetadata()
                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                .endMetadata()
                .build();
        ConfigMap paused = plain.edit()
                .editMetadata()
                .addToAnnotations("busbar.io/paused", "true")
                .endMetadata()
                .build();
        ConfigMap other = plain.edit()
                .editMetadata()
                .addToAnnotations("a", "b")
                .endMetadata()
                .build();

        ChangePredicate<? super ConfigMap> when = trigger().when();
        assertThat(when.test(Change.modified(plain, deleted))).isTrue();
        assertThat(when.test(Change.modified(plain, paused))).isTrue();
        assertThat(when.test(Change.modified(paused, plain))).isTrue();
        assertThat(when.test(Change.modified(plain, other))).isFalse();
        assertThat(when.test(Change.added(plain))).isFalse();
    }

    @SuppressWarnings("unchecked") // the first watch is that of the primaries
    private Trigger<ConfigMap> trigger() {
        return ((WatchRequest<ConfigMap>) controller.watchRequests().get(0))
                .triggers()
                .get(0);
    }

    @Test
    void looks_at_metadata_only_where_its_predicates_do() {
        controller.when(ChangePredicate.generationChanged()).owns(Pod.class);
        assertThat(controller.watchRequests()).allSatisfy(ControllerTest::looksAtMetadataOnly);

        controller.when(ChangePredicate.changed(ConfigMap::getData));
        assertThat(trigger().readsMetadataOnly()).isFalse();
    }

    private static void looksAtMetadataOnly(WatchRequest<?> request) {
        assertThat(request.triggers()).allMatch(Trigger::readsMetadataOnly);
        assertThat(request.indexes()).allMatch(Index::readsMetadataOnly);
    }

    @Test
    void a_watch_that_names_fields_keeps_what_the_engine_reads() {
        controller
                .primaries(WatchSpec.of(ConfigMap.class).keeping("data"))
                .owns(WatchSpec.of(Pod.class).keeping("status.phase"));

        assertThat(controller.watchRequests().get(0).spec().fields())
                .containsExactly("data", "metadata.annotations", "metadata.finalizers");
        assertThat(controller.watchRequests().get(1).spec().fields())
                .containsExactly("metadata.ownerReferences", "status.phase");
    }

    @Test
    void a_watch_that_names_no_fields_keeps_all() {
        controller.owns(Pod.class);

        assertThat(controller.watchRequests())
                .allMatch(request -> request.spec().fields().isEmpty());
    }
}
