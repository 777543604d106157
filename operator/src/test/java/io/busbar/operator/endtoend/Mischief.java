package io.busbar.operator.endtoend;

import io.busbar.operator.mysqlcluster.bed.DatabasePod;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * All that a test does to the servers of one cluster and to the operators, as its dice say. Of three things, one may be
 * done while those before still last; but a volume is lost only when every member has all rows, and nothing else is
 * done until they have again. For one thread.
 */
final class Mischief {

    private static final int SERVERS = 3;
    private static final int AWAY_MILLIS = 9_000;
    private static final int HANGING_MILLIS = 30_000;

    /** After so long a cluster would get to know that a Node is lost. */
    private static final int NODE_STATUS_MILLIS = 40_000;

    private static final int UNDISTURBED_MILLIS = 60_000;
    private static final int WHOLE_MILLIS = 180_000;

    private final Cluster cluster;
    private final Databases databases;
    private final String name;
    private final OperatorPair operators;
    private final RowWriter writer;
    private final Random random;
    private final FaultRecord record;
    private final Optional<ArchiveInTrouble> archive;
    private final List<Deed> deeds;
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    private final List<Crowd> crowds = new ArrayList<>();
    private final AtomicInteger lasting = new AtomicInteger();

    /**
     * Something to do.
     *
     * @param weight how many times as often as one with the weight 1
     */
    private record Deed(int weight, Act act) {}

    @FunctionalInterface
    private interface Act {
        void take() throws IOException, InterruptedException;
    }

    /**
     * @param name of the cluster, which has three members
     * @param archive of its binary logs, if there is one, which is disturbed, too
     */
    Mischief(
            Cluster cluster,
            Databases databases,
            String name,
            OperatorPair operators,
            RowWriter writer,
            Random random,
            FaultRecord record,
            Optional<ArchiveInTrouble> archive) {
        this.cluster = cluster;
        this.databases = databases;
        this.name = name;
        this.operators = operators;
        this.writer = writer;
        this.random = random;
        this.record = record;
        this.archive = archive;
        this.deeds = List.of(
                new Deed(20, () -> kill(victim())),
                new Deed(6, this::killTwo),
                new Deed(8, () -> hold(victim(), random.nextInt(AWAY_MILLIS))),
                new Deed(5, () -> freeze("stalls", random.nextInt(AWAY_MILLIS))),
                new Deed(8, () -> freeze("hangs", AWAY_MILLIS + random.nextInt(HANGING_MILLIS - AWAY_MILLIS))),
                new Deed(8, this::loseVolume),
                new Deed(8, this::loseNode),
                new Deed(6, () -> deletePod(victim())),
                new Deed(12, () -> switchOver(random.nextInt(SERVERS))),
                new Deed(5, this::rollOut),
                new Deed(3, this::scaleDownAndUp),
                new Deed(6, this::killOperator),
                new Deed(5, this::killOperatorInFailover),
                new Deed(4, this::freezeOperator),
                new Deed(5, this::crowd),
                new Deed(archive.isPresent() ? 6 : 0, this::troubleBucket));
    }

    /** Does something, which may turn out to be impossible just now. */
    void act() throws IOException, InterruptedException {
        int dice = random.nextInt(deeds.stream().mapToInt(Deed::weight).sum());
        int chosen = 0;
        while (dice >= deeds.get(chosen).weight()) {
            dice -= deeds.get(chosen).weight();
            chosen++;
        }
        boolean alone = random.nextInt(3) > 0 && comesTrue(undisturbed(), UNDISTURBED_MILLIS);
        record.next(alone);
        try {
            deeds.get(chosen).act().take();
        } catch (IllegalStateException | KubernetesClientException impossible) {
            record.note("not done: " + impossible.getMessage());
        }
    }

    private void kill(String pod) {
        record.began(kind("killed", pod), pod);
        server(pod).kill();
    }

    private void killTwo() {
        List<String> pods = new ArrayList<>(List.of(pod(0), pod(1), pod(2)));
        Collections.shuffle(pods, random);
        List<String> both = pods.subList(0, 2);
        record.began(both.contains(primary()) ? "primary and replica killed" : "both replicas killed", both.toString());
        both.forEach(pod -> server(pod).kill());
    }

    private void hold(String pod, int millis) {
        record.began(kind("held down", pod), pod + " for " + millis + " ms");
        server(pod).hold();
        after(millis, () -> server(pod).release());
    }

    private void freeze(String what, int millis) {
        String pod = victim();
        server(pod).freeze();
        record.began(kind(what, pod), pod + " for " + millis + " ms");
        after(millis, () -> server(pod).thaw());
    }

