package io.busbar.watcher.reflect;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.api.ApiFailure;
import io.busbar.watcher.reflect.Ending.How;
import io.busbar.watcher.reflect.RetryPolicy.Step;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

    private static final ApiFailure GONE = new ApiFailure.Gone(410, "too old");
    private static final ApiFailure AWAY = new ApiFailure.Unavailable(0, "cannot connect");
    private static final ApiFailure FORBIDDEN_FIELD = new ApiFailure.Rejected(422, "sendInitialEvents is forbidden");

    private final AtomicLong now = new AtomicLong(Duration.ofHours(1).toNanos());
    private final RetryPolicy policy = new RetryPolicy(ReflectorOptions.standard(), now::get, () -> 0.5);

    @Test
    void a_list_goes_from_page_to_page_and_on_to_a_watch() {
        assertThat(policy.after(State.Paging.FIRST, page("more")).next()).isEqualTo(new State.Paging("more"));
        assertThat(policy.after(new State.Paging("more"), page("")).next()).isEqualTo(new State.Watching());
    }

    @Test
    void a_watch_that_has_come_to_its_end_is_resumed_at_once() {
        Step step = policy.after(new State.Watching(), watch(How.COMPLETE, null, 400));

        assertThat(step).isEqualTo(new Step(new State.Watching(), null, false));
    }

    @Test
    void a_cut_watch_that_had_lasted_is_resumed_at_once() {
        Step step = policy.after(new State.Watching(), watch(How.CUT, AWAY, 2));

        assertThat(step).isEqualTo(new Step(new State.Watching(), AWAY, false));
    }

    @Test
    void each_list_after_a_lost_version_waits_twice_as_long_however_good_the_watches_were() {
        assertThat(IntStream.range(0, 8).mapToLong(i -> {
                    now.addAndGet(Duration.ofSeconds(2).toNanos());
                    return wait(
                            policy.after(new State.Watching(), watch(How.LOST, GONE, 2)), new State.StreamingList());
                }))
                .containsExactly(800L, 1600L, 3200L, 6400L, 12800L, 25600L, 30000L, 30000L);
    }

    @Test
    void the_waits_of_lists_begin_anew_when_none_was_needed_for_two_minutes() {
        policy.after(new State.Watching(), watch(How.LOST, GONE, 2));
        policy.after(new State.Watching(), watch(How.LOST, GONE, 2));
        now.addAndGet(Duration.ofSeconds(130).toNanos());

        assertThat(wait(policy.after(new State.Watching(), watch(How.LOST, GONE, 2)), new State.StreamingList()))
                .isEqualTo(800);
    }

    @Test
    void a_watch_that_cannot_be_had_is_tried_less_and_less_often_until_one_works() {
        Ending refused = new Ending(How.FAILED, AWAY, null, false, false, Duration.ZERO, Duration.ZERO);
        assertThat(wait(policy.after(new State.Watching(), refused), new State.Watching()))
                .isEqualTo(800);
        assertThat(wait(policy.after(new State.Watching(), refused), new State.Watching()))
                .isEqualTo(1600);
        policy.after(new State.Watching(), watch(How.CUT, AWAY, 5));

        assertThat(wait(policy.after(new State.Watching(), refused), new State.Watching()))
                .isEqualTo(800);
    }

    @Test
    void a_connection_that_is_closed_now_and_then_is_no_outage_but_one_that_always_is() {
        Ending cut = new Ending(How.CUT, AWAY, null, true, false, Duration.ofMillis(5), Duration.ZERO);

        assertThat(policy.after(new State.Watching(), cut).outage()).isFalse();
        assertThat(policy.after(new State.Watching(), cut).outage()).isFalse();
        assertThat(policy.after(new State.Watching(), cut).outage()).isTrue();
    }

    @Test
    void a_streaming_list_that_is_refused_is_made_in_pages_at_once_and_for_good() {
        Step step = policy.after(new State.StreamingList(), refused(FORBIDDEN_FIELD));

        assertThat(step.next()).isEqualTo(State.Paging.FIRST);
        assertThat(step.outage()).isFalse();
        assertThat(policy.list()).isEqualTo(State.Paging.FIRST);
    }

    @Test
    void a_pause_that_the_server_asks_for_comes_before_the_wait() {
        Ending busy = new Ending(
                How.FAILED,
                new ApiFailure.Unavailable(429, "slow down"),
                null,
                false,
                false,
                Duration.ZERO,
                Duration.ofSeconds(20));

        assertThat(wait(policy.after(new State.Watching(), busy), new State.Watching()))
                .isEqualTo(20_800);
    }

    private static Ending page(String continuation) {
        return new Ending(How.COMPLETE, null, continuation, true, true, Duration.ofMillis(50), Duration.ZERO);
    }

    private static Ending watch(How how, @Nullable ApiFailure failure, int seconds) {
        return new Ending(how, failure, null, true, false, Duration.ofSeconds(seconds), Duration.ZERO);
    }

    private static Ending refused(ApiFailure failure) {
        return new Ending(How.FAILED, failure, null, false, false, Duration.ofMillis(5), Duration.ZERO);
    }

    private static long wait(Step step, State then) {
        assertThat(step.next())
                .isInstanceOfSatisfying(
                        State.Waiting.class,
                        waiting -> assertThat(waiting.next()).isEqualTo(then));
        return ((State.Waiting) step.next()).time().toMillis();
    }
}
