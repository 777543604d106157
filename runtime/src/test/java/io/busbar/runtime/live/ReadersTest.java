package io.busbar.runtime.live;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.server.ReviewLog;
import io.busbar.reconciler.work.Controllers;
import io.busbar.reconciler.work.WorkerThreads;
import io.busbar.runtime.process.Program;
import io.busbar.watcher.WatchStatus;
import io.busbar.watcher.Watches;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadersTest {

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    /** Never asked for anything. */
    private final KubernetesClient client = new KubernetesClientBuilder().build();

    private final Ticks ticks = new Ticks();
    private final AtomicInteger looks = new AtomicInteger();
    private volatile String role = "leads";
    private volatile boolean failing;
    private final Readers readers = new Readers(as(Vertx.class, ticks), sources());

    private LiveSources sources() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        return new LiveSources(
                new Program("shop", "1", Instant.EPOCH, Map.of()),
                "shop-0",
                () -> role,
                Optional::empty,
                List::of,
                this::look,
                new Controllers(
                        vertx, client, new Watches(vertx, client, meters), meters, WorkerThreads.PLATFORM, "shop-0"),
                ReviewLog.off(),
                Optional::empty);
    }

    private List<WatchStatus> look() {
        looks.incrementAndGet();
        if (failing) {
            throw new IllegalStateException("a bug");
        }
        return List.of();
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        vertx.close().await(60, SECONDS);
    }

    @Test
    void nothing_is_looked_at_before_the_first_reader_nor_after_the_last() throws Exception {
        assertThat(ticks.next).as("timer before the first").isNull();
        Reader first = added();
        assertThat(looks).hasValue(1);
        tick();
        assertThat(first.told()).isEqualTo(":\n\n");
        assertThat(looks).hasValue(2);

        first.leave();
        tick();
        assertThat(ticks.next).as("timer after the last").isNull();
        added();
        assertThat(looks).as("looks, up to that for the second reader").hasValue(3);
    }

    @Test
    void all_are_told_of_one_look_and_only_what_has_changed() throws Exception {
        List<Reader> all = List.of(added(), added());
        role = "waits";
        tick();

        for (Reader reader : all) {
            assertThat(reader.told())
                    .startsWith("event: operator\ndata: {")
                    .contains("waits")
                    .containsOnlyOnce("event");
        }
        assertThat(looks).hasValue(3);
    }

    @Test
    void one_that_does_not_read_is_cut_off_and_the_others_are_told_on() throws Exception {
        Reader slow = added();
        Reader other = added();
        slow.full = true;
        for (String next : List.of("waits", "leads")) {
            role = next;
            tick();
            assertThat(other.told()).contains(next);
        }

        assertThat(slow.ends).containsExactly("reset");
        assertThat(slow.told).isEmpty();
        assertThat(other.ends).isEmpty();
    }

    @Test
    void a_source_that_fails_ends_no_stream_and_who_comes_meanwhile_is_cut_off() throws Exception {
        Reader before = added();
        failing = true;
        tick();
        Reader late = new Reader();
        onContext(() -> readers.add(late.response));
        assertThat(late.ends.poll(60, SECONDS))
                .as("end of who came while the source failed")
                .isEqualTo("reset");

        failing = false;
        role = "waits";
        tick();
        assertThat(before.told()).contains("waits");
        assertThat(before.ends).isEmpty();
        assertThat(late.told).isEmpty();
    }

    @Test
    void one_that_has_gone_before_there_is_something_to_tell_is_none() throws Exception {
        Reader gone = new Reader();
        gone.closed = true;
        onContext(() -> readers.add(gone.response));
        Reader other = added();
        other.leave();
        tick();

        assertThat(gone.told).isEmpty();
        assertThat(ticks.next).as("timer after the last").isNull();
    }

    @Test
    void who_came_while_something_was_otherwise_is_told_that_it_is_as_it_was() throws Exception {
        added();
        role = "waits";
        Reader late = added();
        role = "leads";
        tick();

        assertThat(late.told()).startsWith("event: operator").contains("leads");
    }

    /** One that has been told all there is. */
    private Reader added() throws Exception {
        Reader reader = new Reader();
        onContext(() -> readers.add(reader.response));
        assertThat(reader.told()).contains("event: operator", "event: webhooks");
        return reader;
    }

    private void tick() throws Exception {
        onContext(() -> Objects.requireNonNull(ticks.next, "no timer runs").handle(Ticks.ID));
    }

    private void onContext(Runnable action) throws Exception {
        Future.<Void>future(done -> context.runOnContext(now -> {
                    try {
                        action.run();
                        done.complete();
                    } catch (Throwable failure) {
                        done.fail(failure);
                    }
                }))
                .await(60, SECONDS);
    }

    private static <T> T as(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }

    /** A Vert.x that has one timer, which goes off when it is told to, and can do nothing else. */
    private static final class Ticks implements InvocationHandler {

        static final long ID = 7;

        volatile @Nullable Handler<Long> next;

        @Override
        @SuppressWarnings("unchecked") // the only handler that setPeriodic takes
        public Object invoke(Object vertx, Method method, Object[] arguments) {
            switch (method.getName()) {
                case "setPeriodic" -> next = (Handler<Long>) arguments[1];
                case "cancelTimer" -> {
                    next = null;
                    return arguments[0].equals(ID);
                }
                default -> throw new UnsupportedOperationException(method.toString());
            }
            return ID;
        }
    }

    /**
     * A response to somebody who looks. Does not imitate what Vert.x refuses, such as to write to what has ended, and
     * calls the handler of its end only when who looks leaves.
     */
    private final class Reader implements InvocationHandler {

        final HttpServerResponse response = as(HttpServerResponse.class, this);
        final BlockingQueue<String> told = new LinkedBlockingQueue<>();
        final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
        volatile boolean full;
        volatile boolean closed;
        private @Nullable Handler<Void> onClose;

        String told() throws InterruptedException {
            return String.valueOf(told.poll(60, SECONDS));
        }

        void leave() throws Exception {
            onContext(() -> onClose.handle(null));
        }

        @Override
        @SuppressWarnings("unchecked") // the only handler that closeHandler takes
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            switch (method.getName()) {
                case "putHeader", "setChunked" -> {}
                case "closeHandler" -> onClose = (Handler<Void>) arguments[0];
                case "write" -> {
                    told.add((String) arguments[0]);
                    return Future.succeededFuture();
                }
                case "reset", "end" -> {
                    ends.add(method.getName());
                    return Future.succeededFuture();
                }
                case "writeQueueFull" -> {
                    return full;
                }
                case "closed" -> {
                    return closed;
                }
                case "hashCode" -> {
                    return hashCode();
                }
                case "equals" -> {
                    return proxy == arguments[0];
                }
                default -> throw new UnsupportedOperationException(method.toString());
            }
            return proxy;
        }
    }
}