    private void loseVolume() throws IOException, InterruptedException {
        if (!comesTrue(undisturbed(), WHOLE_MILLIS)) {
            record.note("no volume lost, as not all members have all: " + differences(writer.lastAcknowledged()));
            return;
        }
        record.next(true);
        String pod = victim();
        record.began(kind("volume lost", pod), pod);
        server(pod).loseData();
        if (random.nextBoolean()) {
            Thread.sleep(random.nextInt(AWAY_MILLIS));
            killOperator();
        }
        awaitWhole(pod + " had lost its volume");
    }

    /** While it is away nothing is done to other servers: of three members, two are left. */
    private void loseNode() throws IOException, InterruptedException {
        record.next(comesTrue(undisturbed(), UNDISTURBED_MILLIS));
        boolean dead = random.nextBoolean();
        String pod = victim();
        int millis = NODE_STATUS_MILLIS + random.nextInt(AWAY_MILLIS);
        record.began(kind(dead ? "Node dead" : "Node cut off", pod), pod + " for " + millis + " ms");
        if (dead) {
            server(pod).loseNode();
        } else {
            server(pod).cutOff();
        }
        try {
            if (random.nextBoolean()) {
                int waits = random.nextInt(millis / 2);
                Thread.sleep(waits);
                killOperator();
                millis -= waits;
            }
            Thread.sleep(millis);
        } finally {
            server(pod).returnNode();
            record.note(pod + " is back");
        }
    }

    private void killOperator() throws IOException, InterruptedException {
        boolean both = random.nextInt(4) == 0;
        record.began(both ? "both operators killed" : "operator killed", "");
        if (both) {
            operators.killBoth();
        } else {
            operators.killLeader();
        }
    }

    private void killOperatorInFailover() throws IOException, InterruptedException {
        hold(primary(), AWAY_MILLIS);
        int moreMillis = random.nextInt(200);
        if (comesTrue(() -> status().failover().underWay(), AWAY_MILLIS)) {
            Thread.sleep(moreMillis);
            String phase = String.valueOf(status().failover().phase());
            operators.killLeader();
            record.began("operator killed in a failover", "at or after " + phase);
        }
    }

    private void freezeOperator() throws IOException, InterruptedException {
        int millis = random.nextInt(2 * AWAY_MILLIS);
        record.began("operator frozen", "for " + millis + " ms");
        after(millis, operators.freezeLeader());
    }

    private void crowd() {
        String pod = victim();
        int millis = AWAY_MILLIS + random.nextInt(HANGING_MILLIS - AWAY_MILLIS);
        Crowd programs = Crowd.gather(
                () -> databases.connectBriefly(databases.pod(pod), "root", databases.password(name, "root-password")));
        crowds.add(programs);
        record.began(kind("crowded", pod), pod + " for " + millis + " ms");
        after(millis, () -> {
            record.note("turned away from " + pod + " " + programs.refused() + " times");
            programs.close();
        });
    }

    private void troubleBucket() {
        ArchiveInTrouble bucket = archive.orElseThrow();
        int millis = HANGING_MILLIS + random.nextInt(HANGING_MILLIS);
        record.began(bucket.trouble(random), "for " + millis + " ms");
        after(millis, bucket::mend);
    }

    private void deletePod(String pod) {
        record.began(kind("Pod deleted", pod), pod);
        cluster.resource(Pod.class, pod).delete();
    }

    private void switchOver(int ordinal) throws InterruptedException {
        if (primary().equals(pod(ordinal))) {
            return;
        }
        long asked = System.nanoTime();
        record.began("switchover asked", pod(ordinal));
        patch("{\"spec\":{\"replication\":{\"primaryOrdinal\":" + ordinal + "}}}");
        boolean done = comesTrue(() -> primary().equals(pod(ordinal)), 10_000);
        record.note(done ? "switched over" : "not switched over");
        if (done) {
            record.switchedOver(asked);
        }
        patch("{\"spec\":{\"replication\":{\"primaryOrdinal\":null}}}");
    }

    private void rollOut() throws InterruptedException {
        int connections = 100 + random.nextInt(100);
        record.began("rollout asked", "max_connections " + connections);
        patch("{\"spec\":{\"config\":{\"max_connections\":" + connections + "}}}");
    }

    private void scaleDownAndUp() throws InterruptedException {
        record.began("scaled to 2", "");
        patch("{\"spec\":{\"size\":2}}");
        boolean done = comesTrue(() -> status().nodes().size() == 2, 20_000);
        record.note(done ? "scaled down" : "not scaled down");
        patch("{\"spec\":{\"size\":3}}");
    }

