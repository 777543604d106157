package io.busbar.operator.endtoend;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The clusters of a run, each for one class at a time: as many as there are classes at once. Any thread. */
final class Clusters implements AutoCloseable {

    private final ApiCalls calls = ApiCalls.ofTheOperator();
    private final Queue<RunningCluster> all = new ConcurrentLinkedQueue<>();
    private final Queue<RunningCluster> free = new ConcurrentLinkedQueue<>();

    /** To be given back. */
    RunningCluster take() {
        RunningCluster cluster = free.poll();
        return cluster != null ? cluster : another();
    }

    private RunningCluster another() {
        RunningCluster cluster = new RunningCluster(calls);
        all.add(cluster);
        return cluster;
    }

    void giveBack(RunningCluster cluster) {
        free.add(cluster);
    }

    @Override
    public void close() {
        all.forEach(RunningCluster::close);
    }
}
