package io.busbar.operator.mysqlcluster.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.sql.Load;
import io.busbar.operator.mysqlcluster.v1alpha1.Autoscaling;
import io.busbar.operator.mysqlcluster.v1alpha1.Metric;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class LoadHistoryTest {

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final LoadHistory history = new LoadHistory(BEGIN.minusSeconds(3600));

    @Test
    void takes_the_average_over_the_members() {
        Map<String, Load> loads = Map.of("a", new Load(2, 30, 100, 0, 1), "b", new Load(5, 10, 100, 0, 1));

        assertThat(history.average(Metric.ThreadsRunning, loads)).isEqualTo(OptionalDouble.of(3.5));
        assertThat(history.average(Metric.Connections, loads)).isEqualTo(OptionalDouble.of(20));
    }

    @Test
    void knows_no_rate_before_the_second_sample() {
        assertThat(history.average(Metric.QueriesPerSecond, Map.of("a", queries(100, 10))))
                .isEmpty();
        assertThat(history.average(Metric.QueriesPerSecond, Map.of("a", queries(300, 20))))
                .isEqualTo(OptionalDouble.of(20));
    }

    @Test
    void leaves_out_the_rate_of_a_server_that_has_restarted() {
        history.average(Metric.QueriesPerSecond, Map.of("a", queries(100, 10), "b", queries(900, 90)));

        assertThat(history.average(Metric.QueriesPerSecond, Map.of("a", queries(300, 20), "b", queries(5, 1))))
                .isEqualTo(OptionalDouble.of(20));
    }

    @Test
    void knows_nothing_without_members() {
        assertThat(history.average(Metric.Connections, Map.of())).isEmpty();
    }

    @Test
    void grows_at_once_by_no_more_than_a_step() {
        assertThat(decide(rules(2, 300, 60), 3, 9, 0)).isEqualTo(5);
        assertThat(decide(rules(2, 300, 0), 8, 9, 1)).isEqualTo(9);
    }

    @Test
    void waits_after_a_change_for_the_cooldown() {
        Autoscaling rules = rules(1, 300, 60);
        assertThat(decide(rules, 3, 9, 0)).isEqualTo(4);

        assertThat(decide(rules, 4, 9, 59)).isEqualTo(4);
        assertThat(decide(rules, 4, 9, 60)).isEqualTo(5);
    }

    @Test
    void waits_at_the_beginning_as_if_there_had_just_been_a_change() {
        LoadHistory unknown = new LoadHistory(BEGIN);
        Autoscaling rules = rules(1, 300, 60);

        assertThat(unknown.decide(rules, 3, 9, BEGIN.plusSeconds(59))).isEqualTo(3);
        assertThat(unknown.decide(rules, 3, 9, BEGIN.plusSeconds(60))).isEqualTo(4);
    }

    @Test
    void shrinks_only_when_fewer_have_sufficed_for_the_whole_window() {
        Autoscaling rules = rules(1, 100, 0);
        assertThat(decide(rules, 5, 2, 0)).isEqualTo(5);
        assertThat(decide(rules, 5, 2, 99)).isEqualTo(5);

        assertThat(decide(rules, 5, 2, 100)).isEqualTo(4);
    }

    @Test
    void shrinks_to_the_most_that_was_called_for_in_the_window() {
        Autoscaling rules = rules(9, 100, 0);
        decide(rules, 5, 2, 0);
        decide(rules, 5, 4, 50);

        assertThat(decide(rules, 5, 2, 100)).isEqualTo(4);
    }

    @Test
    void a_peak_in_the_window_keeps_the_size() {
        Autoscaling rules = rules(1, 100, 0);
        decide(rules, 5, 2, 0);
        decide(rules, 5, 5, 50);

        assertThat(decide(rules, 5, 2, 100)).isEqualTo(5);
        assertThat(decide(rules, 5, 2, 151)).isEqualTo(4);
    }

    @Test
    void without_a_window_shrinks_at_once() {
        assertThat(decide(rules(2, 0, 0), 5, 1, 0)).isEqualTo(3);
    }

    private int decide(Autoscaling rules, int size, int recommended, int second) {
        return history.decide(rules, size, recommended, BEGIN.plusSeconds(second));
    }

    private static Autoscaling rules(int step, int window, int cooldown) {
        return new Autoscaling(true, 1, 9, Metric.Connections, 10, step, window, cooldown);
    }

    private static Load queries(long queries, long uptime) {
        return new Load(1, 1, 100, queries, uptime);
    }
}