    private void patch(String patch) throws InterruptedException {
        boolean ignored = comesTrue(
                () -> {
                    cluster.patch(cluster.get(MySQLCluster.class, name), patch);
                    return true;
                },
                AWAY_MILLIS);
    }

    private void awaitWhole(String after) throws InterruptedException {
        long began = System.nanoTime();
        long last = writer.lastAcknowledged();
        if (!comesTrue(() -> isWhole(last), WHOLE_MILLIS)) {
            throw new AssertionError("not all members have all rows " + WHOLE_MILLIS + " ms after " + after + ": "
                    + differences(last) + "; " + databases.status(name));
        }
        record.note("whole again after " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began) + " ms");
    }

    /** By member: how many of the rows it has, and some of those that it lacks, or why it does not tell. */
    private Map<String, String> differences(long last) {
        Map<String, Set<String>> rows = new TreeMap<>();
        Map<String, String> told = new TreeMap<>();
        for (String pod : status().nodes()) {
            try {
                String all = "SELECT number FROM " + RowWriter.TABLE + " WHERE number <= " + last;
                rows.put(pod, new HashSet<>(databases.queryAsOperator(name, pod, all)));
            } catch (IllegalStateException | KubernetesClientException refused) {
                told.put(pod, String.valueOf(refused.getMessage()));
            }
        }
        Set<String> union = new TreeSet<>();
        rows.values().forEach(union::addAll);
        rows.forEach((pod, has) -> told.put(
                pod,
                has.size() + " rows up to " + last + ", lacks "
                        + union.stream()
                                .filter(row -> !has.contains(row))
                                .limit(20)
                                .toList()));
        return told;
    }

    /** Nothing lasts of what was done before. */
    private BooleanSupplier undisturbed() {
        BooleanSupplier whole = whole();
        return () -> lasting.get() == 0 && whole.getAsBoolean();
    }

    /** Every member serves and has all that was acknowledged by now. */
    private BooleanSupplier whole() {
        long last = writer.lastAcknowledged();
        return () -> isWhole(last);
    }

    /** The status alone may be that of an operator that has ended since. */
    private boolean isWhole(long last) {
        MySQLClusterStatus status = status();
        if (!"Running".equals(status.phase())
                || status.readyReplicas() != SERVERS
                || status.nodes().size() != SERVERS) {
            return false;
        }
        String rows = "SELECT COUNT(*) FROM " + RowWriter.TABLE + " WHERE number <= " + last;
        return status.nodes().stream()
                        .map(pod -> databases.queryAsOperator(name, pod, rows))
                        .distinct()
                        .count()
                == 1;
    }

    private static boolean comesTrue(BooleanSupplier condition, int millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end) {
            try {
                if (condition.getAsBoolean()) {
                    return true;
                }
            } catch (IllegalStateException | KubernetesClientException refused) {
                // Again, until the time is over.
            }
            Thread.sleep(50);
        }
        return false;
    }

    private void after(int millis, Runnable end) {
        lasting.incrementAndGet();
        var unused = later.schedule(
                () -> {
                    try {
                        end.run();
                    } catch (IllegalStateException ended) {
                        record.note("had ended: " + ended.getMessage());
                    } finally {
                        lasting.decrementAndGet();
                    }
                },
                millis,
                TimeUnit.MILLISECONDS);
    }

    private String kind(String what, String pod) {
        return (pod.equals(primary()) ? "primary " : "replica ") + what;
    }

    private String victim() {
        return random.nextBoolean() ? primary() : pod(random.nextInt(SERVERS));
    }

    private String primary() {
        return String.valueOf(status().currentPrimary());
    }

    private MySQLClusterStatus status() {
        return databases.status(name);
    }

    private DatabasePod server(String pod) {
        return databases.server(pod);
    }

    private String pod(int ordinal) {
        return name + "-" + ordinal;
    }

    /** Nobody is away any more, the spec is as it was, and in the end every member has all. */
    void end() throws IOException, InterruptedException {
        later.shutdownNow();
        archive.ifPresent(ArchiveInTrouble::mend);
        crowds.forEach(Crowd::close);
        for (int i = 0; i < SERVERS; i++) {
            server(pod(i)).release();
            server(pod(i)).returnNode();
            try {
                server(pod(i)).thaw();
            } catch (IllegalStateException down) {
                record.note(pod(i) + " is down");
            }
        }
        operators.thawAll();
        patch("{\"spec\":{\"size\":3,\"replication\":{\"primaryOrdinal\":null}}}");
        awaitWhole("the last of it");
    }
}
