package io.busbar.blueprint.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LookPausesTest {

    private Instant now = Instant.EPOCH;
    private final LookPauses pauses = new LookPauses(() -> now, Duration.ofSeconds(30));

    private void pass(long seconds) {
        now = now.plusSeconds(seconds);
    }

    private void look(String why) {
        pauses.looked("it", why, true, Optional.empty());
    }

    private long secondsUntilNext(String why) {
        return pauses.untilNext("it", why).toSeconds();
    }

    @Test
    void there_is_one_look_in_the_shortest_pause_whatever_there_is_to_tell() {
        assertThat(secondsUntilNext("one")).isZero();
        look("one");
        pass(10);
        assertThat(secondsUntilNext("one")).isEqualTo(20);
        assertThat(secondsUntilNext("other")).isEqualTo(20);
        pass(20);
        assertThat(secondsUntilNext("one")).isZero();
    }

    @Test
    void the_pause_grows_while_there_is_the_same_to_tell() {
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            look("one");
            all.add(secondsUntilNext("one"));
            pass(secondsUntilNext("one"));
        }
        assertThat(all).containsExactly(30L, 60L, 120L, 240L, 300L, 300L);
        look("other");
        assertThat(secondsUntilNext("other")).isEqualTo(30);
    }

    @Test
    void what_is_to_be_told_anew_waits_for_the_shortest_pause_alone() {
        look("one");
        pass(30);
        look("one");
        assertThat(secondsUntilNext("one")).isEqualTo(60);
        assertThat(secondsUntilNext("other")).isEqualTo(30);
        pauses.runs("it");
        assertThat(secondsUntilNext("one")).isEqualTo(30);
    }

    @Test
    void others_that_are_left_are_seen_to_soon() {
        look("one");
        ObjectKey last = ObjectKey.of("default", "last");
        pauses.looked("it", "one", false, Optional.of(last));
        assertThat(secondsUntilNext("one")).isEqualTo(30);
        assertThat(pauses.last("it", "one")).as("the next one goes on after it").contains(last);
        assertThat(pauses.last("it", "other"))
                .as("all are to be told another reason")
                .isEmpty();
        look("one");
        assertThat(pauses.last("it", "one")).as("once it has come to the end").isEmpty();
    }

    @Test
    void one_starts_for_long_once_it_has_done_so_for_the_shortest_pause() {
        assertThat(pauses.startsForLong("it")).isFalse();
        pass(29);
        assertThat(pauses.startsForLong("it")).isFalse();
        pass(1);
        assertThat(pauses.startsForLong("it")).isTrue();
        pauses.runs("it");
        assertThat(pauses.startsForLong("it")).as("from now on").isFalse();
    }
}
