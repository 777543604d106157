package io.busbar.watcher;

import static io.busbar.watcher.ScriptedServer.await;
import static io.busbar.watcher.ScriptedServer.event;
import static io.busbar.watcher.ScriptedServer.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.common.guard.Guard;
import io.busbar.watcher.reflect.Reflector;
import io.busbar.watcher.reflect.ReflectorOptions;
import io.busbar.watcher.reflect.Sink;
import io.busbar.watcher.wire.RawObject;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A stream goes on whatever is thrown where its objects are dealt with, on the HTTP client's threads and on its
 * context.
 */
class BrokenSinkTest {

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final ScriptedServer server = new ScriptedServer(vertx).start();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    private final KubernetesClient client = new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder().withMasterUrl(server.url()).build())
            .build();
    private final WorkerExecutor threads = vertx.createSharedWorkerExecutor("test", 1);

    static Stream<Arguments> everywhere() {
        return Stream.of("prepare", "put", "retain")
                .flatMap(place -> Stream.of(
                                new StackOverflowError(),
                                new NoClassDefFoundError("gone"),
                                new AssertionError("never"),
                                new Unreadable())
                        .map(thrown -> Arguments.of(place, thrown)));
    }

    @AfterEach
    void close() {
        client.close();
        await(vertx.close());
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void goes_on_with_a_new_list(String place, Throwable thrown) throws Exception {
        server.thenList("10", "", object("a", "1"))
                .thenList("10", "", object("a", "1"))
                .thenWatch(event("ADDED", object("b", "11")));
        BrokenOnce sink = new BrokenOnce(place, thrown);
        Promise<Reflector<String>> started = Promise.promise();
        context.runOnContext(v -> {
            Reflector<String> reflector = new Reflector<>(
                    vertx,
                    client.getHttpClient(),
                    threads,
                    new Guard("watch", meters),
                    URI.create(server.url()),
                    WatchesTestBed.MAPS,
                    null,
                    "maps",
                    null,
                    options(),
                    meters,
                    sink);
            reflector.start();
            started.complete(reflector);
        });
        Reflector<String> reflector = await(started.future());

        assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("b");
        assertThat(meters.get("busbar_panics").counter().count()).isGreaterThanOrEqualTo(1);
        assertThat(meters.get("reflector.lists").counter().count()).isGreaterThanOrEqualTo(2);
        context.runOnContext(v -> reflector.stop());
    }

    private static ReflectorOptions options() {
        return new ReflectorOptions(
                2,
                false,
                Duration.ofMillis(5),
                Duration.ofMillis(20),
                Duration.ofMinutes(2),
                Duration.ofMillis(1),
                Duration.ofMinutes(5),
                Duration.ofMinutes(10),
                Duration.ofMillis(500),
                Duration.ofSeconds(10));
    }

    /** Throws once, and tells of the object b when all is well. */
    private final class BrokenOnce implements Sink<String> {

        private final String place;
        private final Throwable thrown;
        private volatile boolean broken;

        BrokenOnce(String place, Throwable thrown) {
            this.place = place;
            this.thrown = thrown;
        }

        @Override
        public String prepare(RawObject raw) {
            fail("prepare");
            return raw.key().name();
        }

        @Override
        public void put(String object, boolean first, String reached) {
            fail("put");
            if (object.equals("b")) {
                seen.add(object);
            }
        }

        @Override
        public void remove(String last, String reached) {
            throw new UnsupportedOperationException("nothing is deleted here");
        }

        @Override
        public void drop(ObjectKey key, String reached) {
            throw new UnsupportedOperationException("nothing is another replica's here");
        }

        @Override
        public void retain(Set<ObjectKey> listed, String reached) {
            fail("retain");
        }

        @Override
        public void reached(String version) {
            // Of no interest here.
        }

        @Override
        public Set<ObjectKey> keys() {
            return Set.of();
        }

        @Override
        public @Nullable String version(ObjectKey key) {
            return null;
        }

        private void fail(String here) {
            if (!broken && here.equals(place)) {
                broken = true;
                BrokenSinkTest.<RuntimeException>raise(thrown);
            }
        }
    }

    @SuppressWarnings("unchecked") // errors are unchecked
    private static <E extends Throwable> void raise(Throwable thrown) throws E {
        throw (E) thrown;
    }

    /** Its own message cannot be read. */
    private static final class Unreadable extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }
}
