package io.busbar.reconciler.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.bus.ReconcileTask;
import io.busbar.reconciler.CannedApi;
import io.busbar.reconciler.CannedApi.Answer;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.MapListers;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.shard.Sharding;
import io.busbar.reconciler.write.ApiRequests;
import io.busbar.reconciler.write.FetchedObjects;
import io.busbar.reconciler.write.Schemas;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReconciliationTest {

    private static final String MINE = "busbar.io/mine";

    private final MapListers stores = new MapListers().watching(Pod.class);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> calls = new ArrayList<>();
    private ReconcileResult result = ReconcileResult.awaitChange();
    private CleanupResult cleanup = CleanupResult.done();
    private Reconciler<Pod> logic = (primary, context) -> result;
    private Function<Throwable, Optional<Pod>> hook = failure -> Optional.empty();
    private CannedApi api;
    private Reconciliation<Pod> withFinalizer;
    private Reconciliation<Pod> withoutFinalizer;

    @BeforeEach
    void start() throws Exception {
        api = new CannedApi();
        Reconciler<Pod> reconciler = new Reconciler<>() {
            @Override
            public ReconcileResult reconcile(Pod primary, ReconcileContext<Pod> context) throws Exception {
                calls.add("reconcile at " + primary.getMetadata().getResourceVersion());
                return logic.reconcile(primary, context);
            }

            @Override
            public CleanupResult cleanup(Pod primary, ReconcileContext<Pod> context) {
                calls.add("cleanup");
                return cleanup;
            }

            @Override
            public Optional<Pod> failed(Pod primary, Throwable failure, ReconcileContext<Pod> context) {
                return hook.apply(failure);
            }
        };
        withFinalizer = reconciliation(Controller.of(Pod.class, reconciler).finalizer(MINE));
        withoutFinalizer = reconciliation(
                Controller.of(Pod.class, reconciler).named("without").owns(Pod.class));
    }

    @AfterEach
    void stop() throws Exception {
        api.close();
    }

    @Test
    void a_primary_that_is_gone_is_left_alone() throws Exception {
        assertThat(run(withFinalizer)).isEqualTo(ReconcileOutcome.awaitChange());
        assertNothingHappened();
    }

    @Test
    void the_finalizer_is_on_before_the_first_reconcile() throws Exception {
        stores.put(pod().build());
        run(withFinalizer);

        assertThat(api.received()).hasSize(1);
        assertThat(api.received().get(0).body().getJsonObject("metadata").getJsonArray("finalizers"))
                .containsExactly(MINE);
        assertThat(calls).containsExactly("reconcile at 101");
    }

    @Test
    void a_finalizer_that_is_there_is_not_added_again() throws Exception {
        stores.put(pod().editMetadata().addToFinalizers(MINE).endMetadata().build());
        run(withFinalizer);

        assertThat(api.received()).isEmpty();
        assertThat(calls).containsExactly("reconcile at 7");
    }

    @Test
    void without_its_finalizer_written_there_is_no_reconcile() {
        stores.put(pod().build());
        api.answer(request -> Answer.failure(403, "forbidden"));

        assertThatThrownBy(() -> run(withFinalizer)).isInstanceOf(KubernetesClientException.class);
        assertThat(calls).isEmpty();
    }

    @Test
    void a_conflict_about_the_finalizer_is_no_failure_and_is_settled_by_a_live_read_where_the_watch_lags()
            throws Exception {
        stores.put(pod().build());
        api.answer(request -> Answer.failure(409, "modified"));
        assertThat(run(withFinalizer)).isEqualTo(ReconcileOutcome.conflict(Reconciliation.PATIENCE));
        assertThat(calls).isEmpty();

        JsonObject live = JsonObject.mapFrom(pod().editMetadata()
                .withResourceVersion("9")
                .addToFinalizers(MINE)
                .endMetadata()
                .build());
        api.answer(request -> new Answer(200, live));
        assertThat(run(withFinalizer)).isEqualTo(ReconcileOutcome.awaitChange());
        assertThat(api.received()).extracting(request -> request.method()).containsExactly("PATCH", "GET");
        assertThat(calls).containsExactly("reconcile at 9");
    }

    @Test
    void a_conflict_with_what_the_store_has_by_then_is_tried_again_at_once() throws Exception {
        stores.put(pod().build());
        api.answer(request -> {
            stores.put(
                    pod().editMetadata().withResourceVersion("8").endMetadata().build());
            return Answer.failure(409, "modified");
        });
        assertThat(run(withFinalizer)).isEqualTo(ReconcileOutcome.conflict(Duration.ZERO));

        api.answer(api::echo);
        run(withFinalizer);
        assertThat(api.received()).extracting(request -> request.method()).containsExactly("PATCH", "PATCH");
    }

    @Test
    void a_primary_that_is_gone_when_a_conflict_is_looked_into_is_left_alone() throws Exception {
        stores.put(pod().build());
        api.answer(request -> Answer.failure(409, "modified"));
        run(withFinalizer);
        api.answer(request -> Answer.failure(404, "not found"));

        assertThat(run(withFinalizer)).isEqualTo(ReconcileOutcome.awaitChange());
        assertThat(calls).isEmpty();
    }

    @Test
    void the_reconcilers_own_conflict_about_the_primary_is_no_failure_but_any_other_is() throws Exception {
        stores.put(pod().build());
        logic = (primary, context) -> {
            throw conflict("a", "pods", "Conflict");
        };
        assertThat(run(withoutFinalizer).kind()).isEqualTo(ReconcileOutcome.Kind.CONFLICT);

        for (KubernetesClientException other : List.of(
                conflict("b", "pods", "Conflict"),
                conflict("a", "secrets", "Conflict"),
                conflict("a", "pods", "AlreadyExists"))) {
            stores.put(
                    pod().editMetadata().withResourceVersion("8").endMetadata().build());
            logic = (primary, context) -> {
                throw other;
            };
            assertThatThrownBy(() -> run(withoutFinalizer)).isSameAs(other);
        }
    }

    private static KubernetesClientException conflict(String name, String kind, String reason) {
        return new KubernetesClientException(
                reason,
                409,
                new StatusBuilder()
                        .withReason(reason)
                        .withCode(409)
                        .withNewDetails()
                        .withName(name)
                        .withKind(kind)
                        .endDetails()
                        .build());
    }

    @Test
    void a_primary_being_deleted_is_cleaned_up_and_let_go() throws Exception {
        stores.put(deleted().editMetadata().addToFinalizers(MINE).endMetadata().build());
        run(withFinalizer);

        assertThat(calls).containsExactly("cleanup");
        assertThat(api.received()).hasSize(1);
        assertThat(api.received().get(0).body().getJsonObject("metadata").getJsonArray("finalizers"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_finalizer_that_the_controller_had_formerly_goes_whether_or_not_the_primary_goes(boolean goes)
            throws Exception {
        Reconciliation<Pod> former =
                reconciliation(Controller.of(Pod.class, (Pod pod, ReconcileContext<Pod> context) -> {
                            calls.add("reconcile");
                            return ReconcileResult.awaitChange();
                        })
                        .named("former")
                        .formerFinalizer(MINE));
        stores.put((goes ? deleted() : pod())
                .editMetadata()
                .addToFinalizers("other.io/keep", MINE)
                .endMetadata()
                .build());
        run(former);

        assertThat(calls).hasSize(goes ? 0 : 1);
        assertThat(api.received()).hasSize(1);
        assertThat(api.received().get(0).body().getJsonObject("metadata").getJsonArray("finalizers"))
                .containsExactly("other.io/keep");
    }

    @Test
    void a_finalizer_is_kept_on_those_primaries_alone_that_need_it() throws Exception {
        Reconciliation<Pod> some = reconciliation(Controller.of(Pod.class, (Pod pod, ReconcileContext<Pod> context) -> {
                    calls.add("reconcile");
                    return ReconcileResult.awaitChange();
                })
                .named("some")
                .finalizer(MINE, pod -> pod.getMetadata().getLabels().containsKey("cleaned")));
        stores.put(pod().build());
        run(some);
        assertThat(api.received()).isEmpty();

        stores.put(
                pod().editMetadata().addToLabels("cleaned", "yes").endMetadata().build());
        run(some);
        stores.put(pod().editMetadata().addToFinalizers(MINE).endMetadata().build());
        run(some);

        assertThat(api.received())
                .extracting(request -> request.body().getJsonObject("metadata").getJsonArray("finalizers"))
                .containsExactly(new JsonArray().add(MINE), new JsonArray());
        assertThat(calls).containsExactly("reconcile", "reconcile", "reconcile");
    }

    @Test
    void it_stays_while_the_cleanup_is_not_done() throws Exception {
        stores.put(deleted().editMetadata().addToFinalizers(MINE).endMetadata().build());
        cleanup = CleanupResult.notYet(Duration.ofSeconds(3));
        assertThat(run(withFinalizer)).isEqualTo(ReconcileOutcome.requeueAfter(Duration.ofSeconds(3)));

        cleanup = CleanupResult.notYet(Duration.ZERO);
        assertThat(run(withFinalizer)).isEqualTo(ReconcileOutcome.requeue());
        assertThat(api.received()).isEmpty();
    }

    @Test
    void a_finalizer_is_never_added_to_what_is_being_deleted() throws Exception {
        stores.put(deleted().build());
        run(withFinalizer);
        run(withoutFinalizer);

        assertNothingHappened();
    }

    @Test
    void a_paused_primary_is_counted_and_left_alone() throws Exception {
        stores.put(paused(pod()).build());
        run(withFinalizer);

        assertNothingHappened();
        assertThat(meters.get("busbar_reconcile_paused")
                        .tag("controller", "pod")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void a_paused_primary_that_is_deleted_is_cleaned_up() throws Exception {
        stores.put(paused(deleted().editMetadata().addToFinalizers(MINE).endMetadata())
                .build());
        run(withFinalizer);

        assertThat(calls).containsExactly("cleanup");
    }

    @Test
    void each_result_has_its_outcome() throws Exception {
        stores.put(pod().build());
        assertThat(run(withoutFinalizer)).isEqualTo(ReconcileOutcome.awaitChange());
        result = ReconcileResult.requeue();
        assertThat(run(withoutFinalizer)).isEqualTo(ReconcileOutcome.requeue());
        result = ReconcileResult.requeueAfter(Duration.ofMinutes(1));
        assertThat(run(withoutFinalizer)).isEqualTo(ReconcileOutcome.requeueAfter(Duration.ofMinutes(1)));
    }

    @Test
    void the_second_status_write_of_a_reconcile_follows_the_first() throws Exception {
        stores.put(pod().build());
        logic = (primary, context) -> {
            for (String phase : List.of("One", "Two", "Two")) {
                context.status(primary.edit()
                        .editOrNewStatus()
                        .withPhase(phase)
                        .endStatus()
                        .build());
            }
            return ReconcileResult.awaitChange();
        };
        run(withoutFinalizer);

        assertThat(api.received())
                .extracting(sent -> sent.body().getJsonObject("metadata").getString("resourceVersion"))
                .containsExactly("7", "101");
    }

    @Test
    void what_a_reconcile_wrote_is_what_it_reads() throws Exception {
        stores.put(pod().build());
        List<HasMetadata> owned = new ArrayList<>();
        logic = (primary, context) -> {
            context.apply(new PodBuilder()
                    .withNewMetadata()
                    .withNamespace("ns")
                    .withName("child")
                    .endMetadata()
                    .build());
            owned.addAll(context.owned(Pod.class));
            return ReconcileResult.awaitChange();
        };
        run(withoutFinalizer);

        assertThat(owned).extracting(pod -> pod.getMetadata().getName()).containsExactly("child");
    }

    @Test
    void a_live_read_passes_the_store_by() throws Exception {
        stores.put(pod().build());
        api.answer(request -> new CannedApi.Answer(
                request.path().endsWith("/pods/b") ? 404 : 200,
                new JsonObject()
                        .put("metadata", new JsonObject().put("name", "a").put("resourceVersion", "9"))));
        List<Object> read = new ArrayList<>();
        logic = (primary, context) -> {
            read.add(context.live(Pod.class, ObjectKey.of("ns", "a"))
                    .map(pod -> pod.getMetadata().getResourceVersion()));
            read.add(context.live(Pod.class, ObjectKey.of("ns", "b")));
            read.add(context.lister(Pod.class)
                    .get(ObjectKey.of("ns", "a"))
                    .map(pod -> pod.getMetadata().getResourceVersion()));
            assertThatThrownBy(() -> context.live(Pod.class, ObjectKey.of("b")))
                    .hasMessage("Pod b is not allowed; allowed: a key with a namespace");
            return ReconcileResult.awaitChange();
        };
        run(withoutFinalizer);

        assertThat(read).containsExactly(Optional.of("9"), Optional.empty(), Optional.of("7"));
        assertThat(api.received())
                .extracting(CannedApi.Received::path)
                .containsExactly("/api/v1/namespaces/ns/pods/a", "/api/v1/namespaces/ns/pods/b");
    }

    @Test
    void the_whole_of_an_object_is_fetched_once_for_each_version_that_the_watch_shows() throws Exception {
        AtomicInteger version = new AtomicInteger(7);
        api.answer(request -> new CannedApi.Answer(
                200,
                new JsonObject()
                        .put(
                                "metadata",
                                new JsonObject()
                                        .put("name", "a")
                                        .put("uid", "uid-a")
                                        .put("resourceVersion", "" + version.get()))));
        List<String> read = new ArrayList<>();
        logic = (primary, context) -> {
            read.add(context.fetched(Pod.class, ObjectKey.of("ns", "a"))
                    .map(pod -> pod.getMetadata().getResourceVersion())
                    .orElse("none"));
            assertThat(context.fetched(Pod.class, ObjectKey.of("ns", "unseen"))).isEmpty();
            return result;
        };
        stores.put(pod().build());
        run(withoutFinalizer);
        run(withoutFinalizer);
        stores.put(pod().editMetadata().withResourceVersion("9").endMetadata().build());
        version.set(11);
        run(withoutFinalizer);
        run(withoutFinalizer);

        assertThat(read).containsExactly("7", "7", "11", "11");
        assertThat(api.received()).hasSize(2);
    }

    @Test
    void what_has_failed_is_written_to_the_status_unless_it_stands_there() throws Exception {
        stores.put(pod().build());
        hook = failure -> Optional.of(pod().withNewStatus()
                .withReason(failure.getMessage())
                .endStatus()
                .build());
        ReconcileTask task = new ReconcileTask(ObjectKey.of("ns", "a"), "id", 1);
        withoutFinalizer.tell(task, new IOException("no disk"));
        withoutFinalizer.tell(task, new IOException("no disk"));

        assertThat(api.received()).hasSize(1);
        assertThat(api.received().get(0).path()).isEqualTo("/api/v1/namespaces/ns/pods/a/status");
        assertThat(api.received().get(0).body().getJsonObject("status")).isEqualTo(new JsonObject("""
                {"reason": "no disk"}"""));
    }

    @Test
    void a_status_of_a_failure_that_is_refused_or_of_a_primary_that_is_gone_is_no_failure() throws Exception {
        hook = failure -> {
            calls.add("asked");
            return Optional.of(pod().withNewStatus().withReason("x").endStatus().build());
        };
        ReconcileTask task = new ReconcileTask(ObjectKey.of("ns", "a"), "id", 1);
        withoutFinalizer.tell(task, new IOException("no disk"));
        assertThat(calls).isEmpty();

        stores.put(pod().build());
        api.answer(request -> CannedApi.Answer.failure(500, "no disk here either"));
        withoutFinalizer.tell(task, new IOException("no disk"));
        assertThat(calls).containsExactly("asked");
        assertThat(api.received()).hasSize(1);
    }

    private void assertNothingHappened() {
        assertThat(calls).isEmpty();
        assertThat(api.received()).isEmpty();
    }

    private static ReconcileOutcome run(Reconciliation<Pod> reconciliation) throws Exception {
        return reconciliation.run(new ReconcileTask(ObjectKey.of("ns", "a"), "id", 1));
    }

    private static PodBuilder pod() {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("a")
                .withUid("uid-a")
                .withResourceVersion("7")
                .endMetadata();
    }

    private static PodBuilder deleted() {
        return pod().editMetadata()
                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                .endMetadata();
    }

    private static PodBuilder paused(PodBuilder pod) {
        return pod.editMetadata().addToAnnotations("busbar.io/paused", "true").endMetadata();
    }

    private Reconciliation<Pod> reconciliation(Controller<Pod> controller) {
        ApiRequests requests = new ApiRequests(api.client());
        Cluster<Pod> cluster = Cluster.of(
                new Member(
                        "",
                        api.client(),
                        requests,
                        new Schemas(requests, System::nanoTime),
                        new FetchedObjects(requests, 1 << 20),
                        Optional.empty()),
                controller,
                Reads.of(controller, ""),
                stores,
                new NoEvents(),
                new WriteLoops(controller.name(), requests::json, meters, System::nanoTime),
                meters);
        return new Reconciliation<>(
                controller,
                cluster,
                new ReconcileMetrics(meters, controller.name(), 1, () -> 0),
                new Conflicts(ResourceType.of(Pod.class)),
                other -> cluster,
                Sharding.none());
    }

    private static final class NoEvents implements EventRecorder {
        @Override
        public void normal(HasMetadata regarding, String reason, String action, String note) {}

        @Override
        public void warning(HasMetadata regarding, String reason, String action, String note) {}
    }
}
