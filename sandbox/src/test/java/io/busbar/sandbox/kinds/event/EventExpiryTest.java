package io.busbar.sandbox.kinds.event;

import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.storage.MemoryStore;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class EventExpiryTest {

    private static void create(MemoryStore store, Kind kind, String name) {
        store.create(
                kind.resource(), ObjectKey.of("n", name), object("{metadata: {name: '" + name + "', namespace: 'n'}}"));
    }

    @Test
    void events_go_an_hour_after_they_were_written(Vertx vertx, VertxTestContext test) {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
        vertx.runOnContext(turn -> {
            MemoryStore store = new MemoryStore(16, task -> vertx.runOnContext(next -> task.run()));
            EventExpiry expiry = EventExpiry.start(vertx, store, ClusterClock.of(vertx, now::get));
            create(store, Kind.POD, "p");
            create(store, Kind.EVENT, "old");
            now.updateAndGet(time -> time.plus(Duration.ofMinutes(30)));
            create(store, Kind.EVENT, "young");
            now.updateAndGet(time -> time.plus(Duration.ofMinutes(30)));
            vertx.runOnContext(next -> vertx.runOnContext(later -> test.verify(() -> {
                assertThat(store.shelf(Kind.EVENT.resource()).objects("").keySet())
                        .containsExactly(ObjectKey.of("n", "young"));
                assertThat(store.shelf(Kind.POD.resource()).objects("")).hasSize(1);
                expiry.stop();
                test.completeNow();
            })));
        });
    }
}
