package io.busbar.operator.sidecarset.roll;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * What it costs to count the ten Pods of one set, and to choose the next batch, in microseconds: with as many Pods in
 * the cluster as there are sets times ten. Reads, not writes; Pods are decoded already, as those are that changed last.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class ReconcileBenchmark {

    private static final int PODS_OF_A_SET = 10;

    @Param({"10", "100", "1000"})
    int sets;

    private final FiledPods pods = new FiledPods(new ArrayList<>(), new HashMap<>());
    private SidecarSet set;

    public static void main(String[] arguments) throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(ReconcileBenchmark.class.getSimpleName())
                        .build())
                .run();
    }

    @Setup
    public void injectPods() {
        for (int i = 0; i < sets; i++) {
            set = Yaml.set("set-" + i, """
                    selector: {matchLabels: {app: web}}
                    containers: [{name: agent-%d, image: "agent:1"}]
                    updateStrategy: {maxUnavailable: 10%%}
                    """.formatted(i));
            for (int p = 0; p < PODS_OF_A_SET; p++) {
                pods.add(TestPods.running(TestPods.injected("p-" + i + "-" + p, set)));
            }
        }
        set.setSpec(Yaml.spec(Yaml.written(set.getSpec()).replace("agent:1", "agent:2")));
    }

    @Benchmark
    public Batch countAndChoose() {
        Target target = Target.of(set, "set-abc");
        List<InjectedPod> injected = pods.by(SidecarSetController.PODS_BY_SET, target.name()).stream()
                .filter(pod -> InjectedPod.carries(pod, target))
                .map(pod -> InjectedPod.of(pod, target))
                .toList();
        if (Counts.of(injected).matched() != PODS_OF_A_SET) {
            throw new IllegalStateException("matched " + Counts.of(injected));
        }
        return Batch.next(injected, target);
    }

    /** Pods by set, as the store files them. */
    private record FiledPods(List<Pod> list, Map<String, List<Pod>> filed) implements Lister<Pod> {

        void add(Pod pod) {
            list.add(pod);
            SidecarSetController.PODS_BY_SET
                    .values()
                    .apply(pod)
                    .forEach(set ->
                            filed.computeIfAbsent(set, any -> new ArrayList<>()).add(pod));
        }

        @Override
        public List<Pod> by(Index<Pod> index, String value) {
            return filed.getOrDefault(value, List.of());
        }

        @Override
        public Optional<Pod> get(ObjectKey key) {
            throw new UnsupportedOperationException("get");
        }

        @Override
        public List<Pod> list(String namespace) {
            throw new UnsupportedOperationException("list");
        }

        @Override
        public int size() {
            return list.size();
        }

        @Override
        public boolean synced() {
            return true;
        }
    }
}
