package io.busbar.operator.mysqlcluster.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever goes wrong, {@link Promises} hold. A failure tells its seed: {@code -Dbusbar.simulation.seed=<seed>} runs
 * that alone, and
 * {@code -Dbusbar.simulation.steps=1000000} so many steps of fresh seeds, or of those from {@code
 * -Dbusbar.simulation.from=<seed>} on.
 */
class RandomFaultsTest {

    private static final int STEPS = 200;
    private static final String SEED = "busbar.simulation.seed";
    private static final String STEPS_IN_ALL = "busbar.simulation.steps";

    /** Settled ones to begin with. */
    private final Map<String, SimulatedCluster> settled = new HashMap<>();

    private final Map<String, Integer> drawn = new TreeMap<>();

    @Test
    void nothing_is_lost_by_what_was_drawn_before() {
        LongStream.range(0, 25).forEach(this::runAlsoWithoutConnections);
    }

    @Test
    void nothing_is_lost_while_passwords_change() {
        LongStream.range(100, 115).forEach(seed -> {
            try (RandomRun run =
                    new RandomRun(seed, settled, drawn).changingPasswords().usingUpConnections()) {
                run.go(STEPS);
            }
        });
    }

    /** Those that something was found by. */
    @ParameterizedTest
    @ValueSource(
            longs = {
                1000142, 1000525, 1000631, 1000728, 1001665, 1002206, 2000067, 2000297, 5000130, 7000840, 14001769,
                14002036, 14004540, 20002887, 30000631, 30000881, 30003081
            })
    void nothing_is_lost_by_what_was_found_before(long seed) {
        run(seed);
    }

    @Test
    void nothing_is_lost_by_what_is_drawn_now() {
        long first = new Random().nextLong();
        LongStream.range(first, first + 15).forEach(this::runAlsoWithoutConnections);
    }

    @Test
    @EnabledIfSystemProperty(named = SEED, matches = "-?[0-9]+")
    void nothing_is_lost_by_one_seed() {
        runAlsoWithoutConnections(Long.getLong(SEED));
    }

    @Test
    @EnabledIfSystemProperty(named = STEPS_IN_ALL, matches = "[0-9]+")
    void nothing_is_lost_in_so_many_steps() {
        long first = Long.getLong("busbar.simulation.from", new Random().nextLong());
        long begun = System.nanoTime();
        long steps = 0;
        long seeds = 0;
        while (steps < Long.getLong(STEPS_IN_ALL)) {
            steps += runAlsoWithoutConnections(first + seeds);
            seeds++;
        }
        System.out.printf(
                "seeds from %d on: %d, steps: %d, seeds per second: %.1f, drawn: %s%n",
                first, seeds, steps, seeds * 1e9 / (System.nanoTime() - begun), drawn);
    }

    /** Programs use them up in each second run. */
    private int runAlsoWithoutConnections(long seed) {
        if (seed % 2 == 0) {
            return run(seed);
        }
        try (RandomRun run = new RandomRun(seed, settled, drawn).usingUpConnections()) {
            return run.go(STEPS);
        }
    }

    private int run(long seed) {
        try (RandomRun run = new RandomRun(seed, settled, drawn)) {
            return run.go(STEPS);
        }
    }
}
