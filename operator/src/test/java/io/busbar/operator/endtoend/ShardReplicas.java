package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.reconciler.shard.Buckets;
import io.busbar.reconciler.shard.ShardMap;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Replicas of the jar that share the work, in place of the operator in this JVM, each with a way of its own to the API
 * server that {@link ShardAudit} listens to. This is the kubelet, too: it starts anew what has ended. Where {@code
 * faketime} is installed, their clocks are apart. For one thread.
 */
final class ShardReplicas {

    private static final Duration LEASE_DURATION = Duration.ofSeconds(10);
    /** Shorter than anybody may write. */
    private static final Duration BRIEFLY = Duration.ofMillis(1500);

    static final boolean CLOCKS_APART = OperatorProcess.fakeClock().isPresent();
    /** Many leases, and less than what a certificate lasts. */
    private static final Duration AHEAD = Duration.ofMinutes(25);

    private final Cluster cluster;
    private final KubernetesClient client;
    private final Path folder;
    private final String lease;
    private final String operator;
    private final Vertx vertx = Vertx.vertx();
    private final Random random;
    private final List<Replica> running = new ArrayList<>();
    final ShardAudit audit;
    /** Of the Pods of the replicas that are started from now on. */
    String template = "old";

    private Duration longestOrderly = Duration.ZERO;
    private Duration longestCrash = Duration.ZERO;
    private int endedBriefly;
    private int started;

    record Replica(String name, Process process, ShardAudit.Way way) {

        String member() {
            return way.member();
        }

        void signal(String signal) throws Exception {
            new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                    .start()
                    .waitFor();
        }
    }

    /**
     * @param lease that the map is in
     * @param operator which each replica runs, alone
     * @param kind of its primaries
     * @param seed of which replica meets what
     */
    ShardReplicas(Cluster cluster, Path folder, String lease, String operator, String kind, long seed) {
        this.cluster = cluster;
        this.client = cluster.client();
        this.folder = folder;
        this.lease = lease;
        this.operator = operator;
        this.random = new Random(seed);
        cluster.running().stopOperator();
        cluster.running().removeWebhooks();
        this.audit = new ShardAudit(vertx, client.getConfiguration(), lease, kind);
    }

    /** Goes back to the operator in this JVM. */
    void end() throws Exception {
        audit.goOn();
        for (Replica replica : running) {
            replica.signal("CONT");
            replica.process().destroyForcibly();
            await(replica.way().close());
        }
        await(vertx.close());
        for (Lease one : client.leases().inNamespace("busbar-system").list().getItems()) {
            if (one.getMetadata().getName().startsWith(lease)) {
                client.resource(one).delete();
            }
        }
        cluster.running().startOperator();
    }

    List<Replica> running() {
        return List.copyOf(running);
    }

    Replica any() {
        return running.get(random.nextInt(running.size()));
    }

    Replica start() throws Exception {
        String name = "r" + started++;
        ShardAudit.Way way = await(audit.to(name));
        Path kubeconfig = Files.writeString(folder.resolve(name + ".kubeconfig"), way.kubeconfig());
        List<String> flags = new ArrayList<>(List.of(
                "--operators=" + operator,
                "--webhook-certs=none",
                "--shard",
                "--shard-template=" + template,
                "--leader-election-id=" + lease,
                "--leader-election-lease-duration=10s",
                "--leader-election-renew-deadline=8s",
                "--leader-election-retry-period=500ms"));
        if (operator.equals("mysqlcluster")) {
            flags.add("--pod-addressing=PodIP");
        }
        Process process = OperatorProcess.start(
                name,
                kubeconfig,
                folder.resolve(name),
                CLOCKS_APART ? AHEAD.multipliedBy(started % 3) : Duration.ZERO,
                flags.toArray(String[]::new));
        Replica replica = new Replica(name, process, way);
        running.add(replica);
        return replica;
    }

    void awaitMember(Replica added) {
        cluster.eventually(() -> assertThat(map().member(added.member())).isPresent());
    }

    void kill() throws Exception {
        kill(any());
    }

    /** Until others have what it held, and a new one has its share. */
    void kill(Replica killed) throws Exception {
        long at = System.nanoTime();
        killed.process().destroyForcibly().waitFor(60, TimeUnit.SECONDS);
        awaitGone(killed);
        longestCrash = longer(longestCrash, at);
        restart(killed);
    }

    void freeze() throws Exception {
        freeze(any());
    }

