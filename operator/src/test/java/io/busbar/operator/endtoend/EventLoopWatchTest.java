package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventLoopWatchTest {

    private final Vertx vertx = Vertx.vertx();
    private final EventLoopWatch watch = new EventLoopWatch();
    private volatile boolean done;
    private volatile boolean slow;

    @AfterEach
    void close() throws Exception {
        watch.close();
        vertx.close().await(60, TimeUnit.SECONDS);
    }

    @Test
    void names_the_place_that_computes() {
        vertx.runOnContext(v -> computeUntilFound());

        assertThat(found())
                .hasSize(1)
                .allSatisfy(one -> assertThat(one).contains("has computed", "EventLoopWatchTest.computeUntilFound"));
    }

    @Test
    void names_the_place_that_waits() {
        Object never = new Object();
        vertx.runOnContext(v -> waitOn(never));

        assertThat(found())
                .hasSize(1)
                .allSatisfy(one -> assertThat(one).contains("has waited", "EventLoopWatchTest.waitOn"));
        done = true;
        synchronized (never) {
            never.notifyAll();
        }
    }

    @Test
    void passes_over_the_first_use_of_a_class() {
        vertx.runOnContext(v -> slow = Slow.VALUE);
        await().atMost(Duration.ofMinutes(1)).until(() -> slow);
        vertx.runOnContext(v -> computeUntilFound());

        assertThat(found())
                .hasSize(1)
                .allSatisfy(one -> assertThat(one).contains("EventLoopWatchTest.computeUntilFound"));
    }

    private static final class Slow {
        static final boolean VALUE = isReady();

        private static boolean isReady() {
            long end = System.nanoTime() + Duration.ofMillis(300).toNanos();
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            return true;
        }
    }

    private List<String> found() {
        AtomicReference<List<String>> found = new AtomicReference<>(List.of());
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            found.set(watch.found());
            return !found.get().isEmpty();
        });
        done = true;
        return found.get();
    }

    private void computeUntilFound() {
        while (!done) {
            Thread.onSpinWait();
        }
    }

    private void waitOn(Object never) {
        synchronized (never) {
            try {
                while (!done) {
                    never.wait();
                }
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
