package io.busbar.runtime.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.server.ReviewLog.Decided;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.bus.Cause;
import io.busbar.common.bus.Reason;
import io.busbar.reconciler.view.ControllerView;
import io.busbar.reconciler.view.ControllerView.Delayed;
import io.busbar.reconciler.view.ControllerView.InFlight;
import io.busbar.reconciler.view.ControllerView.QueueView;
import io.busbar.watcher.WatchStatus;
import io.busbar.watcher.reflect.StreamStatus;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProblemsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final ObjectKey A = ObjectKey.of("shop", "a");
    private static final ResourceType MAPS = ResourceType.of(ConfigMap.class);

    private static final QueueView EMPTY = new QueueView(Map.of(), Duration.ZERO, 0, List.of());

    @Test
    void a_reconcile_takes_long_once_it_takes_longer_than_this_object_did_before() {
        assertThat(problems(inFlight(Duration.ofMillis(900), Duration.ZERO, false)))
                .isEmpty();
        assertThat(problems(inFlight(Duration.ofMillis(1100), Duration.ZERO, false)))
                .containsExactly("the reconcile takes long");
        assertThat(problems(inFlight(Duration.ofSeconds(14), Duration.ofSeconds(5), false)))
                .isEmpty();
        assertThat(problems(inFlight(Duration.ofSeconds(16), Duration.ofSeconds(5), false)))
                .containsExactly("the reconcile takes long");
        assertThat(problems(inFlight(Duration.ofSeconds(70), Duration.ofSeconds(60), true)))
                .containsExactly("the reconcile ignores that its time of 60 s is up");
    }

    @Test
    void keys_that_wait_for_workers_that_are_all_busy_stand_out() {
        QueueView waits = new QueueView(Map.of(Reason.CHANGE, 7), Duration.ofSeconds(6), 0, List.of());
        InFlight one =
                inFlight(Duration.ofMillis(10), Duration.ZERO, false).inFlight().get(0);

        assertThat(problems(controller(2, waits, List.of(one, one))))
                .containsExactly("maps: all of its 2 workers are busy, and keys wait");
        assertThat(problems(controller(3, waits, List.of(one, one)))).isEmpty();
    }

    @Test
    void who_fails_again_and_again_stands_out_with_the_reason() {
        List<Delayed> delayed =
                List.of(new Delayed(A, Duration.ZERO, 5, "no way"), new Delayed(A, Duration.ZERO, 4, "not yet"));

        assertThat(problems(controller(1, new QueueView(Map.of(), Duration.ZERO, 2, delayed), List.of())))
                .containsExactly("has failed 5 times in a row: no way");
    }

    @Test
    void a_watch_stands_out_that_is_silent_or_cannot_be_had() {
        assertThat(watch(Duration.ofSeconds(80), Optional.of(Duration.ofSeconds(80)), ""))
                .isEmpty();
        assertThat(watch(Duration.ofSeconds(95), Optional.of(Duration.ofSeconds(95)), ""))
                .containsExactly("the watch of configmaps in namespace shop has been silent");
        assertThat(watch(Duration.ofSeconds(95), Optional.empty(), ""))
                .as("of a server without bookmarks")
                .isEmpty();
        assertThat(watch(Duration.ofSeconds(1), Optional.empty(), "is forbidden"))
                .containsExactly("the watch of configmaps in namespace shop cannot be had: is forbidden");
    }

    @Test
    void a_certificate_stands_out_before_it_expires_and_what_is_severe_comes_first() {
        assertThat(certificate(NOW.plus(Duration.ofDays(8)))).isEmpty();
        assertThat(certificate(NOW.plus(Duration.ofDays(6))))
                .singleElement()
                .satisfies(problem -> assertThat(problem.isSevere()).isFalse());
        assertThat(new Problems(NOW)
                        .of(
                                List.of(inFlight(Duration.ofSeconds(2), Duration.ZERO, false)),
                                List.of(),
                                List.of(),
                                Optional.of(NOW.minusSeconds(1)),
                                List.of()))
                .extracting(Problem::isSevere)
                .containsExactly(true, false);
    }

    @Test
    void a_webhook_that_fails_stands_out_for_a_minute_and_one_that_refuses_does_not() {
        assertThat(reviewed(500, Duration.ofSeconds(50)))
                .containsExactly("a webhook fails: /mutate on create of Pod shop/a: its log tells more");
        assertThat(reviewed(500, Duration.ofSeconds(70))).isEmpty();
        assertThat(reviewed(403, Duration.ZERO)).isEmpty();
    }

    private static List<String> reviewed(int code, Duration ago) {
        Decided review = new Decided(
                NOW.minus(ago), "/mutate", "create", "Pod", "shop", "a", false, "its log tells more", code, 0, 9, ago);
        return texts(new Problems(NOW).of(List.of(), List.of(), List.of(review), Optional.empty(), List.of()));
    }

    private static List<Problem> certificate(Instant expiry) {
        return new Problems(NOW).of(List.of(), List.of(), List.of(), Optional.of(expiry), List.of());
    }

    private static List<String> watch(Duration silence, Optional<Duration> bookmark, String failure) {
        StreamStatus stream =
                new StreamStatus("shop", StreamStatus.Phase.WATCHING, silence, bookmark, "7", 0, "", failure);
        WatchStatus watch = new WatchStatus("configmaps", MAPS, true, 1, 100, silence, failure, List.of(stream));
        return texts(new Problems(NOW).of(List.of(), List.of(watch), List.of(), Optional.empty(), List.of()));
    }

    private static ControllerView inFlight(Duration lasts, Duration longestBefore, boolean overdue) {
        Cause cause = Cause.of(Cause.How.LISTED, A);
        return controller(
                4,
                EMPTY,
                List.of(new InFlight(
                        A, "id", 1, cause, "worker-1", NOW.minus(lasts), Duration.ZERO, longestBefore, overdue, "")));
    }

    private static ControllerView controller(int workers, QueueView queue, List<InFlight> inFlight) {
        return new ControllerView("maps", MAPS, workers, Duration.ofSeconds(60), queue, inFlight, List.of());
    }

    private static List<String> problems(ControllerView controller) {
        return texts(new Problems(NOW).of(List.of(controller), List.of(), List.of(), Optional.empty(), List.of()));
    }

    private static List<String> texts(List<Problem> problems) {
        return problems.stream().map(Problem::what).toList();
    }
}
