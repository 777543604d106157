package io.busbar.reconciler.work;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.bus.Addresses;
import io.busbar.common.bus.BusCodec;
import io.busbar.common.bus.Reason;
import io.busbar.common.bus.ReconcileRequest;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.reconciler.CannedApi;
import io.busbar.reconciler.CannedApi.Answer;
import io.busbar.reconciler.CannedApi.Received;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.MapListers;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A controller that writes a status while a user edits the same object. */
class ConflictTest {

    private static final ResourceType PODS = ResourceType.of(Pod.class);
    private static final int EDITS = 50;

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final MapListers stores = new MapListers();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.busbar.reconciler");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private CannedApi api;
    private Controllers controllers;
    private final AtomicInteger version = new AtomicInteger(10);
    private volatile boolean written;
    private volatile boolean gone;

    @BeforeEach
    void start() throws Exception {
        api = new CannedApi();
        api.answer(this::answer);
        logger.setLevel(Level.WARN);
        lines.start();
        logger.addAppender(lines);
        BusCodec.registerAll(vertx.eventBus());
        controllers = new Controllers(vertx, api.client(), stores, meters, WorkerThreads.PLATFORM, "test");
        stores.put(pod(version.get()));
        controllers.deploy(Controller.of(Pod.class, this::reconcile)).await(60, SECONDS);
        controllers.start().await(60, SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        controllers.stop(Duration.ZERO).await(60, SECONDS);
        logger.detachAppender(lines);
        logger.setLevel(null);
        api.close();
        vertx.close().await(60, SECONDS);
    }

    @Test
    void fifty_edits_that_each_come_first_are_fifty_conflicts_and_no_failure() {
        vertx.eventBus()
                .send(
                        Addresses.standard().requests("pod"),
                        new ReconcileRequest(ObjectKey.of("ns", "a"), Reason.CHANGE));
        await("the status").atMost(Duration.ofSeconds(60)).until(() -> written);

        assertThat(api.received()).as("writes and reads").hasSize(EDITS + 1);
        await("the end of the last reconcile")
                .atMost(Duration.ofMinutes(1))
                .until(() -> count("controller_runtime_reconcile") == EDITS + 1);
        assertThat(count("busbar_reconcile_conflicts")).isEqualTo(EDITS);
        assertThat(count("controller_runtime_reconcile_errors")).isZero();
        assertThat(count("workqueue_retries")).isZero();
        assertThat(lines.list)
                .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .isEmpty();
    }

    @Test
    void a_primary_that_is_gone_before_the_watch_shows_it_is_no_failure() {
        gone = true;
        vertx.eventBus()
                .send(
                        Addresses.standard().requests("pod"),
                        new ReconcileRequest(ObjectKey.of("ns", "a"), Reason.CHANGE));

        await("the reconcile").atMost(Duration.ofMinutes(1)).until(() -> count("busbar_reconcile_conflicts") == 1);
        assertThat(count("controller_runtime_reconcile_errors")).isZero();
        assertThat(count("workqueue_retries")).isZero();
        assertThat(lines.list)
                .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .isEmpty();
    }

    private ReconcileResult reconcile(Pod primary, ReconcileContext<Pod> context) {
        assertThat(context.attempt()).isEqualTo(1);
        context.status(primary.edit()
                .editOrNewStatus()
                .withPhase("Running")
                .endStatus()
                .build());
        return ReconcileResult.awaitChange();
    }

    /** Each write comes second to an edit, which the watch shows later, and which is none that a trigger looks for. */
    private Answer answer(Received request) {
        if (gone) {
            return refused(404, "NotFound");
        }
        if (version.get() - 10 < EDITS) {
            version.incrementAndGet();
            vertx.setTimer(2, later -> shown(version.get()));
            return refused(409, "Conflict");
        }
        assertThat(request.body().getJsonObject("metadata").getString("resourceVersion"))
                .isEqualTo(String.valueOf(version.get()));
        written = true;
        return api.echo(request);
    }

    private static Answer refused(int code, String reason) {
        Answer refused = Answer.failure(code, "of pod a");
        refused.body()
                .put("reason", reason)
                .put("details", new JsonObject().put("name", "a").put("kind", "pods"));
        return refused;
    }

    private void shown(int now) {
        stores.put(pod(now));
        vertx.eventBus()
                .publish(
                        Addresses.standard().changes(PODS),
                        new ResourceChanged(
                                PODS,
                                MapListers.WATCH,
                                ObjectKey.of("ns", "a"),
                                ResourceChanged.Kind.MODIFIED,
                                String.valueOf(now)));
    }

    private double count(String name) {
        return meters.find(name).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    private static Pod pod(int version) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("a")
                .withUid("uid")
                .withResourceVersion(String.valueOf(version))
                .endMetadata()
                .build();
    }
}
