package io.busbar.reconciler.work;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.BusCodec;
import io.busbar.common.bus.Cause;
import io.busbar.common.bus.ExternalChange;
import io.busbar.common.guard.Faults;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.MapListers;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.source.CallSource;
import io.busbar.reconciler.source.MessageSource;
import io.busbar.reconciler.source.PollingSource;
import io.busbar.reconciler.source.TimerSource;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What event sources bring about in a running controller. */
class RunningSourcesTest {

    private static final ObjectKey A = ObjectKey.of("ns", "a");

    private final Vertx vertx = Vertx.vertx();
    private final MapListers stores = new MapListers().watching(ConfigMap.class);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(Config.empty()).build();
    private final Controllers controllers =
            new Controllers(vertx, client, stores, meters, WorkerThreads.PLATFORM, "test");
    private final BlockingQueue<Cause> causes = new LinkedBlockingQueue<>();

    RunningSourcesTest() {
        BusCodec.registerAll(vertx.eventBus());
        put("a");
    }

    @AfterEach
    void close() throws Exception {
        controllers.stop(Duration.ZERO).await(60, SECONDS);
        client.close();
        vertx.close().await(60, SECONDS);
    }

    @Test
    void a_call_from_any_thread_brings_its_primary_to_each_controller_of_the_source() throws Exception {
        CallSource calls = new CallSource("calls");
        calls.enqueue(A);
        controllers.deploy(controller().source(calls)).await(60, SECONDS);
        controllers.deploy(controller().named("second").source(calls)).await(60, SECONDS);
        calls.enqueue(A);
        assertThat(causes).as("before the start").isEmpty();
        controllers.start().await(60, SECONDS);

        assertThat(next()).isEqualTo(Cause.from("calls", A));
        assertThat(next()).isEqualTo(Cause.from("calls", A));
    }

    @Test
    void what_is_called_after_the_stop_goes_nowhere() throws Exception {
        CallSource calls = new CallSource("calls");
        run(controller().source(calls));
        calls.enqueue(A);
        next();
        controllers.stop(Duration.ZERO).await(60, SECONDS);

        calls.enqueue(A);
        assertThat(causes).isEmpty();
    }

    @Test
    void a_message_on_the_bus_brings_its_primary_and_another_type_of_message_is_counted_as_unexpected()
            throws Exception {
        run(controller().source(new MessageSource("git.pushes")));
        vertx.eventBus().publish("git.pushes", "no key");
        vertx.eventBus().publish("git.pushes", new ExternalChange(A));

        assertThat(next()).isEqualTo(Cause.from("git.pushes", A));
        assertThat(panics()).isEqualTo(1);
    }

    @Test
    void a_timer_brings_every_primary_time_and_again() throws Exception {
        put("b");
        run(controller().source(TimerSource.every("often", Duration.ofMillis(20))));

        for (int i = 0; i < 4; i++) {
            assertThat(next().source()).isEqualTo("often");
        }
    }

    @Test
    void a_timer_without_a_time_left_is_over() throws Exception {
        CallSource calls = new CallSource("calls");
        run(controller().source(once()).source(calls));

        assertThat(next()).isEqualTo(Cause.from("once", A));
        calls.enqueue(A);
        assertThat(next()).isEqualTo(Cause.from("calls", A));
        assertThat(panics()).isZero();
    }

    @Test
    void a_poll_brings_its_primary_only_when_the_answer_differs_and_runs_on_no_event_loop() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        AtomicBoolean onEventLoop = new AtomicBoolean();
        AtomicBoolean seen = new AtomicBoolean();
        PollingSource<ConfigMap, String, String> head = PollingSource.every(
                "head", Duration.ofMillis(20), map -> map.getMetadata().getName(), question -> {
                    onEventLoop.compareAndSet(false, Context.isOnEventLoopThread());
                    return Optional.of(asked.incrementAndGet() < 6 || !seen.get() ? "old" : "new");
                });
        BlockingQueue<Optional<String>> read = new LinkedBlockingQueue<>();
        run(controller((primary, context) -> {
                    read.add(context.polled(head));
                    seen.set(true);
                    return ReconcileResult.awaitChange();
                })
                .source(head));