    /** For so long that others take over: it writes nothing when it thaws, and ends. */
    void freeze(Replica frozen) throws Exception {
        long at = System.nanoTime();
        frozen.signal("STOP");
        awaitGone(frozen);
        longestCrash = longer(longestCrash, at);
        frozen.signal("CONT");
        assertThat(frozen.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(frozen.process().exitValue()).isEqualTo(1);
        assertThat(log(frozen)).contains("shards lost");
        restart(frozen);
    }

    /** As a rolling update does: what it holds is held by others all the time. */
    void replace() throws Exception {
        Replica old = any();
        stop(old);
        awaitGone(old);
        assertThat(map().holders()).doesNotContain("");
        start();
        awaitEven();
    }

    /** In order; it gives away what it has. */
    void stop(Replica old) throws Exception {
        long at = System.nanoTime();
        old.signal("TERM");
        assertThat(old.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
        longestOrderly = longer(longestOrderly, at);
        running.remove(old);
        await(old.way().close());
    }

    void cutOff() throws Exception {
        Replica lonely = any();
        long at = System.nanoTime();
        lonely.way().cutOff();
        awaitGone(lonely);
        longestCrash = longer(longestCrash, at);
        lonely.way().mend();
        assertThat(lonely.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
        restart(lonely);
    }

    /** As a long collection of garbage does. */
    void freezeBriefly() throws Exception {
        Replica frozen = any();
        frozen.signal("STOP");
        TimeUnit.MILLISECONDS.sleep(BRIEFLY.toMillis());
        frozen.signal("CONT");
        goesOn(frozen);
    }

    void cutOffBriefly() throws Exception {
        Replica lonely = any();
        lonely.way().cutOff();
        TimeUnit.MILLISECONDS.sleep(BRIEFLY.toMillis());
        lonely.way().mend();
        goesOn(lonely);
    }

    /** With what it had; on a machine that is very busy it may have been too late, and ends. */
    private void goesOn(Replica one) throws Exception {
        if (one.process().waitFor(1, TimeUnit.SECONDS)) {
            endedBriefly++;
            restart(one);
        } else {
            awaitEven();
        }
    }

    /** Longer than anybody may write: all go on with what they had. */
    void pauseApiServer() throws Exception {
        List<String> holders = map().holders();
        audit.pause();
        TimeUnit.MILLISECONDS.sleep(LEASE_DURATION.plusSeconds(2).toMillis());
        audit.goOn();
        cluster.eventually(() -> assertThat(map().members()).allMatch(member -> member.epoch() > 1));
        assertThat(map().holders()).isEqualTo(holders);
    }

    void addOneAndStopOne() throws Exception {
        start();
        awaitEven();
        stop(any());
        awaitEven();
    }

    private static Duration longer(Duration longest, long since) {
        Duration time = Duration.ofNanos(System.nanoTime() - since);
        return time.compareTo(longest) > 0 ? time : longest;
    }

    /** From the signal to its end, of one that was stopped in order. */
    Duration longestOrderly() {
        return longestOrderly;
    }

    /** How often a replica ended after less than it must get over. */
    int endedBriefly() {
        return endedBriefly;
    }

    /** Until the map gave what it had to others, of one that was killed, frozen or cut off. */
    Duration longestCrash() {
        return longestCrash;
    }

    private void awaitGone(Replica gone) {
        cluster.eventually(() -> assertThat(map().member(gone.member())).isEmpty());
    }

    private void restart(Replica ended) throws Exception {
        running.remove(ended);
        await(ended.way().close());
        start();
        awaitEven();
    }

    void awaitEven() {
        cluster.eventually(() -> {
            List<String> names = running.stream().map(Replica::member).toList();
            List<Long> counts = names.stream()
                    .map(name -> map().holders().stream().filter(name::equals).count())
                    .toList();
            long least = counts.stream().mapToLong(Long::longValue).min().orElseThrow();
            long most = counts.stream().mapToLong(Long::longValue).max().orElseThrow();
            assertThat(counts.stream().mapToLong(Long::longValue).sum()).isEqualTo(64);
            assertThat(most - least).isLessThanOrEqualTo(1);
        });
    }

    ShardMap map() {
        return audit.map().orElseThrow(() -> new AssertionError("there is no map yet"));
    }

    /** Who works on a primary, as the map says. */
    Replica holder(String uid) {
        ShardMap map = map();
        String member = map.holders().get(Buckets.of(uid, map.holders().size()));
        return running.stream()
                .filter(one -> one.member().equals(member))
                .findFirst()
                .orElseThrow();
    }

    private String log(Replica replica) throws IOException {
        return Files.readString(folder.resolve(replica.name()));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
