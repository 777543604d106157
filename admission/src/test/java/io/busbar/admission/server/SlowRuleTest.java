package io.busbar.admission.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.AdmissionDecision;
import io.busbar.common.guard.SlowCalls;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class SlowRuleTest {

    /** They load classes, and would hold up all else that the event loop does. */
    @Test
    void the_first_reviews_are_answered_by_workers() throws Exception {
        List<Boolean> onEventLoop = new CopyOnWriteArrayList<>();
        TestServer server = new TestServer(Map.of("/rule", request -> {
            onEventLoop.add(Context.isOnEventLoopThread());
            return AdmissionDecision.allowed();
        }));
        try {
            for (int i = 0; i < 12; i++) {
                TestServer.await(server.post("/rule", Buffer.buffer(Reviews.podCreate())));
            }
            assertThat(onEventLoop.subList(0, 10)).containsOnly(false);
            assertThat(onEventLoop.subList(10, 12)).containsOnly(true);
        } finally {
            server.close();
        }
    }

    @Test
    void a_rule_that_takes_its_time_on_an_event_loop_is_counted() throws Exception {
        TestServer server = new TestServer(Map.of("/slow", request -> {
            long begun = System.nanoTime();
            while (System.nanoTime() - begun <= SlowCalls.LIMIT.toNanos()) {
                Thread.onSpinWait();
            }
            return AdmissionDecision.allowed();
        }));
        try {
            for (int i = 0; i < 11; i++) {
                assertThat(TestServer.await(server.post("/slow", Buffer.buffer(Reviews.podCreate())))
                                .code())
                        .isEqualTo(200);
            }

            assertThat(server.registry
                            .get("busbar_slow_calls")
                            .tags("kind", "webhook", "name", "/slow")
                            .counter()
                            .count())
                    .isEqualTo(1);
        } finally {
            server.close();
        }
    }
}
