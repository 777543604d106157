package io.busbar.testkit.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.watch.WatchSpec;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.FieldConflictException;
import io.busbar.reconciler.ObjectNotOwnedException;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.source.PollingSource;
import io.busbar.sandbox.faults.Fault;
import io.busbar.testkit.sample.Page;
import io.busbar.testkit.sample.PageReconciler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class InMemoryContextTest {

    private final PageReconciler reconciler = new PageReconciler();
    private final InMemoryContext<Page> context = InMemoryContext.of(Page.of("a", "hello", 2));

    @Test
    void records_what_was_written_in_the_order_of_the_writes() throws Exception {
        assertThat(context.reconcile(reconciler)).isEqualTo(ReconcileResult.awaitChange());

        assertThat(context.writes())
                .containsExactly("create ConfigMap a", "create Pod a-*", "create Pod a-*", "status Page a");
        assertThat(context.created(Pod.class))
                .hasSize(2)
                .allSatisfy(pod -> assertThat(pod.getMetadata().getName()).matches("a-[a-z0-9]{5}"));
        assertThat(context.statuses())
                .extracting(page -> page.getStatus().pods())
                .containsExactly(2);
        assertThat(context.primary().getStatus()).isEqualTo(new Page.Status(2, 1));
    }

    @Test
    void asks_for_nothing_when_nothing_has_changed() throws Exception {
        context.reconcile(reconciler);
        context.forget();
        context.reconcile(reconciler);

        assertThat(context.writes()).isEmpty();
        assertThat(context.requests()).isEmpty();
    }

    @Test
    void makes_the_primary_the_controlling_owner() throws Exception {
        context.reconcile(reconciler);

        OwnerReference owner = context.get(ConfigMap.class, "a")
                .orElseThrow()
                .getMetadata()
                .getOwnerReferences()
                .get(0);
        assertThat(owner.getUid()).isEqualTo(context.primary().getMetadata().getUid());
        assertThat(owner.getController()).isTrue();
    }

    @Test
    void a_changed_spec_is_applied_and_a_field_that_is_no_longer_desired_goes() throws Exception {
        context.apply(map(Map.of("text", "hello", "more", "of it")));
        context.forget();
        context.apply(map(Map.of("text", "goodbye")));

        assertThat(context.writes()).containsExactly("apply ConfigMap a");
        assertThat(context.applied(ConfigMap.class))
                .extracting(ConfigMap::getData)
                .containsExactly(Map.of("text", "goodbye"));
    }

    @Test
    void an_object_of_somebody_else_is_left_alone_and_told_of_once() {
        context.put(map(Map.of("text", "mine")));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> context.reconcile(reconciler)).isInstanceOf(ObjectNotOwnedException.class);
        }
        assertThat(context.writes()).isEmpty();
        assertThat(context.toldEvents())
                .singleElement()
                .asString()
                .startsWith("Warning ObjectNotOwned: ConfigMap default/a is there already and has no controller");
    }

    @Test
    void fields_that_others_have_set_are_reported_where_that_is_asked_for() throws Exception {
        context.apply(map(Map.of("text", "hello")));
        context.client()
                .configMaps()
                .withName("a")
                .edit(there ->
                        new ConfigMapBuilder(there).addToData("text", "by hand").build());

        assertThatThrownBy(() -> context.apply(
                        map(Map.of("text", "bye")), Apply.standard().reportingConflicts()))
                .isInstanceOf(FieldConflictException.class);
    }

    @Test
    void a_status_that_is_the_same_is_not_written_and_a_stale_primary_is_a_conflict() throws Exception {
        Page stale = context.primary();
        context.status(stale.with(new Page.Status(1, 1)));
        context.status(stale.with(new Page.Status(1, 1)));
        assertThat(context.writes()).containsExactly("status Page a");

        context.holdBack(Page.class);
        Page edited = context.primary();
        edited.setSpec(new Page.Spec("edited by a user", 2));
        context.put(edited);
        assertThatThrownBy(() -> context.status(stale.with(new Page.Status(3, 1))))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        conflict -> assertThat(conflict.getCode()).isEqualTo(409));
        context.release();
        context.reconcile((page, its) -> {
            its.status(page.with(new Page.Status(3, 1)));
            return ReconcileResult.awaitChange();
        });
        assertThat(context.primary().getStatus().pods()).isEqualTo(3);
    }

    @Test
    void what_others_write_is_seen_late_and_own_writes_at_once() throws Exception {
        context.lister(Pod.class);
        context.lag(Pod.class, 2);
        context.put(pod("by-others"));
        context.create(pod("own"));

        assertThat(seen()).containsExactly("own");
        context.reconcile(nothing());
        assertThat(seen()).containsExactly("own");
        context.reconcile(nothing());
        assertThat(seen()).containsExactlyInAnyOrder("by-others", "own");
        assertThat(context.list(Pod.class)).hasSize(2);
    }

    @Test
    void a_watch_that_is_held_back_shows_nothing_until_it_is_released() throws Exception {
        context.holdBack(Pod.class);
        context.put(pod("by-others"));
        for (int i = 0; i < 5; i++) {
            context.reconcile(nothing());
        }
        assertThat(seen()).isEmpty();
        context.release();
        assertThat(seen()).containsExactly("by-others");
    }

    @Test
    void sizes_are_right_however_late_the_watch_is() throws Exception {
        context.holdBack(Pod.class);
        context.reconcile(reconciler);
        context.reconcile(reconciler);
        Page larger = context.primary();
        larger.setSpec(new Page.Spec("hello", 3));
        context.put(larger);
        context.reconcile(reconciler);

        assertThat(context.list(Pod.class)).hasSize(3);
    }

    @Test
    void requests_go_wrong_as_they_are_told() throws Exception {
        for (int code : List.of(409, 404, 429, 500)) {
            context.inject(Fault.on("create", "pods").refused(code));
            assertThatThrownBy(() -> context.reconcile(reconciler))
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            failure -> assertThat(failure.getCode()).isEqualTo(code));
        }
        context.reconcile((page, its) -> {
            assertThat(its.attempt()).isEqualTo(5);
            return ReconcileResult.awaitChange();
        });
        assertThat(context.list(Pod.class)).isEmpty();
    }

    @Test
    void a_create_whose_answer_is_lost_is_repeated_and_not_made_twice() throws Exception {
        context.inject(Fault.on("create", "pods").answerLost());
        assertThatThrownBy(() -> context.reconcile(reconciler)).isInstanceOf(KubernetesClientException.class);
        assertThat(context.list(Pod.class)).hasSize(1);
        context.reconcile(reconciler);

        assertThat(context.list(Pod.class)).hasSize(2);
        assertThat(context.requests()).anyMatch(request -> request.endsWith("/pods no answer"));
    }

    @Test
    void a_turn_keeps_the_finalizer_cleans_up_and_lets_the_primary_go() throws Exception {
        InMemoryContext<Page> turns = InMemoryContext.of(
                PageReconciler.controller().finalizer("sample.example.com/pages"), Page.of("b", "x", 0));
        assertThat(turns.turn()).isEqualTo(ReconcileOutcome.awaitChange());
        assertThat(turns.primary().getMetadata().getFinalizers()).containsExactly("sample.example.com/pages");

        turns.deleteAsUser(turns.primary());
        assertThat(turns.primary().isMarkedForDeletion()).isTrue();
        turns.turn();
        assertThat(turns.get(Page.class, "b")).isEmpty();
        assertThat(turns.writes())
                .containsExactly(
                        "patch Page b", "create ConfigMap b", "status Page b", "delete Page b", "patch Page b");
        assertThat(turns.turn()).isEqualTo(ReconcileOutcome.awaitChange());
    }

    @Test
    void a_turn_that_comes_too_late_with_a_write_is_a_conflict_and_no_failure() throws Exception {
        InMemoryContext<Page> turns = InMemoryContext.of(PageReconciler.controller(), Page.of("c", "x", 0));
        turns.holdBack(Page.class);
        Page edited = turns.primary();
        edited.setSpec(new Page.Spec("y", 0));
        turns.put(edited);

        assertThat(turns.turn().kind()).isEqualTo(ReconcileOutcome.Kind.CONFLICT);
        assertThat(turns.turn().kind()).isEqualTo(ReconcileOutcome.Kind.AWAIT_CHANGE);
        assertThat(turns.get(ConfigMap.class, "c").orElseThrow().getData()).containsEntry("text", "y");
    }

    @Test
    void a_controller_reads_what_it_has_declared_and_of_that_what_is_kept() throws Exception {
        InMemoryContext<Page> declared = InMemoryContext.of(
                Controller.of(Page.class, reconciler)
                        .reads(WatchSpec.of(ConfigMap.class).keeping("data.kept"), List.of())
                        .reads(WatchSpec.of(Pod.class).withLabels("app=a"), List.of()),
                Page.of("d", "x", 0));
        declared.put(map(Map.of("kept", "yes", "dropped", "no")));
        declared.put(pod("other"));

        assertThat(declared.lister(ConfigMap.class).get(ObjectKey.of("default", "a")))
                .hasValueSatisfying(map -> assertThat(map.getData()).isEqualTo(Map.of("kept", "yes")));
        assertThat(declared.lister(Pod.class).list()).isEmpty();
        assertThatThrownBy(() -> declared.lister(Secret.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not watch Secret: declare it");
    }

    @Test
    void what_is_polled_fetched_and_read_live_is_there_as_in_an_operator() throws Exception {
        PollingSource<Page, String, String> polled =
                PollingSource.every("p", Duration.ofMinutes(1), page -> "question", question -> Optional.of("answer"));
        InMemoryContext<Page> declared = InMemoryContext.of(
                Controller.of(Page.class, nothing())
                        .source(polled)
                        .reads(WatchSpec.of(ConfigMap.class).keeping("metadata.labels"), List.of()),
                Page.of("d", "x", 0));
        declared.put(map(Map.of("k", "v")));
        ObjectKey a = ObjectKey.of("default", "a");

        declared.reconcile((page, its) -> {
            assertThat(its.polled(polled)).contains("answer");
            assertThat(its.lister(ConfigMap.class).get(a).orElseThrow().getData())
                    .isNullOrEmpty();
            assertThat(its.fetched(ConfigMap.class, a).orElseThrow().getData()).containsEntry("k", "v");
            assertThat(its.live(ConfigMap.class, a).orElseThrow().getData()).containsEntry("k", "v");
            return ReconcileResult.awaitChange();
        });
    }

    @Test
    void cleanup_can_be_called_alone() throws Exception {
        CleanupResult result = context.cleanup(new Reconciler<>() {
            @Override
            public ReconcileResult reconcile(Page page, ReconcileContext<Page> its) {
                throw new AssertionError("reconcile");
            }

            @Override
            public CleanupResult cleanup(Page page, ReconcileContext<Page> its) {
                return CleanupResult.notYet(Duration.ofSeconds(1));
            }
        });
        assertThat(result).isEqualTo(CleanupResult.notYet(Duration.ofSeconds(1)));
    }

    @Test
    void a_definition_that_was_given_is_held_to() {
        context.serve(Serialization.unmarshal("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: pages.sample.example.com}
                spec:
                  group: sample.example.com
                  scope: Namespaced
                  names: {plural: pages, singular: page, kind: Page, listKind: PageList}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    subresources: {status: {}}
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
                          status: {type: object, properties: {pods: {type: integer, maximum: 5}}}
                """, CustomResourceDefinition.class));

        assertThatThrownBy(() -> context.status(context.primary().with(new Page.Status(6, 1))))
                .hasMessageContaining("status.pods");
    }

    @Test
    void another_process_remembers_nothing_and_finds_what_is_there() throws Exception {
        context.holdBack(Pod.class);
        context.reconcile(reconciler);
        context.restart();
        context.reconcile(reconciler);

        assertThat(context.list(Pod.class)).hasSize(2);
        assertThat(context.writes()).hasSize(4);
    }

    @Test
    void a_copy_goes_its_own_way() throws Exception {
        context.reconcile(reconciler);
        InMemoryContext<Page> copy = context.copy();
        copy.apply(map(Map.of("text", "another")));
        copy.remove(copy.list(Pod.class).get(0));

        assertThat(copy.writes()).containsExactly("apply ConfigMap a");
        assertThat(copy.list(Pod.class)).hasSize(1);
        assertThat(context.list(Pod.class)).hasSize(2);
        assertThat(context.get(ConfigMap.class, "a").orElseThrow().getData()).containsEntry("text", "hello");
    }

    @Test
    void something_happens_between_two_requests() {
        context.passRequestsThrough((request, server) -> {
            if (request.method().equals("PATCH") && request.uri().contains("/status")) {
                Page edited = context.primary();
                edited.setSpec(new Page.Spec("edited meanwhile", 2));
                context.put(edited);
            }
            return server.answer();
        });
        assertThatThrownBy(() -> context.reconcile(reconciler))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        conflict -> assertThat(conflict.getCode()).isEqualTo(409));
        assertThat(context.writes()).containsExactly("create ConfigMap a", "create Pod a-*", "create Pod a-*");
    }

    @Test
    void what_waits_for_the_garbage_collector_alone_goes() {
        Job job = new JobBuilder()
                .withNewMetadata()
                .withName("once")
                .withNamespace("default")
                .endMetadata()
                .build();
        context.delete(context.put(job)); // of a kind whose dependents are orphaned by default

        assertThat(context.get(Job.class, "once")).isEmpty();
    }

    @Test
    void tells_what_has_made_a_reconcile_necessary() throws Exception {
        List<String> causes = new ArrayList<>();
        AtomicBoolean fails = new AtomicBoolean();
        Reconciler<Page> noting = (page, its) -> {
            causes.add(its.trigger().how() + " " + its.trigger().kind() + " "
                    + its.trigger().object());
            if (fails.get()) {
                throw new IllegalStateException("once");
            }
            return ReconcileResult.requeueAfter(Duration.ofMinutes(1));
        };
        context.reconcile(noting);
        context.reconcile(noting);
        ConfigMap map = context.put(map(Map.of("text", "a")));
        fails.set(true);
        assertThatThrownBy(() -> context.reconcile(noting)).hasMessage("once");
        fails.set(false);
        context.reconcile(noting);
        context.put(map(Map.of("text", "b")));
        context.reconcile(noting);
        context.remove(map);
        context.reconcile(noting);

        assertThat(causes)
                .containsExactly(
                        "LISTED Page default/a",
                        "REQUEUE  default/a",
                        "ADDED ConfigMap default/a",
                        "RETRY ConfigMap default/a",
                        "MODIFIED ConfigMap default/a",
                        "DELETED ConfigMap default/a");
    }

    @Test
    void the_clock_moves_when_it_is_moved() {
        context.advance(Duration.ofHours(1));
        Pod made = context.create(pod("later"));

        assertThat(context.clock().instant()).isEqualTo("2026-01-01T01:00:00Z");
        assertThat(made.getMetadata().getCreationTimestamp()).isEqualTo("2026-01-01T01:00:00Z");
    }

    private List<String> seen() {
        return context.lister(Pod.class).list().stream()
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }

    private static Reconciler<Page> nothing() {
        return (page, its) -> ReconcileResult.awaitChange();
    }

    private static ConfigMap map(Map<String, String> data) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("a")
                .withNamespace("default")
                .endMetadata()
                .withData(data)
                .build();
    }

    private static Pod pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("server")
                .withImage("nginx")
                .endContainer()
                .endSpec()
                .build();
    }

    @Test
    void another_operator_s_context_shows_the_same_objects_and_records_for_itself() throws Exception {
        InMemoryContext<Page> beside = context.beside();

        context.reconcile(reconciler);
        assertThat(beside.writes()).isEmpty();
        assertThat(beside.owned(Pod.class)).hasSize(2);
        beside.reconcile(new PageReconciler());

        assertThat(beside.writes()).isEmpty();
        assertThat(context.writes()).hasSize(4);
    }

    @Test
    void others_go_on_while_a_request_of_one_waits_at_its_passage() throws Exception {
        InMemoryContext<Page> beside = context.beside();
        context.passRequestsThrough((request, server) -> {
            try {
                if (!request.method().equals("GET") && beside.writes().isEmpty()) {
                    beside.reconcile(new PageReconciler());
                }
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
            return server.answer();
        });

        assertThatThrownBy(() -> context.reconcile(reconciler)).isInstanceOf(KubernetesClientException.class);

        assertThat(beside.writes()).contains("create ConfigMap a", "status Page a");
        assertThat(context.owned(ConfigMap.class)).hasSize(1);
    }
}
