package io.busbar.reconciler.work;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.bus.Addresses;
import io.busbar.common.bus.BusCodec;
import io.busbar.common.bus.Cause;
import io.busbar.common.bus.Reason;
import io.busbar.common.bus.ReconcileRequest;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.common.bus.ResourceListed;
import io.busbar.reconciler.CannedApi;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.MapListers;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a running controller makes of the messages of watches: of those that it reads, and of others. */
class FollowedWatchesTest {

    private static final ResourceType SECRETS = ResourceType.of(Secret.class);
    private static final ObjectKey PRIMARY = ObjectKey.of("ns", "a");

    private final Vertx vertx = Vertx.vertx();
    private final MapListers stores = new MapListers().watching(Secret.class);
    private final BlockingQueue<Integer> calls = new LinkedBlockingQueue<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private CannedApi api;
    private Controllers controllers;
    private volatile Reconciler<ConfigMap> logic = (primary, context) -> ReconcileResult.awaitChange();

    @BeforeEach
    void start() throws Exception {
        api = new CannedApi();
        BusCodec.registerAll(vertx.eventBus());
        controllers = new Controllers(vertx, api.client(), stores, meters, WorkerThreads.PLATFORM, "test");
        stores.put(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("a")
                .withUid("a-uid")
                .withResourceVersion("5")
                .endMetadata()
                .build());
        controllers
                .deploy(Controller.of(ConfigMap.class, this::reconcile).owns(Secret.class))
                .await(60, SECONDS);
        controllers.start().await(60, SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        controllers.stop(Duration.ZERO).await(60, SECONDS);
        api.close();
        vertx.close().await(60, SECONDS);
    }

    private ReconcileResult reconcile(ConfigMap primary, ReconcileContext<ConfigMap> context) throws Exception {
        ReconcileResult result = logic.reconcile(primary, context);
        calls.add(context.owned(Secret.class).size());
        return result;
    }

    @Test
    void an_object_that_leaves_another_watch_is_still_known_to_have_been_applied() throws Exception {
        logic = (primary, context) -> {
            stores.put(context.apply(secret(Map.of("keep", "1", "drop", "2"))));
            return ReconcileResult.awaitChange();
        };
        request();
        calls.poll(60, SECONDS);
        vertx.eventBus()
                .publish(
                        Addresses.standard().changes(SECRETS),
                        new ResourceChanged(
                                SECRETS,
                                "another watch",
                                ObjectKey.of("ns", "s"),
                                ResourceChanged.Kind.DELETED,
                                "300"));
        logic = (primary, context) -> {
            context.apply(secret(Map.of("keep", "1")));
            return ReconcileResult.awaitChange();
        };
        request();
        calls.poll(60, SECONDS);

        assertThat(api.received())
                .as("applies, the second of which takes a field back")
                .hasSize(2);
    }

    @Test
    void an_object_that_went_while_nobody_watched_makes_its_primary_be_looked_at() throws Exception {
        logic = (primary, context) -> {
            context.create(secret(Map.of()));
            logic = (again, without) -> ReconcileResult.awaitChange();
            return ReconcileResult.awaitChange();
        };
        request();
        assertThat(calls.poll(60, SECONDS)).as("own objects").isEqualTo(1);
        stores.reach(Secret.class, "1000");
        listed("another watch");
        request();
        assertThat(calls.poll(60, SECONDS)).as("own objects").isZero();

        logic = (primary, context) -> {
            context.remember(secret(Map.of())
                    .edit()
                    .editMetadata()
                    .withUid("next")
                    .withResourceVersion("1001")
                    .addNewOwnerReference()
                    .withApiVersion("v1")
                    .withKind("ConfigMap")
                    .withName("a")
                    .withUid("a-uid")
                    .withController(true)
                    .endOwnerReference()
                    .endMetadata()
                    .build());
            logic = (again, without) -> ReconcileResult.awaitChange();
            return ReconcileResult.awaitChange();
        };
        request();
        assertThat(calls.poll(60, SECONDS)).as("own objects").isEqualTo(1);
        stores.reach(Secret.class, "2000");
        listed(MapListers.WATCH);
        assertThat(calls.poll(60, SECONDS))
                .as("own objects, and nobody has asked")
                .isZero();
    }

    @Test
    void a_write_that_a_restored_database_has_lost_is_not_taken_for_there() throws Exception {
        stores.reach(Secret.class, "50");
        logic = (primary, context) -> {
            context.create(secret(Map.of()));
            logic = (again, without) -> ReconcileResult.awaitChange();
            return ReconcileResult.awaitChange();
        };
        request();
        assertThat(calls.poll(60, SECONDS)).as("own objects").isEqualTo(1);
        api.answer(request -> CannedApi.Answer.failure(404, "not found"));
        stores.reach(Secret.class, "20");
        listed(MapListers.WATCH);

        assertThat(calls.poll(60, SECONDS))
                .as("own objects, and nobody has asked")
                .isZero();
        assertThat(api.received().stream().map(CannedApi.Received::method)).isEqualTo(List.of("POST", "GET"));
    }

    @Test
    void a_controller_that_is_kept_busy_by_its_own_writes_alone_is_found() throws Exception {
        AtomicInteger times = new AtomicInteger();
        BlockingQueue<String> versions = new LinkedBlockingQueue<>();
        logic = (primary, context) -> {
            Secret written = context.apply(secret(Map.of("time", "" + times.incrementAndGet())));
            stores.put(written);
            versions.add(written.getMetadata().getResourceVersion());
            return ReconcileResult.awaitChange();
        };
        request();
        for (int i = 0; i < 2 * WriteLoops.LONG_ROW; i++) {
            String version = versions.poll(60, SECONDS);
            calls.poll(60, SECONDS);
            vertx.eventBus()
                    .send(
                            Addresses.standard().requests("configmap"),
                            new ReconcileRequest(
                                    PRIMARY,
                                    Reason.CHANGE,
                                    "",
                                    new Cause(Cause.How.MODIFIED, "Pod", PRIMARY, String.valueOf(version))));
        }
        await("turns that are counted as a loop")
                .atMost(Duration.ofMinutes(1))
                .until(() ->
                        meters.get("busbar_reconcile_write_loops").counter().count() > WriteLoops.LONG_ROW);
    }

    @Test
    void a_reconcile_that_finds_its_writes_in_doubt_is_made_again_once_they_are_looked_up() throws Exception {
        stores.reach(Secret.class, "50");
        logic = (primary, context) -> {
            context.create(secret(Map.of()));
            logic = (again, without) -> ReconcileResult.awaitChange();
            return ReconcileResult.awaitChange();
        };
        request();
        assertThat(calls.poll(60, SECONDS)).as("own objects").isEqualTo(1);
        api.answer(request -> CannedApi.Answer.failure(404, "not found"));
        stores.reach(Secret.class, "20");
        request();

        assertThat(calls.poll(60, SECONDS))
                .as("own objects, as far as is known")
                .isEqualTo(1);
        assertThat(calls.poll(60, SECONDS))
                .as("own objects, and nobody has asked")
                .isZero();
    }

    private void listed(String watch) {
        vertx.eventBus().publish(Addresses.standard().lists(SECRETS), new ResourceListed(SECRETS, watch, ""));
    }

    private void request() {
        vertx.eventBus().send(Addresses.standard().requests("configmap"), new ReconcileRequest(PRIMARY, Reason.CHANGE));
    }

    private static Secret secret(Map<String, String> data) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("s")
                .endMetadata()
                .withData(data)
                .build();
    }
}
