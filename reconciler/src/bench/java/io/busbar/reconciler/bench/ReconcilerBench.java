package io.busbar.reconciler.bench;

import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs all benchmarks of this module. */
public final class ReconcilerBench {

    private ReconcilerBench() {}

    public static void main(String[] arguments) throws Exception {
        ChangeToReconcileBench.run();
        new Runner(new OptionsBuilder()
                        .include(WorkQueueBench.class.getSimpleName())
                        .include(ApplyBench.class.getSimpleName())
                        .build())
                .run();
    }
}
