package io.busbar.reconciler.event;

import io.busbar.common.api.ApiFailure;
import io.busbar.common.guard.Guard;
import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.event.Correlator.Decision;
import io.busbar.reconciler.event.Occurrence.Regarding;
import io.busbar.reconciler.write.ApiRequests;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes Events on a thread of its own.
 *
 * <p>Any thread; returns at once. At most {@value #MOST_WAITING} occurrences wait; more are dropped and counted in
 * {@code busbar_events_dropped_total}. Nothing is tried again beyond what the client does.
 */
public final class Events implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Events.class);
    private static final int MOST_WAITING = 1000;
    private static final int UNPROCESSABLE = 422;
    private static final String SYSTEM = "kube-system";
    private static final Duration SWEEP = Duration.ofMinutes(1);
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final ApiRequests api;
    private final Guard guard;
    private final String instance;
    private final Clock clock;
    private final Counter dropped;
    private final Counter written;
    private final Semaphore room = new Semaphore(MOST_WAITING);
    private final ScheduledThreadPoolExecutor writer;
    private final ScheduledFuture<?> sweeps;
    /** Of the writer's thread, as is what follows. */
    private final Correlator correlator = new Correlator();

    private boolean failing;
    /** Where Events about cluster-scoped objects live: API servers before 1.21 take them in another namespace. */
    private String clusterScoped = "default";

    /**
     * @param instance which of the operator's processes this is, such as the name of its Pod
     */
    public Events(ApiRequests api, String instance, MeterRegistry meters, Clock clock) {
        this.api = api;
        this.instance = instance.length() > 128 ? instance.substring(0, 128) : instance;
        this.clock = clock;
        this.guard = new Guard("events", meters);
        this.dropped = Counter.builder("busbar_events_dropped")
                .description("Events that were not written since too many waited")
                .register(meters);
        this.written = Counter.builder("busbar_events_written")
                .description("Writes of Events, and of their counts")
                .register(meters);
        this.writer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "busbar-events");
            thread.setDaemon(true);
            return thread;
        });
        this.sweeps =
                writer.scheduleWithFixedDelay(this::sweep, SWEEP.toMillis(), SWEEP.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A recorder that reports for a controller. */
    public EventRecorder recorder(String controller) {
        return new EventRecorder() {
            @Override
            public void normal(HasMetadata regarding, String reason, String action, String note) {
                offer(new Occurrence(controller, Regarding.of(regarding), "Normal", reason, action, note));
            }

            @Override
            public void warning(HasMetadata regarding, String reason, String action, String note) {
                offer(new Occurrence(controller, Regarding.of(regarding), "Warning", reason, action, note));
            }
        };
    }

    private void offer(Occurrence occurrence) {
        if (!room.tryAcquire()) {
            dropped.increment();
            return;
        }
        Instant at = clock.instant();
        try {
            writer.execute(() -> {
                room.release();
                guard.run(() -> carryOut(correlator.observe(occurrence, at)));
            });
        } catch (RejectedExecutionException closed) {
            dropped.increment();
        }
    }

    /** Never throws, as there would be no further sweep. */
    private void sweep() {
        guard.run(() -> correlator.endSeries(clock.instant()).forEach(decision -> guard.run(() -> carryOut(decision))));
    }

    private void carryOut(Decision decision) {
        if (decision instanceof Decision.Create create) {
            create(create);
        } else if (decision instanceof Decision.Count count) {
            count(count);
        }
    }

    private void create(Decision.Create create) {
        Regarding regarding = create.occurrence().regarding();
        try {
            api.create(path(regarding), event(create));
            succeeded();
        } catch (KubernetesClientException failure) {
            if (isOfOtherNamespace(regarding, failure)) {
                clusterScoped = SYSTEM;
                create(create);
                return;
            }
            // Its name is of this moment: who has it is this one, created by a request whose answer was lost.
            if (failure.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                succeeded();
                return;
            }
            correlator.forget(create.occurrence());
            failed(regarding, failure);
        }
    }

    private void count(Decision.Count count) {
        Regarding regarding = count.occurrence().regarding();
        Map<String, Object> series = Map.of("count", count.count(), "lastObservedTime", MICROS.format(count.last()));
        try {
            api.merge(path(regarding) + "/" + count.name(), Map.of("series", series));
            succeeded();
        } catch (KubernetesClientException failure) {
            if (failure.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                create(correlator.begin(count.occurrence(), count.last()));
            } else {
                failed(regarding, failure);
            }
        }
    }

    private String path(Regarding regarding) {
        return "/apis/events.k8s.io/v1/namespaces/" + namespace(regarding) + "/events";
    }

    private String namespace(Regarding regarding) {
        return regarding.namespace().isEmpty() ? clusterScoped : regarding.namespace();
    }

    private boolean isOfOtherNamespace(Regarding regarding, KubernetesClientException failure) {
        return regarding.namespace().isEmpty()
                && !clusterScoped.equals(SYSTEM)
                && failure.getCode() == UNPROCESSABLE
                && String.valueOf(failure.getMessage()).contains("involvedObject.namespace");
    }

    private Event event(Decision.Create create) {
        Occurrence occurrence = create.occurrence();
        return new EventBuilder()
                .withNewMetadata()
                .withName(create.name())
                .withNamespace(namespace(occurrence.regarding()))
                .endMetadata()
                .withEventTime(new MicroTime(MICROS.format(create.at())))
                .withReportingController(occurrence.controller())
                .withReportingInstance(instance)
                .withRegarding(occurrence.regarding().reference())
                .withType(occurrence.type())
                .withReason(occurrence.reason())
                .withAction(occurrence.action())
                .withNote(occurrence.note())
                .build();
    }

    private void succeeded() {
        written.increment();
        failing = false;
    }

    /** A namespace that ends takes no Events, which is nobody's fault; of other failures in a row the first is told. */
    private void failed(Regarding regarding, KubernetesClientException failure) {
        boolean ending =
                failure.getCode() == HttpURLConnection.HTTP_NOT_FOUND || ApiFailure.isOfEndingNamespace(failure);
        (ending || failing ? log.atDebug() : log.atWarn())
                .addKeyValue("kind", regarding.kind())
                .addKeyValue("namespace", regarding.namespace())
                .addKeyValue("name", regarding.name())
                .addKeyValue("error", ApiFailure.reason(failure))
                .log("cannot write an Event");
        failing |= !ending;
    }

    /** What waits is still written, for two seconds at most. */
    @Override
    public void close() {
        sweeps.cancel(false);
        writer.shutdown();
        try {
            if (!writer.awaitTermination(2, TimeUnit.SECONDS)) {
                writer.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            writer.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
