package io.busbar.reconciler.shard;

import org.junit.jupiter.api.Test;

/**
 * A million steps of members that go wrong in all ways. A failure names its seed: {@code -Dbusbar.shards.seed=N} plays
 * that one alone.
 */
class ShardModelTest {

    private static final int RUNS = 100;
    private static final int STEPS = 10_000;
    private static final int CHANGES = 3;

    @Test
    void no_bucket_has_two_open_fences_none_is_left_alone_shares_are_even_and_moves_are_few() {
        Long only = Long.getLong("busbar.shards.seed");
        long first = only == null ? Long.getLong("busbar.shards.first", 1) : only;
        int runs = only == null ? Integer.getInteger("busbar.shards.runs", RUNS) : 1;
        for (long seed : ShardModel.seeds(first, runs)) {
            ShardModel.play(seed, STEPS, model -> {
                model.run(STEPS / 10);
                model.calmDown();
                for (int i = 0; i < CHANGES; i++) {
                    model.oneChange();
                }
            });
        }
    }
}
