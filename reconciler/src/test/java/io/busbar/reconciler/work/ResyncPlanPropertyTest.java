package io.busbar.reconciler.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ResyncPlanPropertyTest {

    @Property
    void every_key_is_due_once_in_an_interval_whatever_the_ticks(
            @ForAll @IntRange(max = 200) int count, @ForAll @IntRange(min = 1, max = 50) int ticks, @ForAll long seed) {
        List<ObjectKey> keys = keys(count);
        ResyncPlan plan = new ResyncPlan(keys, seed);
        List<ObjectKey> due = new ArrayList<>();
        for (int tick = 0; tick <= ticks; tick++) {
            due.addAll(plan.due((double) tick / ticks));
        }

        assertThat(due).containsExactlyInAnyOrderElementsOf(keys);
    }

    @Property(tries = 50)
    void no_tenth_of_the_interval_gets_more_than_a_fifth_of_a_thousand_keys(@ForAll long seed) {
        ResyncPlan plan = new ResyncPlan(keys(1000), seed);
        for (int tenth = 1; tenth <= 10; tenth++) {
            assertThat(plan.due(tenth / 10.0)).hasSizeBetween(40, 200);
        }
    }

    @Property(tries = 50)
    void a_key_keeps_its_place_when_others_come_and_go(@ForAll long seed) {
        List<ObjectKey> before = new ResyncPlan(keys(100), seed).due(1);
        List<ObjectKey> after = new ResyncPlan(keys(150), seed).due(1);
        after.retainAll(before);

        assertThat(after).isEqualTo(before);
    }

    private static List<ObjectKey> keys(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> ObjectKey.of("ns", "key-" + i))
                .toList();
    }
}
