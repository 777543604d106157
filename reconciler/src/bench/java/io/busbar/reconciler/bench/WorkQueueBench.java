package io.busbar.reconciler.bench;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Reason;
import io.busbar.reconciler.Backoff;
import io.busbar.reconciler.RateLimit;
import io.busbar.reconciler.queue.QueueMetrics;
import io.busbar.reconciler.queue.WorkQueue;
import io.busbar.reconciler.queue.WorkQueue.Taken;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Take, done and add of one key while others wait: flat in how many do, but for the caches of the processor. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class WorkQueueBench {

    @Param({"100", "10000", "1000000"})
    int waiting;

    private WorkQueue queue = newQueue();

    @Setup
    public void fill() {
        queue = newQueue();
        Reason[] reasons = Reason.values();
        for (int i = 0; i < waiting; i++) {
            queue.add(ObjectKey.of("namespace-" + i % 50, "name-" + i), reasons[i % reasons.length]);
        }
    }

    private static WorkQueue newQueue() {
        QueueMetrics metrics = new QueueMetrics(new SimpleMeterRegistry(), "bench", System::nanoTime);
        return new WorkQueue(Backoff.standard(), RateLimit.standard(), metrics, System::nanoTime);
    }

    @Benchmark
    public Taken takeDoneAdd() {
        Taken taken = Objects.requireNonNull(queue.take());
        queue.done(taken.key());
        queue.add(taken.key(), taken.reason());
        return taken;
    }
}
