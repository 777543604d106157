package io.busbar.operator.shard.bench;

import io.busbar.common.watch.ChangePredicate;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.runtime.BusbarOperator;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;

/**
 * An operator that keeps the CPU busy for each PodSet whose size is above that of the variable WORK_ABOVE, for as long
 * as WORK_FOR says, and writes nothing. Flags are those of {@code run}.
 */
public final class BusyOperator {

    private BusyOperator() {}

    public static void main(String[] args) {
        BusbarOperator.run(args, new BusyBundle());
    }

    /** Found by the name of its class, as any bundle. */
    static final class BusyBundle implements Bundle {

        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

        private final int above = Integer.parseInt(System.getenv().getOrDefault("WORK_ABOVE", "0"));
        private final Duration busy = Duration.parse(System.getenv().getOrDefault("WORK_FOR", "PT0.005S"));

        @Override
        public List<Controller<?>> controllers(BundleContext context) {
            return List.of(Controller.of(PodSet.class, (set, reconcile) -> {
                        if (set.getSpec().size() > above) {
                            work();
                        }
                        return ReconcileResult.awaitChange();
                    })
                    .sharded()
                    .when(ChangePredicate.generationChanged()));
        }

        /** By the CPU that the thread has used, so that a process that has less of it takes longer. */
        private void work() {
            long end = THREADS.getCurrentThreadCpuTime() + busy.toNanos();
            while (THREADS.getCurrentThreadCpuTime() < end) {
                Thread.onSpinWait();
            }
        }
    }
}
