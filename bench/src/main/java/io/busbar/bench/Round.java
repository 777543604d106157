package io.busbar.bench;

import io.fabric8.kubernetes.client.Watch;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One contender serves many sets, from an empty cluster to an empty cluster. */
final class Round {

    private static final int SIZE = 2;
    private static final int MORE = 3;
    private static final int FEWER = 1;
    private static final int IDLE_SECONDS = 15;

    /** What is measured, in this order. */
    enum Phase {
        IDLE("idle on an empty cluster"),
        CONVERGE("create them, of " + SIZE + " Pods each"),
        GROW("resize all to " + MORE),
        SHRINK("resize all to " + FEWER),
        START("start among them, until the first write");

        private final String title;

        Phase(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    /** @param mebibytes resident at the end of the phase */
    record Figure(double seconds, double cpuSeconds, long mebibytes) {

        @Override
        public String toString() {
            return "%.1f s, %.1f CPU s, %d MiB".formatted(seconds, cpuSeconds, mebibytes);
        }
    }

    private final Cluster cluster;
    private final int sets;
    private final int workers;

    Round(Cluster cluster, int sets, int workers) {
        this.cluster = cluster;
        this.sets = sets;
        this.workers = workers;
    }

    Map<Phase, Figure> of(Contender contender) throws Exception {
        Map<Phase, Figure> figures = new EnumMap<>(Phase.class);
        try (PodSets all = new PodSets(cluster, sets)) {
            try (OperatorProcess operator = OperatorProcess.start(contender, workers, cluster.kubeconfig())) {
                TimeUnit.SECONDS.sleep(IDLE_SECONDS);
                operator.requireAlive();
                figures.put(Phase.IDLE, figure(operator, Duration.ZERO, System.nanoTime()));
                figures.put(Phase.CONVERGE, served(operator, all, SIZE, () -> all.create(SIZE, (name, uid) -> {})));
                figures.put(Phase.GROW, served(operator, all, MORE, () -> all.resize(MORE)));
                figures.put(Phase.SHRINK, served(operator, all, FEWER, () -> all.resize(FEWER)));
            }
            figures.put(Phase.START, started(contender, all));
        } finally {
            cluster.clear();
        }
        return figures;
    }

    private interface Step {
        void run() throws Exception;
    }

    private static Figure served(OperatorProcess operator, PodSets all, int size, Step step) throws Exception {
        Duration before = operator.cpu();
        long begun = System.nanoTime();
        step.run();
        all.awaitReady(size, operator);
        Figure figure = figure(operator, before, begun);
        all.requirePods(size);
        TimeUnit.SECONDS.sleep(2); // what follows late is not part of the next phase
        return figure;
    }

    private Figure started(Contender contender, PodSets all) throws Exception {
        String edited = all.resizeOne(FEWER + 1);
        CountDownLatch written = new CountDownLatch(1);
        Watch watch = all.watchPods(edited, FEWER + 1, written::countDown);
        long begun = System.nanoTime();
        try (OperatorProcess operator = OperatorProcess.start(contender, workers, cluster.kubeconfig())) {
            PodSets.await(written, "Pod of " + edited);
            return figure(operator, Duration.ZERO, begun);
        } finally {
            watch.close();
        }
    }

    private static Figure figure(OperatorProcess operator, Duration before, long begun) throws Exception {
        return new Figure(
                (System.nanoTime() - begun) / 1e9, operator.cpu().minus(before).toMillis() / 1e3, operator.mebibytes());
    }

    /** The same writes by a loop that does nothing else. */
    double bareLoopSeconds() throws Exception {
        try (PodSets all = new PodSets(cluster, sets);
                BareLoop loop = new BareLoop(cluster.api(), Cluster.NAMESPACE, sets, SIZE, workers)) {
            long begun = System.nanoTime();
            all.create(SIZE, loop::created);
            loop.awaitServed();
            return (System.nanoTime() - begun) / 1e9;
        } finally {
            cluster.clear();
        }
    }
}
