package io.busbar.reconciler.bench;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Addresses;
import io.busbar.common.bus.BusCodec;
import io.busbar.common.bus.Reason;
import io.busbar.common.bus.ReconcileRequest;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.work.Controllers;
import io.busbar.reconciler.work.WorkerThreads;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/** From a request on the bus to the call of a reconciler that does nothing, at 200 requests a second. */
final class ChangeToReconcileBench {

    private static final int PER_SECOND = 200;
    private static final int WARM_UP = 5 * PER_SECOND;
    private static final int COUNT = WARM_UP + 10 * PER_SECOND;

    private ChangeToReconcileBench() {}

    static void run() throws Exception {
        measure(WorkerThreads.PLATFORM);
        if (WorkerThreads.VIRTUAL.available()) {
            measure(WorkerThreads.VIRTUAL);
        }
    }

    private static void measure(WorkerThreads threads) throws Exception {
        AtomicLongArray times = new AtomicLongArray(COUNT);
        CountDownLatch all = new CountDownLatch(COUNT);
        Controller<ConfigMap> controller = Controller.of(ConfigMap.class, (primary, context) -> {
                    int index = Integer.parseInt(context.key().name());
                    times.set(index, System.nanoTime() - times.get(index));
                    all.countDown();
                    return ReconcileResult.awaitChange();
                })
                .workers(2);
        Vertx vertx = Vertx.vertx();
        BusCodec.registerAll(vertx.eventBus());
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(Config.empty()).build()) {
            Controllers controllers =
                    new Controllers(vertx, client, new AnyKey(), new SimpleMeterRegistry(), threads, "bench");
            controllers.deploy(controller).await(10, TimeUnit.SECONDS);
            controllers.start().await(10, TimeUnit.SECONDS);
            long begin = System.nanoTime();
            for (int i = 0; i < COUNT; i++) {
                long at = begin + i * TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
                while (System.nanoTime() < at) {
                    LockSupport.parkNanos(at - System.nanoTime());
                }
                times.set(i, System.nanoTime());
                vertx.eventBus()
                        .send(
                                Addresses.standard().requests(controller.name()),
                                new ReconcileRequest(ObjectKey.of("ns", "" + i), Reason.CHANGE));
            }
            if (!all.await(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("not reconciled: " + all.getCount() + " of " + COUNT);
            }
            report(threads, times);
            controllers.stop(Duration.ZERO).await(10, TimeUnit.SECONDS);
        } finally {
            vertx.close().await(10, TimeUnit.SECONDS);
        }
    }

    private static void report(WorkerThreads threads, AtomicLongArray times) {
        long[] nanos = new long[COUNT - WARM_UP];
        Arrays.setAll(nanos, i -> times.get(WARM_UP + i));
        Arrays.sort(nanos);
        System.out.printf(
                "change to reconcile, %d/s, %s threads: p50 %.3f ms, p99 %.3f ms, max %.3f ms%n",
                PER_SECOND,
                threads,
                nanos[nanos.length / 2] / 1e6,
                nanos[nanos.length * 99 / 100] / 1e6,
                nanos[nanos.length - 1] / 1e6);
    }

    /** Has an object for every key. */
    private static final class AnyKey implements Listers {
        @Override
        public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
            return new Lister<>() {
                @Override
                public Optional<T> get(ObjectKey key) {
                    return Optional.of(type.cast(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withNamespace(key.namespace())
                            .withName(key.name())
                            .endMetadata()
                            .build()));
                }

                @Override
                public List<T> list() {
                    return List.of();
                }

                @Override
                public List<T> list(String namespace) {
                    return List.of();
                }

                @Override
                public List<T> by(Index<T> index, String value) {
                    return List.of();
                }

                @Override
                public int size() {
                    return 0;
                }

                @Override
                public boolean synced() {
                    return true;
                }
            };
        }
    }
}
