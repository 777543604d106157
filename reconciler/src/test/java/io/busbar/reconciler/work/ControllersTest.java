package io.busbar.reconciler.work;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Addresses;
import io.busbar.common.bus.BusCodec;
import io.busbar.common.bus.Cause;
import io.busbar.common.bus.Reason;
import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.bus.ReconcileRequest;
import io.busbar.common.bus.ReconcileTask;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.common.guard.Faults;
import io.busbar.common.guard.Guard;
import io.busbar.common.trace.Tracing;
import io.busbar.common.watch.WatchSpec;
import io.busbar.reconciler.Backoff;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.MapListers;
import io.busbar.reconciler.RateLimit;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.TerminalException;
import io.busbar.reconciler.queue.QueueMetrics;
import io.busbar.reconciler.queue.WorkQueue;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

class ControllersTest {

    /** Long enough for a reconcile that does nothing, on a machine that has other things to do. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private static final Duration LONG = Duration.ofMinutes(1);

    private final Vertx vertx = Vertx.vertx();
    private final MapListers stores = new MapListers().watching(ConfigMap.class);
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(Config.empty()).build();
    private final Controllers controllers =
            new Controllers(vertx, client, stores, meters, WorkerThreads.PLATFORM, "test");
    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

    ControllersTest() {
        BusCodec.registerAll(vertx.eventBus());
    }

    @AfterEach
    void close() throws Exception {
        controllers.stop(Duration.ZERO).await(60, SECONDS);
        client.close();
        vertx.close().await(60, SECONDS);
    }

    @Test
    void requests_that_come_before_the_start_wait_for_it() throws Exception {
        controllers.deploy(controller(this::call)).await(60, SECONDS);
        request("a", "b");
        await().atMost(Duration.ofMinutes(1)).until(() -> gauge("workqueue_depth", "priority", "0") == 2);
        assertThat(calls).isEmpty();

        controllers.start().await(60, SECONDS);
        assertCalled("a");
        assertCalled("b");
    }

    @Test
    void a_key_requested_while_it_is_out_runs_once_more_and_never_twice_at_once() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        run(controller((primary, context) -> {
                    boolean counts = context.key().name().equals("a");
                    if (counts) {
                        most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    }
                    call(primary, context);
                    go.await();
                    if (counts) {
                        running.decrementAndGet();
                    }
                    return ReconcileResult.awaitChange();
                })
                .workers(4));
        request("a");
        assertCalled("a");
        request("a", "a", "a", "later");
        assertCalled("later");
        go.countDown();

        assertCalled("a");
        request("end");
        assertCalled("end");
        assertThat(calls).isEmpty();
        assertThat(most).hasValue(1);
    }

    @Test
    void a_busy_worker_holds_up_nobody_but_its_key() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        run(controller((primary, context) -> {
                    if (context.key().name().equals("slow")) {
                        go.await();
                    }
                    return call(primary, context);
                })
                .workers(2));
        request("slow");
        for (int i = 0; i < 20; i++) {
            request("quick-" + i);
            assertCalled("quick-" + i);
        }
        go.countDown();
        assertCalled("slow");
    }

    @Test
    void a_failure_is_tried_again_and_counted_until_it_succeeds() throws Exception {
        run(controller((primary, context) -> {
            calls.add("attempt " + context.attempt());
            if (context.attempt() < 3) {
                throw new IOException("not yet");
            }
            return ReconcileResult.awaitChange();
        }));
        request("a");
        assertCalled("attempt 1");
        assertCalled("attempt 2");
        assertCalled("attempt 3");
        await().atMost(Duration.ofMinutes(1)).until(() -> result("success") == 1);
        assertThat(result("error")).isEqualTo(2);

        request("a");
        assertCalled("attempt 1");
    }

    @Test
    void a_terminal_failure_waits_for_a_change() throws Exception {
        run(controller((primary, context) -> {
            calls.add("attempt " + context.attempt());
            throw new TerminalException("no use");
        }));
        request("a");
        assertCalled("attempt 1");
        request("a");
        assertCalled("attempt 1");

        assertThat(meters.get("workqueue_retries").counter().count()).isZero();
        assertThat(meters.get("controller_runtime_terminal_reconcile_errors")
                        .counter()
                        .count())
                .isPositive();
    }

    @ParameterizedTest
    @MethodSource("io.busbar.common.guard.Faults#all")
    void whatever_a_reconciler_throws_is_an_outcome_and_its_key_and_its_worker_go_on(Throwable thrown)
            throws Exception {
        run(controller((primary, context) -> {
                    calls.add(context.key().name() + " " + context.attempt());
                    if (context.key().name().equals("a") && context.attempt() == 1) {
                        Faults.raise(thrown);
                    }
                    return ReconcileResult.awaitChange();
                })
                .workers(1));
        request("a");
        assertCalled("a 1");
        assertCalled("a 2");
        request("b");
        assertCalled("b 1");

        await().atMost(Duration.ofMinutes(1)).until(() -> result("success") == 2);
        assertThat(result("error")).isEqualTo(1);
        assertThat(meters.get("controller_runtime_reconcile_panics").counter().count())
                .isEqualTo(1);
        assertThat(meters.get("controller_runtime_active_workers").gauge().value())
                .isZero();
    }

    @ParameterizedTest
    @MethodSource("io.busbar.common.guard.Faults#all")
    void a_key_comes_back_though_what_runs_its_reconcile_fails(Throwable thrown) throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        Function<ReconcileTask, ReconcileOutcome> work = task -> {
            calls.add(task.key().name() + " " + task.attempt());
            if (broken.getAndSet(false)) {
                Faults.raise(thrown);
            }
            return ReconcileOutcome.awaitChange();
        };
        Guard guard = new Guard("controller", meters);
        ControllerVerticle verticle = new ControllerVerticle(
                "configmap",
                Addresses.standard().requests("configmap"),
                new WorkQueue(
                        new Backoff(Duration.ofMillis(1), Duration.ofMillis(1)),
                        RateLimit.standard(),
                        new QueueMetrics(meters, "configmap", System::nanoTime),
                        System::nanoTime),
                new QueueTrace(Tracing.off(), "configmap", InstantSource.system()),
                new Activity(0, InstantSource.system(), System::nanoTime),
                List.of("worker"),
                (key, version) -> {},
                List.of(),
                key -> false,
                guard);
        vertx.deployVerticle(new WorkerVerticle("worker", work, guard)).await(60, SECONDS);
        vertx.deployVerticle(verticle).await(60, SECONDS);
        verticle.begin();
        request("a");

        assertCalled("a 1");
        assertCalled("a 2");
        assertThat(panics("controller")).isEqualTo(1);
        verticle.drain().await(60, SECONDS);
    }

    @ParameterizedTest
    @MethodSource("io.busbar.common.guard.Faults#all")
    void keys_that_cannot_be_collected_once_are_resynced_all_the_same(Throwable thrown) throws Exception {
        AtomicInteger collected = new AtomicInteger();
        Promise<ObjectKey> resynced = Promise.promise();
        Callable<List<ObjectKey>> keys = () -> {
            if (collected.getAndIncrement() < 2) {
                Faults.raise(thrown);
            }
            return List.of(ObjectKey.of("ns", "a"));
        };
        Consumer<ObjectKey> request = key -> {
            if (!resynced.tryComplete(key)) {
                return;
            }
            Faults.raise(thrown);
        };
        vertx.deployVerticle(new ResyncVerticle(
                        "configmap", Duration.ofMillis(100), keys, request, new Guard("controller", meters)))
                .await(60, SECONDS);

        assertThat(resynced.future().await(60, SECONDS)).isEqualTo(ObjectKey.of("ns", "a"));
        await().atMost(Duration.ofMinutes(1)).until(() -> panics("controller") == 3);
        await().atMost(Duration.ofMinutes(1)).until(() -> collected.get() > 4);
    }

    private double panics(String place) {
        return meters.get("busbar_panics").tag("place", place).counter().count();
    }

    @Test
    void a_reconcile_whose_time_is_up_is_interrupted_and_tried_again() throws Exception {
        run(controller((primary, context) -> {
                    calls.add("attempt " + context.attempt());
                    if (context.attempt() == 1) {
                        new CountDownLatch(1).await();
                    }
                    return ReconcileResult.awaitChange();
                })
                .timeout(SOON));
        request("a");
        assertCalled("attempt 1");
        assertCalled("attempt 2");

        assertThat(meters.get("controller_runtime_reconcile_timeouts").counter().count())
                .isEqualTo(1);
    }

    @Test
    void one_that_ignores_its_interrupt_keeps_its_key_and_the_rest_goes_on() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        run(controller((primary, context) -> {
                    call(primary, context);
                    if (context.key().name().equals("stubborn") && context.attempt() == 1) {
                        awaitWhateverComes(go);
                    }
                    return ReconcileResult.awaitChange();
                })
                .workers(2)
                .timeout(SOON));
        request("stubborn");
        assertCalled("stubborn");
        await().atMost(Duration.ofMinutes(1))
                .until(() -> meters.get("busbar_reconcile_overdue").gauge().value() == 1);
        request("stubborn", "other");
        assertCalled("other");
        request("another");
        assertCalled("another");
        assertThat(calls).isEmpty();

        go.countDown();
        assertCalled("stubborn");
        await().atMost(Duration.ofMinutes(1))
                .until(() -> meters.get("busbar_reconcile_overdue").gauge().value() == 0);
    }

    private static void awaitWhateverComes(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException ignored) {
                // that is what this is about
            }
        }
    }

    @Test
    void a_key_comes_again_after_the_time_that_was_asked_for() throws Exception {
        AtomicInteger count = new AtomicInteger();
        run(controller((primary, context) -> {
            call(primary, context);
            return count.incrementAndGet() == 1
                    ? ReconcileResult.requeueAfter(Duration.ofMillis(20))
                    : ReconcileResult.awaitChange();
        }));
        request("a");
        assertCalled("a");
        assertCalled("a");
        await().atMost(Duration.ofMinutes(1)).until(() -> result("requeue_after") == 1 && result("success") == 1);
    }

    @Test
    void no_request_is_lost_however_many_come_at_once() throws Exception {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        run(controller((primary, context) -> {
                    seen.add(context.key().name());
                    return ReconcileResult.awaitChange();
                })
                .workers(2));
        int count = 20_000;
        for (int i = 0; i < count; i++) {
            stores.put(map("key-" + i));
            send("key-" + i);
        }

        await().atMost(Duration.ofMinutes(1)).until(() -> seen.size() == count);
    }

    @Test
    void every_primary_is_requested_in_each_resync_interval() throws Exception {
        Map<String, Integer> counts = new ConcurrentHashMap<>();
        for (int i = 0; i < 10; i++) {
            stores.put(map("key-" + i));
        }
        run(controller((primary, context) -> {
                    counts.merge(context.key().name(), 1, Integer::sum);
                    return ReconcileResult.awaitChange();
                })
                .resync(Duration.ofMillis(100)));

        await().atMost(Duration.ofMinutes(1))
                .until(() -> counts.size() == 10 && counts.values().stream().allMatch(count -> count >= 3));
    }

    @Test
    void stopping_lets_what_runs_end_and_hands_out_nothing_more() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        run(controller((primary, context) -> {
            call(primary, context);
            go.await();
            calls.add("ended");
            return ReconcileResult.awaitChange();
        }));
        request("a");
        assertCalled("a");
        request("b");
        var stopped = controllers.stop(LONG);
        go.countDown();
        stopped.await(60, SECONDS);

        assertThat(calls).containsExactly("ended");
    }

    @Test
    void stopping_interrupts_what_outlasts_the_grace() throws Exception {
        run(controller((primary, context) -> {
            call(primary, context);
            try {
                new CountDownLatch(1).await();
            } finally {
                calls.add("interrupted");
            }
            return ReconcileResult.awaitChange();
        }));
        request("a");
        assertCalled("a");
        controllers.stop(Duration.ofMillis(1)).await(60, SECONDS);

        assertThat(calls).containsExactly("interrupted");
    }

    @Test
    void a_controller_may_read_listers_that_come_after_its_deployment() throws Exception {
        AtomicReference<MapListers> own = new AtomicReference<>();
        controllers.deploy(controller(this::call), cluster -> own.get()).await(60, SECONDS);
        send("a");
        own.set(new MapListers());
        own.get().put(map("a"));
        controllers.start().await(60, SECONDS);

        assertCalled("a");
    }

    @Test
    void a_name_serves_one_controller() throws Exception {
        run(controller(this::call));

        assertThatThrownBy(() -> controllers.deploy(controller(this::call)).await(60, SECONDS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("configmap");
    }

    @Test
    void virtual_threads_run_where_java_has_them_and_are_refused_where_not() throws Exception {
        Controllers virtual = new Controllers(vertx, client, stores, meters, WorkerThreads.VIRTUAL, "test");
        if (!WorkerThreads.VIRTUAL.available()) {
            assertThatThrownBy(() -> virtual.deploy(controller(this::call)).await(60, SECONDS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("need Java 21");
        } else {
            virtual.deploy(controller(this::call)).await(60, SECONDS);
            virtual.start().await(60, SECONDS);
            request("a");
            assertCalled("a");
        }
        assertThatCode(() -> virtual.stop(Duration.ZERO).await(60, SECONDS)).doesNotThrowAnyException();
    }

    @Test
    void every_log_line_of_a_reconcile_names_it() throws Exception {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(ControllersTest.class);
        lines.start();
        logger.addAppender(lines);
        run(controller((primary, context) -> {
            logger.error("within");
            calls.add(context.reconcileId());
            return ReconcileResult.awaitChange();
        }));
        stores.put(map("a"));
        ObjectKey key = ObjectKey.of("ns", "a");
        Cause pod = new Cause(Cause.How.DELETED, "Pod", ObjectKey.of("ns", "a-1"), "7");
        vertx.eventBus()
                .send(Addresses.standard().requests("configmap"), new ReconcileRequest(key, Reason.CHANGE, "", pod));
        String id = calls.poll(60, SECONDS);
        logger.detachAppender(lines);

        assertThat(lines.list).hasSize(1);
        assertThat(new HashMap<>(lines.list.get(0).getMDCPropertyMap()))
                .isEqualTo(Map.of(
                        "controller", "configmap",
                        "controllerGroup", "",
                        "controllerKind", "ConfigMap",
                        "namespace", "ns",
                        "name", "a",
                        "reconcileID", id,
                        "trigger", "deleted",
                        "triggerObject", "Pod ns/a-1",
                        "triggerVersion", "7"));
    }

    @Test
    void a_reconcile_knows_its_trigger_and_a_retry_the_one_that_failed() throws Exception {
        BlockingQueue<Cause> causes = new LinkedBlockingQueue<>();
        run(controller((primary, context) -> {
            causes.add(context.trigger());
            if (context.trigger().how() == Cause.How.ADDED) {
                throw new IllegalStateException("once");
            }
            return context.trigger().how() == Cause.How.RETRY
                    ? ReconcileResult.requeueAfter(Duration.ofMillis(1))
                    : ReconcileResult.awaitChange();
        }));
        stores.put(map("a"));
        ObjectKey key = ObjectKey.of("ns", "a");
        Cause pod = new Cause(Cause.How.ADDED, "Pod", ObjectKey.of("ns", "a-1"), "7");
        vertx.eventBus()
                .send(Addresses.standard().requests("configmap"), new ReconcileRequest(key, Reason.CHANGE, "", pod));

        assertThat(causes.poll(60, SECONDS)).isEqualTo(pod);
        assertThat(causes.poll(60, SECONDS)).isEqualTo(pod.again());
        assertThat(causes.poll(60, SECONDS)).isEqualTo(Cause.of(Cause.How.REQUEUE, key));
    }

    @ParameterizedTest
    @MethodSource("io.busbar.common.guard.Faults#all")
    void a_reconciler_is_told_of_each_failure_and_what_it_throws_then_changes_nothing(Throwable thrown)
            throws Exception {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        run(controller(new Reconciler<>() {
            @Override
            public ReconcileResult reconcile(ConfigMap primary, ReconcileContext<ConfigMap> context)
                    throws IOException {
                calls.add("attempt " + context.attempt());
                if (context.attempt() < 3) {
                    throw new IOException("no disk");
                }
                return ReconcileResult.awaitChange();
            }

            @Override
            public Optional<ConfigMap> failed(
                    ConfigMap primary, Throwable failure, ReconcileContext<ConfigMap> context) {
                told.add(failure.getMessage() + " " + context.attempt());
                Faults.raise(thrown);
                return Optional.empty();
            }
        }));
        request("a");

        assertCalled("attempt 1");
        assertCalled("attempt 2");
        assertCalled("attempt 3");
        assertThat(told).containsExactly("no disk 1", "no disk 2");
    }

    @Test
    void a_reconciler_is_told_that_its_time_was_up_and_has_as_much_time_to_say_so() throws Exception {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        run(controller(new Reconciler<ConfigMap>() {
                    @Override
                    public ReconcileResult reconcile(ConfigMap primary, ReconcileContext<ConfigMap> context)
                            throws InterruptedException {
                        calls.add("attempt " + context.attempt());
                        if (context.attempt() == 1) {
                            new CountDownLatch(1).await();
                        }
                        return ReconcileResult.awaitChange();
                    }

                    @Override
                    public Optional<ConfigMap> failed(
                            ConfigMap primary, Throwable failure, ReconcileContext<ConfigMap> context)
                            throws InterruptedException {
                        told.add(failure.getClass().getSimpleName());
                        new CountDownLatch(1).await();
                        return Optional.empty();
                    }
                })
                .timeout(SOON));
        request("a");

        assertCalled("attempt 1");
        assertCalled("attempt 2");
        assertThat(told).containsExactly("TimeoutException");
    }

    @Test
    void a_controller_that_has_all_its_workers_busy_holds_up_no_other() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger busy = new AtomicInteger();
        run(controller((primary, context) -> {
                    busy.incrementAndGet();
                    go.await();
                    return ReconcileResult.awaitChange();
                })
                .workers(2));
        run(controller(this::call).named("other").workers(1));
        for (int i = 0; i < 20; i++) {
            request("flood-" + i);
        }
        await().atMost(Duration.ofMinutes(1)).until(() -> busy.get() == 2);

        for (int i = 0; i < 20; i++) {
            vertx.eventBus()
                    .send(
                            Addresses.standard().requests("other"),
                            new ReconcileRequest(ObjectKey.of("ns", "flood-" + i), Reason.CHANGE));
            assertCalled("flood-" + i);
        }
        assertThat(busy).hasValue(2);
        go.countDown();
    }

    @Test
    void what_is_declared_wrongly_is_never_deployed() {
        assertThatThrownBy(() -> controllers
                        .deploy(controller(this::call).workers(0).timeout(Duration.ZERO))
                        .await(60, SECONDS))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("controller configmap: workers: '0'")
                .hasMessageContaining("controller configmap: timeout: 'PT0S'");
    }

    @Test
    void a_kind_that_only_others_watch_is_not_read() throws Exception {
        stores.watching(Pod.class);
        AtomicReference<Throwable> undeclared = new AtomicReference<>();
        AtomicReference<Throwable> notOwned = new AtomicReference<>();
        run(controller((primary, context) -> {
                    undeclared.set(catchThrowable(() -> context.lister(Pod.class)));
                    notOwned.set(catchThrowable(() -> context.owned(ConfigMap.class)));
                    return call(primary, context);
                })
                .reads(WatchSpec.of(Secret.class), List.of()));
        request("a");
        assertCalled("a");

        assertThat(undeclared.get())
                .hasMessageContaining("controller configmap does not watch Pod: declare it with .reads(…)");
        assertThat(notOwned.get()).hasMessageContaining("declare .owns(ConfigMap.class)");
    }

    @Test
    void the_scrape_shows_controller_runtimes_names() throws Exception {
        run(controller(this::call));
        request("a");
        assertCalled("a");
        await().atMost(Duration.ofMinutes(1)).until(() -> result("success") == 1);

        assertThat(meters.scrape())
                .contains("controller_runtime_reconcile_total{controller=\"configmap\",result=\"success\"} 1")
                .contains("controller_runtime_reconcile_total{controller=\"configmap\",result=\"requeue_after\"} 0")
                .contains("controller_runtime_reconcile_errors_total{controller=\"configmap\"}")
                .contains("controller_runtime_terminal_reconcile_errors_total{")
                .contains("controller_runtime_reconcile_panics_total{")
                .contains("controller_runtime_reconcile_timeouts_total{")
                .contains("controller_runtime_reconcile_time_seconds_bucket{controller=\"configmap\",le=\"0.002\"}")
                .contains("controller_runtime_max_concurrent_reconciles{controller=\"configmap\"} 1")
                .contains("controller_runtime_active_workers{controller=\"configmap\"} 0")
                .contains("workqueue_depth{controller=\"configmap\",name=\"configmap\",priority=\"0\"} 0")
                .contains("workqueue_adds_total{controller=\"configmap\",name=\"configmap\"} 1")
                .contains("workqueue_queue_duration_seconds_bucket{")
                .contains("workqueue_work_duration_seconds_bucket{")
                .contains("workqueue_retries_total{")
                .contains("workqueue_unfinished_work_seconds{")
                .contains("workqueue_longest_running_processor_seconds{");
    }

    private static Controller<ConfigMap> controller(Reconciler<ConfigMap> reconciler) {
        return Controller.of(ConfigMap.class, reconciler).timeout(LONG);
    }

    private ReconcileResult call(ConfigMap primary, ReconcileContext<ConfigMap> context) {
        calls.add(primary.getMetadata().getName());
        return ReconcileResult.awaitChange();
    }

    private void run(Controller<ConfigMap> controller) throws Exception {
        controllers.deploy(controller).await(60, SECONDS);
        controllers.start(Set.of(controller.name())).await(60, SECONDS);
    }

    private void request(String... names) {
        for (String name : names) {
            stores.put(map(name));
            send(name);
        }
    }

    private void send(String name) {
        vertx.eventBus()
                .send(
                        Addresses.standard().requests("configmap"),
                        new ReconcileRequest(ObjectKey.of("ns", name), Reason.CHANGE));
    }

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName(name)
                .endMetadata()
                .build();
    }

    private void assertCalled(String what) throws InterruptedException {
        assertThat(calls.poll(60, SECONDS)).isEqualTo(what);
    }

    private double gauge(String name, String tag, String value) {
        return meters.get(name).tag(tag, value).gauge().value();
    }

    private double result(String result) {
        return meters.get("controller_runtime_reconcile")
                .tag("result", result)
                .counter()
                .count();
    }
}
