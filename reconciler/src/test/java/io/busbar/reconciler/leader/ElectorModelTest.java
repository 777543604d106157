package io.busbar.reconciler.leader;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Electors against each other in a world where nearly everything goes wrong: see {@link ElectionModel}. A million steps
 * and more in all.
 */
class ElectorModelTest {

    private static final int WORLDS = 50;
    private static final int STEPS = 20_000;

    @Test
    void no_two_fences_are_ever_open_and_somebody_leads_in_the_end() {
        play(LongStream.range(0, WORLDS));
    }

    /** Each run looks elsewhere; a failure names the seed. */
    @Test
    void nor_in_worlds_that_nobody_has_seen() {
        play(new Random().longs(5));
    }

    private static void play(LongStream seeds) {
        seeds.forEach(seed -> {
            ElectionModel world = new ElectionModel(seed);
            world.run(STEPS);
            world.calmDown();
            // Else nothing was tried.
            assertThat(world.leaderships()).as("leaderships, seed %d", seed).isGreaterThan(50);
            assertThat(world.takeovers()).as("takeovers, seed %d", seed).isGreaterThan(3);
            assertThat(world.lossesOfAnswersToWrites())
                    .as("writes whose answer was lost, seed %d", seed)
                    .isGreaterThan(10);
        });
    }
}
