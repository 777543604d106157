package io.busbar.admission.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.AdmissionDecision;
import io.busbar.common.guard.SlowCalls;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlowRuleTest {

    @Test
    void a_rule_that_takes_its_time_is_counted() throws Exception {
        TestServer server = new TestServer(Map.of("/slow", request -> {
            long begun = System.nanoTime();
            while (System.nanoTime() - begun <= SlowCalls.LIMIT.toNanos()) {
                Thread.onSpinWait();
            }
            return AdmissionDecision.allowed();
        }));
        try {
            assertThat(TestServer.await(server.post("/slow", Buffer.buffer(Reviews.podCreate())))
                            .code())
                    .isEqualTo(200);

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