        assertThat(read.poll(60, SECONDS)).contains("old");
        assertThat(read.poll(60, SECONDS)).contains("new");
        assertThat(next()).isEqualTo(Cause.from("head", A));
        assertThat(next()).isEqualTo(Cause.from("head", A));
        assertThat(asked).hasValueGreaterThanOrEqualTo(6);
        assertThat(onEventLoop).isFalse();
    }

    @ParameterizedTest
    @MethodSource("io.busbar.common.guard.Faults#all")
    void whatever_a_poll_throws_the_next_one_comes(Throwable thrown) throws Exception {
        AtomicInteger asked = new AtomicInteger();
        run(controller()
                .source(PollingSource.<ConfigMap, String, Integer>every(
                        "head", Duration.ofMillis(20), map -> "", question -> {
                            if (asked.incrementAndGet() == 1) {
                                Faults.raise(thrown);
                            }
                            return Optional.of(asked.get());
                        })));

        assertThat(next()).isEqualTo(Cause.from("head", A));
        assertThat(asked).hasValueGreaterThan(1);
    }

    @Test
    void a_source_that_was_not_declared_is_not_polled() throws Exception {
        PollingSource<ConfigMap, String, String> other =
                PollingSource.every("other", Duration.ofMinutes(1), map -> "", question -> Optional.of("x"));
        AtomicReference<Throwable> refused = new AtomicReference<>();
        CallSource calls = new CallSource("calls");
        run(controller((primary, context) -> {
                    refused.set(catchThrowable(() -> context.polled(other)));
                    return ReconcileResult.awaitChange();
                })
                .source(calls));
        calls.enqueue(A);
        next();

        assertThat(refused.get())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("controller configmap does not poll 'other': declare it with .source(…)");
    }

    @Test
    void an_urgent_change_is_looked_at_before_what_a_timer_has_brought() throws Exception {
        for (int i = 0; i < 20; i++) {
            put("many-" + i);
        }
        CallSource calls = new CallSource("calls");
        BlockingQueue<String> names = new LinkedBlockingQueue<>();
        AtomicReference<String> urgent = new AtomicReference<>("");
        run(controller((primary, context) -> {
                    String name = context.key().name();
                    if (urgent.get().isEmpty()) {
                        await().atMost(Duration.ofMinutes(1)).until(() -> depth() == 20);
                        urgent.set(name.equals("a") ? "many-19" : "a");
                        calls.enqueue(ObjectKey.of("ns", urgent.get()));
                        await().atMost(Duration.ofMinutes(1)).until(() -> urgentDepth() == 1);
                    }
                    names.add(name);
                    return ReconcileResult.awaitChange();
                })
                .source(calls)
                .source(once()));

        assertThat(names.poll(60, SECONDS)).isNotEqualTo(urgent.get());
        assertThat(names.poll(60, SECONDS)).isEqualTo(urgent.get());
    }

    private static TimerSource once() {
        AtomicReference<Instant> first = new AtomicReference<>();
        return new TimerSource(
                "once",
                after -> first.compareAndSet(null, after) ? Optional.of(after.plusMillis(1)) : Optional.empty());
    }

    private double depth() {
        return meters.get("workqueue_depth").gauges().stream()
                .mapToDouble(gauge -> gauge.value())
                .sum();
    }

    private double urgentDepth() {
        return meters.get("workqueue_depth").tag("priority", "0").gauge().value();
    }

    private double panics() {
        return meters.find("busbar_panics").counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    private Controller<ConfigMap> controller() {
        return controller((primary, context) -> ReconcileResult.awaitChange());
    }

    private Controller<ConfigMap> controller(Reconciler<ConfigMap> logic) {
        return Controller.of(ConfigMap.class, (primary, context) -> told(logic, primary, context));
    }

    private ReconcileResult told(Reconciler<ConfigMap> logic, ConfigMap primary, ReconcileContext<ConfigMap> context)
            throws Exception {
        ReconcileResult result = logic.reconcile(primary, context);
        causes.add(context.trigger());
        return result;
    }

    private void run(Controller<ConfigMap> controller) throws Exception {
        controllers.deploy(controller).await(60, SECONDS);
        controllers.start().await(60, SECONDS);
    }

    private Cause next() throws InterruptedException {
        Cause cause = causes.poll(60, SECONDS);
        assertThat(cause).as("the cause of another reconcile").isNotNull();
        return cause;
    }

    private void put(String name) {
        stores.put(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName(name)
                .withUid("uid-" + name)
                .endMetadata()
                .build());
    }
}
