package io.busbar.reconciler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.busbar.common.ResourceType;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.watch.Change;
import io.busbar.common.watch.ChangePredicate;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.KeyMapping;
import io.busbar.common.watch.Trigger;
import io.busbar.common.watch.WatchRequest;
import io.busbar.common.watch.WatchSpec;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    void what_a_controller_watches_for_its_primaries_alone_is_sharded_with_them() {
        controller.owns(Pod.class).owns(WatchSpec.of(Service.class).withLabels("a=b"));
        controller.reads(WatchSpec.of(Secret.class), List.of());
        assertThat(sharded()).as("of one that is not shared out").isEmpty();

        controller.sharded();
        assertThat(sharded()).containsExactly("Pod", "Service");

        controller.watches(Service.class, KeyMapping.byLabel("of"));
        assertThat(sharded()).as("once all Services are of use").containsExactly("Pod");
    }

    private List<String> sharded() {
        return controller.watchRequests().stream()
                .filter(request -> request.spec().sharded())
                .map(request -> request.spec().resource().kind())
                .toList();
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

    @Test
    void a_change_of_ones_own_status_does_not_count_unless_it_is_asked_for() {
        Pod waiting =
                new PodBuilder().withNewMetadata().withName("p").endMetadata().build();
        Pod running =
                waiting.edit().withNewStatus().withPhase("Running").endStatus().build();
        Pod labelled = waiting.edit()
                .editMetadata()
                .addToLabels("a", "b")
                .endMetadata()
                .build();
        Pod ours = waiting.edit()
                .editMetadata()
                .addToFinalizers("example.com/ours")
                .endMetadata()
                .build();
        Controller<Pod> pods = Controller.of(Pod.class, (pod, context) -> ReconcileResult.awaitChange());

        assertThat(counts(pods, waiting, running)).isFalse();
        assertThat(counts(pods, waiting, labelled)).isTrue();
        assertThat(counts(pods, waiting, ours)).isTrue();
        assertThat(counts(pods.finalizer("example.com/ours"), waiting, ours))
                .as("the finalizer that the engine adds")
                .isFalse();
        assertThat(counts(pods.when(ChangePredicate.always()), waiting, running))
                .isTrue();
    }

    @Test
    void any_change_counts_where_only_metadata_is_watched_and_no_generation_tells() {
        Pod before =
                new PodBuilder().withNewMetadata().withName("p").endMetadata().build();
        Pod after = before.edit()
                .editMetadata()
                .withResourceVersion("2")
                .endMetadata()
                .build();

        assertThat(counts(
                        Controller.of(Pod.class, (Reconciler<Pod>) (pod, context) -> ReconcileResult.awaitChange())
                                .primaries(WatchSpec.of(Pod.class).metadataOnlyWatch()),
                        before,
                        after))
                .isTrue();
    }

    @SuppressWarnings("unchecked") // the first watch is that of the primaries
    private static boolean counts(Controller<Pod> pods, Pod before, Pod after) {
        WatchRequest<Pod> primaries = (WatchRequest<Pod>) pods.watchRequests().get(0);
        return primaries.triggers().get(0).when().test(Change.modified(before, after));
    }

    @Test
    void a_narrow_watch_of_primaries_keeps_what_the_default_predicate_compares() {
        Controller<ConfigMap> narrow = Controller.of(ConfigMap.class, nothing)
                .primaries(WatchSpec.of(ConfigMap.class).keeping("data"));

        assertThat(narrow.watchRequests().get(0).spec().fields())
                .containsExactly(
                        "data",
                        "metadata.annotations",
                        "metadata.finalizers",
                        "metadata.labels",
                        "metadata.ownerReferences");
    }

    @Test
    void its_name_may_come_after_its_watches() {
        controller
                .owns(Pod.class)
                .watches(Secret.class, KeyMapping.byLabel("a"))
                .named("late");

        assertThat(controller.watchRequests())
                .flatExtracting(WatchRequest::triggers)
                .extracting(Trigger::controller)
                .containsOnly("late")
                .hasSize(3);
    }

    @Test
    void what_it_says_itself_stands_against_the_defaults() {
        controller.defaults(4, Duration.ofHours(10));
        assertThat(controller.workers()).isEqualTo(4);
        assertThat(controller.resync()).contains(Duration.ofHours(10));

        controller.workers(1).resync(Duration.ofMinutes(1));
        assertThat(controller.workers()).isEqualTo(1);
        assertThat(controller.resync()).contains(Duration.ofMinutes(1));

        assertThat(Controller.of(ConfigMap.class, nothing)
                        .defaults(4, Duration.ZERO)
                        .resync())
                .isEmpty();
    }

    @Test
    void says_all_that_is_wrong_at_once_with_its_name_and_what_is_allowed() {
        Controller<ConfigMap> wrong = Controller.of(ConfigMap.class, nothing)
                .named("maps")
                .workers(0)
                .timeout(Duration.ZERO)
                .resync(Duration.ofSeconds(-1))
                .finalizer("cleanup")
                .watches(Pod.class, KeyMapping.byLabel("a"))
                .owns(WatchSpec.of(Pod.class).withLabels("a=b"))
                .owns(Namespace.class)
                .index(new Index<>("by", map -> List.of()))
                .index(new Index<>("by", map -> List.of("x")));

        assertThat(wrong.problems())
                .extracting(ConfigurationProblem::toString)
                .satisfiesExactly(
                        line -> assertThat(line)
                                .isEqualTo("controller maps: workers: '0' is not allowed; allowed: 1 or more"),
                        line -> assertThat(line).startsWith("controller maps: timeout: 'PT0S'"),
                        line -> assertThat(line).startsWith("controller maps: resync: 'PT-1S'"),
                        line -> assertThat(line)
                                .startsWith("controller maps: finalizer: 'cleanup'")
                                .contains("example.com/cleanup"),
                        line -> assertThat(line)
                                .startsWith("controller maps: owns(Pod): 'pods'")
                                .contains("call owns(…) first"),
                        line -> assertThat(line)
                                .startsWith("controller maps: owns(Namespace): 'namespaces'")
                                .contains("use watches(…)"),
                        line -> assertThat(line).startsWith("controller maps: index of ConfigMap: 'by'"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "/x", "example.com/", "Example.com/x", "example.com/x/y", "a b.com/x"})
    void a_finalizer_that_the_api_server_would_refuse_is_a_problem(String finalizer) {
        assertThat(Controller.of(ConfigMap.class, nothing).finalizer(finalizer).problems())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Maps", "-a", "a b", "a/b", "a_b"})
    void a_name_that_cannot_stand_in_labels_and_field_managers_is_a_problem(String name) {
        assertThat(Controller.of(ConfigMap.class, nothing).named(name).problems())
                .hasSize(1);
    }

    @Test
    void two_of_one_name_are_a_problem_that_names_both_kinds() {
        Controller<Pod> pods = Controller.of(Pod.class, (pod, context) -> ReconcileResult.awaitChange())
                .named("same");
        Controller<ConfigMap> maps = Controller.of(ConfigMap.class, nothing).named("same");

        assertThat(Controller.problems(List.of(pods, maps)))
                .extracting(ConfigurationProblem::toString)
                .containsExactly("controllers of Pod and of ConfigMap: 'same' is not allowed; allowed: a name for each;"
                        + " call named(…) on one of them");
    }

    @Test
    void what_is_declared_in_the_usual_way_is_no_problem() {
        Index<ConfigMap> index = new Index<>("by", map -> List.of());
        assertThat(Controller.of(ConfigMap.class, nothing)
                        .finalizer("cache.example.com/finalizer")
                        .index(index)
                        .index(index)
                        .owns(WatchSpec.of(Pod.class).keeping("status"))
                        .watches(WatchSpec.of(Pod.class), List.of(), ChangePredicate.always(), KeyMapping.byLabel("a"))
                        .owns(Secret.class)
                        .reads(WatchSpec.of(Namespace.class), List.of())
                        .problems())
                .isEmpty();
    }

    @Test
    void owned_types_are_applied_unless_it_is_declared_what_else_is_done_with_them() {
        controller
                .owns(Service.class)
                .owns(WatchSpec.of(Pod.class), Write.CREATE, Write.DELETE)
                .reads(WatchSpec.of(Secret.class), List.of());

        assertThat(controller.owned())
                .containsExactly(
                        entry(ResourceType.of(Service.class), Set.of(Write.APPLY)),
                        entry(ResourceType.of(Pod.class), Set.of(Write.CREATE, Write.DELETE)));
    }
}
