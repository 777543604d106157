package io.busbar.operator.endtoend;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** All that a test does to the servers of one cluster and to the operator, one thing at a time, as its dice say. For one thread. */
final class Mischief {

    private static final int SERVERS = 3;
    private static final int LONGEST_AWAY_MILLIS = 9_000;

    private final Cluster cluster;
    private final Databases databases;
    private final String name;
    private final KillableOperator operator;
    private final Random random;
    private final Journal journal;
    private final Map<String, List<Long>> primaryLost = new TreeMap<>();
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();

    Mischief(
            Cluster cluster,
            Databases databases,
            String name,
            KillableOperator operator,
            Random random,
            Journal journal) {
        this.cluster = cluster;
        this.databases = databases;
        this.name = name;
        this.operator = operator;
        this.random = random;
        this.journal = journal;
    }

    /** Does something, which may turn out to be impossible just now. */
    void act() throws IOException, InterruptedException {
        int dice = random.nextInt(100);
        try {
            if (dice < 38) {
                kill(victim());
            } else if (dice < 45) {
                killTwo();
            } else if (dice < 56) {
                hold(victim(), random.nextInt(LONGEST_AWAY_MILLIS));
            } else if (dice < 67) {
                freeze(victim());
            } else if (dice < 75) {
                operator.killAndStart();
                journal.count("operator killed", "");
            } else if (dice < 82) {
                killOperatorInFailover();
            } else if (dice < 88) {
                deletePod(victim());
            } else if (dice < 94) {
                switchOver(random.nextInt(SERVERS));
            } else {
                scaleDownAndUp();
            }
        } catch (IllegalStateException | KubernetesClientException impossible) {
            journal.note("not done: " + impossible.getMessage());
        }
    }

    /** When the primary's server was ended, by {@link System#nanoTime}, for each way to do so. */
    Map<String, List<Long>> primaryLost() {
        return primaryLost;
    }

    private void kill(String pod) {
        lose("killed", List.of(pod), () -> databases.server(pod).kill());
    }

    private void killTwo() {
        List<String> pods = new ArrayList<>(List.of(pod(0), pod(1), pod(2)));
        Collections.shuffle(pods, random);
        lose("killed with another", pods.subList(0, 2), () -> {
            databases.server(pods.get(0)).kill();
            databases.server(pods.get(1)).kill();
        });
    }

    private void hold(String pod, int millis) {
        lose("held down", List.of(pod), () -> databases.server(pod).hold());
        journal.note("for " + millis + " ms");
        after(millis, () -> databases.server(pod).release());
    }

    private void freeze(String pod) {
        int millis = random.nextInt(LONGEST_AWAY_MILLIS);
        databases.server(pod).freeze();
        journal.count("server frozen", pod + " for " + millis + " ms");
        after(millis, () -> databases.server(pod).thaw());
    }

    private void killOperatorInFailover() throws IOException, InterruptedException {
        hold(primary(), LONGEST_AWAY_MILLIS);
        int moreMillis = random.nextInt(200);
        if (comesTrue(() -> databases.status(name).failover().underWay(), LONGEST_AWAY_MILLIS)) {
            Thread.sleep(moreMillis);
            String phase = String.valueOf(databases.status(name).failover().phase());
            operator.killAndStart();
            journal.count("operator killed", "at or after " + phase);
        }
    }

    private void deletePod(String pod) {
        cluster.resource(Pod.class, pod).delete();
        journal.count("pod deleted", pod);
    }

    private void switchOver(int ordinal) throws InterruptedException {
        patch("{\"spec\":{\"replication\":{\"primaryOrdinal\":" + ordinal + "}}}");
        journal.count("switchover asked", pod(ordinal));
        boolean done = comesTrue(() -> primary().equals(pod(ordinal)), 10_000);
        journal.note(done ? "switched over" : "not switched over");
        patch("{\"spec\":{\"replication\":{\"primaryOrdinal\":null}}}");
    }

    private void scaleDownAndUp() throws InterruptedException {
        patch("{\"spec\":{\"size\":2}}");
        journal.count("scaled", "to 2");
        boolean done = comesTrue(() -> databases.status(name).nodes().size() == 2, 20_000);
        journal.note(done ? "scaled down" : "not scaled down");
        patch("{\"spec\":{\"size\":3}}");
    }

    /** A webhook of an operator that is just starting refuses. */
    private void patch(String patch) throws InterruptedException {
        boolean ignored = comesTrue(
                () -> {
                    cluster.patch(cluster.get(MySQLCluster.class, name), patch);
                    return true;
                },
                LONGEST_AWAY_MILLIS);
    }

    private static boolean comesTrue(BooleanSupplier condition, int millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end) {
            try {
                if (condition.getAsBoolean()) {
                    return true;
                }
            } catch (KubernetesClientException refused) {
                // Again, until the time is over.
            }
            Thread.sleep(20);
        }
        return false;
    }

    private void after(int millis, Runnable end) {
        var unused = later.schedule(end, millis, TimeUnit.MILLISECONDS);
    }

    private void lose(String way, List<String> pods, Runnable end) {
        String primary = primary();
        end.run();
        long now = System.nanoTime();
        pods.forEach(pod -> journal.count("server " + way, pod));
        if (pods.contains(primary)) {
            journal.count("primary " + way, primary);
            primaryLost.computeIfAbsent(way, key -> new ArrayList<>()).add(now);
        }
    }

    private String victim() {
        return random.nextBoolean() ? primary() : pod(random.nextInt(SERVERS));
    }

    private String primary() {
        return String.valueOf(databases.status(name).currentPrimary());
    }

    private String pod(int ordinal) {
        return name + "-" + ordinal;
    }

    /** Nobody is held or frozen any more, and the spec is as it was. */
    void end() throws InterruptedException {
        later.shutdownNow();
        for (int i = 0; i < SERVERS; i++) {
            databases.server(pod(i)).release();
            try {
                databases.server(pod(i)).thaw();
            } catch (IllegalStateException down) {
                journal.note(pod(i) + " is down");
            }
        }
        patch("{\"spec\":{\"size\":3,\"replication\":{\"primaryOrdinal\":null}}}");
    }
}
