package io.busbar.operator.endtoend;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The clusters of a run: the one that is given, see {@link BesideOthers}; else sandboxes, each for one class at a time,
 * as many as there are classes at once. Any thread.
 */
final class Clusters implements AutoCloseable {

    /** By the operator that made them alone, or an empty name where all ran. */
    private final Map<String, ApiCalls> calls = new ConcurrentHashMap<>();

    private final Queue<RunningCluster> all = new ConcurrentLinkedQueue<>();
    private final Queue<RunningCluster> free = new ConcurrentLinkedQueue<>();

    /**
     * To be given back.
     *
     * @param operator as in {@link EndToEnd#value}
     */
    RunningCluster take(String operator) {
        RunningCluster cluster = RunningCluster.isGiven() ? given() : sandbox(operator);
        cluster.startOperator(operator);
        return cluster;
    }

    /** All classes have the same. */
    private synchronized RunningCluster given() {
        if (all.isEmpty()) {
            all.add(new RunningCluster(this::calls));
        }
        return all.element();
    }

    private RunningCluster sandbox(String operator) {
        RunningCluster like = free.stream()
                .filter(cluster -> cluster.operator().equals(operator))
                .findFirst()
                .orElse(null);
        RunningCluster cluster = like != null && free.remove(like) ? like : free.poll();
        if (cluster == null) {
            cluster = new RunningCluster(this::calls);
            all.add(cluster);
        }
        return cluster;
    }

    /** Those of the operators in this JVM, on all clusters. */
    private ApiCalls calls(String operator) {
        return calls.computeIfAbsent(operator, name -> ApiCalls.ofTheOperator());
    }

    void giveBack(RunningCluster cluster) {
        free.add(cluster);
    }

    @Override
    public void close() {
        all.forEach(RunningCluster::close);
    }
}
