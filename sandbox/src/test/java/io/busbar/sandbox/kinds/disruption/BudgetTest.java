package io.busbar.sandbox.kinds.disruption;

import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class BudgetTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");

    private static ObjectNode pod(String name, boolean ready) {
        return object("{metadata: {name: '" + name + "'}, status: {conditions: [{type: 'Ready', status: '"
                + (ready ? "True" : "False") + "'}]}}");
    }

    private static ObjectNode status(String spec, int scale, String status, ObjectNode... pods) {
        ObjectNode filled = object(status);
        new Budget(object("{metadata: {generation: 3}, spec: " + spec + "}"), List.of(pods), NOW).fill(filled, scale);
        return filled;
    }

    private static List<Integer> numbers(ObjectNode status) {
        return List.of(
                status.path("expectedPods").asInt(),
                status.path("desiredHealthy").asInt(),
                status.path("currentHealthy").asInt(),
                status.path("disruptionsAllowed").asInt());
    }

    @Test
    void a_number_counts_the_pods_that_are_there() {
        assertThat(numbers(status("{minAvailable: 1}", 9, "{}", pod("a", true), pod("b", true), pod("c", false))))
                .containsExactly(3, 1, 2, 1);
    }

    @Test
    void a_percentage_is_one_of_the_scale_and_rounds_up() {
        assertThat(numbers(status("{minAvailable: '50%'}", 5, "{}", pod("a", true), pod("b", true))))
                .containsExactly(5, 3, 2, 0);
        assertThat(numbers(status("{maxUnavailable: '34%'}", 3, "{}", pod("a", true), pod("b", true))))
                .containsExactly(3, 1, 2, 1);
    }

    @Test
    void nothing_is_allowed_where_nothing_is_expected() {
        assertThat(numbers(status("{minAvailable: 0}", 0, "{}"))).containsExactly(0, 0, 0, 0);
    }

    @Test
    void an_evicted_pod_counts_as_gone_for_a_while() {
        String fresh = "{disruptedPods: {a: '2026-01-01T00:09:00Z', gone: '2026-01-01T00:09:00Z'}}";
        ObjectNode waiting = status("{minAvailable: 1}", 0, fresh, pod("a", true), pod("b", true));
        assertThat(numbers(waiting)).containsExactly(2, 1, 1, 0);
        assertThat(waiting.path("disruptedPods").has("gone")).isFalse();
        String stale = "{disruptedPods: {a: '2026-01-01T00:08:00Z'}}";
        ObjectNode forgotten = status("{minAvailable: 1}", 0, stale, pod("a", true), pod("b", true));
        assertThat(numbers(forgotten)).containsExactly(2, 1, 2, 1);
        assertThat(forgotten.has("disruptedPods")).isFalse();
    }

    @Test
    void says_whether_pods_suffice() {
        ObjectNode status = status("{minAvailable: 1}", 0, "{}", pod("a", true));
        assertThat(status.at("/conditions/0/reason").asText()).isEqualTo("InsufficientPods");
        assertThat(status.at("/observedGeneration").asInt()).isEqualTo(3);
    }
}
