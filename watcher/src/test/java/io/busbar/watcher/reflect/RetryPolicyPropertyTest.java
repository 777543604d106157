package io.busbar.watcher.reflect;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.api.ApiFailure;
import io.busbar.watcher.reflect.Ending.How;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Whatever a server does, it is not asked for all its objects more often than the waits allow. */
class RetryPolicyPropertyTest {

    private static final int STEPS = 3000;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    /** The shortest of the longest waits. */
    private static final double LONGEST_WAIT = 30 * 0.75;
    /**
     * Lists before waits are that long: the first, the change to pages, and those after 0.8 to 25.6 s; twice, as a
     * window may begin anywhere.
     */
    private static final int FIRST_LISTS = 16;

    private final AtomicLong now = new AtomicLong(Duration.ofHours(1).toNanos());

    @Property(tries = 300)
    void in_any_time_there_are_few_lists(@ForAll long seed) {
        Random random = new Random(seed);
        RetryPolicy policy = new RetryPolicy(ReflectorOptions.standard(), now::get, random::nextDouble);
        boolean quick = random.nextBoolean(); // half of the servers end everything at once
        List<Long> lists = new ArrayList<>();
        State state = policy.list();
        for (int i = 0; i < STEPS; i++) {
            if (state instanceof State.Waiting waiting) {
                now.addAndGet(waiting.time().toNanos());
                state = waiting.next();
                continue;
            }
            if (state.beginsList()) {
                lists.add(now.get());
            }
            Duration lasted = lasted(random, quick);
            now.addAndGet(lasted.toNanos());
            state = policy.after(state, ending(random, lasted, state)).next();
        }

        for (int window : List.of(1, 10, 60, 600, 3600)) {
            assertThat(mostWithin(lists, window * SECOND))
                    .as("lists within %s s", window)
                    .isLessThanOrEqualTo(FIRST_LISTS + (int) (window / LONGEST_WAIT));
        }
    }

    private static Duration lasted(Random random, boolean quick) {
        return switch (quick ? 0 : random.nextInt(4)) {
            case 0 -> Duration.ofMillis(random.nextInt(20));
            case 1 -> Duration.ofMillis(random.nextInt(3000));
            case 2 -> Duration.ofSeconds(random.nextInt(60));
            default -> Duration.ofSeconds(random.nextInt(400));
        };
    }

    @SuppressWarnings("EnumOrdinal") // One by chance.
    private static Ending ending(Random random, Duration lasted, State state) {
        How how = How.values()[random.nextInt(How.values().length)];
        ApiFailure failure = switch (random.nextInt(6)) {
            case 0 -> new ApiFailure.Gone(410, "too old");
            case 1 -> new ApiFailure.NotFound(404, "no such kind");
            case 2 -> new ApiFailure.Rejected(422, "what?");
            case 3 -> new ApiFailure.Rejected(403, "no");
            default -> new ApiFailure.Unavailable(0, "cut");
        };
        boolean complete = how == How.COMPLETE;
        // More pages for ever would be one list that never ends.
        String nextPage = complete && state instanceof State.Paging && random.nextInt(10) > 0 ? "" : null;
        return new Ending(
                how,
                complete ? null : failure,
                nextPage,
                random.nextBoolean(),
                random.nextBoolean(),
                lasted,
                Duration.ZERO);
    }

    private static int mostWithin(List<Long> times, long window) {
        int most = 0;
        int first = 0;
        for (int last = 0; last < times.size(); last++) {
            while (times.get(last) - times.get(first) > window) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }
}
