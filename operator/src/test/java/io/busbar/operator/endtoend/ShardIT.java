package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.podset.v1alpha1.PodSet;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three replicas of the jar that share the work, each with a way of its own to the API server, while they are killed,
 * frozen, cut off, stopped and replaced, and people edit. Judged from what they wrote, as it passed by: this test is
 * the kubelet, and starts anew what has ended. Where {@code faketime} is installed, their clocks are apart. Each kind
 * of fault once; with {@code -Dbusbar.chaos=PT30M} any of them for that long.
 */
@EndToEnd
@Order(EndToEnd.LONG)
class ShardIT {

    private static final int SETS = 24;
    private static final int FIRST_SIZE = 2;
    private static final int MOST = 40;
    private static final String LEASE = "shard-it";
    private static final Duration LEASE_DURATION = Duration.ofSeconds(5);
    private static final boolean CLOCKS_APART = OperatorProcess.fakeClock().isPresent();
    /** Many leases, and less than what a certificate lasts. */
    private static final Duration AHEAD = Duration.ofMinutes(25);

    private final Cluster cluster;
    private final KubernetesClient client;
    private final Vertx vertx = Vertx.vertx();
    private final List<Replica> replicas = new ArrayList<>();
    private final Map<String, AtomicInteger> sizes = new HashMap<>();
    private final Map<String, String> uids = new HashMap<>();
    private final AtomicBoolean edits = new AtomicBoolean(true);
    private final ExecutorService editor = Executors.newSingleThreadExecutor();
    private final Random random = new Random(26);
    private ShardAudit audit;
    private PodCensus census;
    private final List<Edit> edited = new CopyOnWriteArrayList<>();
    /** Between two edits. */
    private Duration pause = Duration.ofMillis(200);

    private int started;
    /** Of the Pods of the replicas that are started from now on. */
    private String template = "old";

    @TempDir
    private Path folder;

    private record Replica(String name, Process process, ShardAudit.Way way) {}

    /** A set was made as large, at a moment by {@link System#nanoTime()}. */
    private record Edit(String set, int size, long at) {}

    ShardIT(Cluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
    }

    @BeforeEach
    void runs_three_replicas_in_place_of_the_operator_in_this_jvm() throws Exception {
        cluster.running().stopOperator();
        cluster.running().removeWebhooks();
        audit = new ShardAudit(vertx, client.getConfiguration(), LEASE);
        for (int i = 0; i < 3; i++) {
            start();
        }
        awaitEven();
    }

    @AfterEach
    void goes_back_to_the_operator_in_this_jvm() throws Exception {
        edits.set(false);
        editor.shutdownNow();
        audit.goOn();
        for (Replica replica : replicas) {
            signal(replica.process(), "CONT");
            replica.process().destroyForcibly();
            await(replica.way().close());
        }
        if (census != null) {
            census.close();
        }
        await(vertx.close());
        for (Lease lease : client.leases().inNamespace("busbar-system").list().getItems()) {
            if (lease.getMetadata().getName().startsWith(LEASE)) {
                client.resource(lease).delete();
            }
        }
        cluster.running().startOperator();
    }

    @Test
    void no_replica_writes_for_what_is_anothers_and_nothing_is_lost_whatever_happens_to_them() throws Exception {
        makeSets();
        census.awaitSome();
        editor.execute(this::edit);
        List<Fault> faults = List.of(
                this::kill, this::freeze, this::replace, this::cutOff, this::pauseApiServer, this::addOneAndStopOne);
        for (Fault fault : faults) {
            fault.happen();
        }
        String chaos = System.getProperty("busbar.chaos", "");
        long end =
                System.nanoTime() + (chaos.isEmpty() ? 0 : Duration.parse(chaos).toNanos());
        int happened = faults.size();
        while (System.nanoTime() < end) {
            faults.get(random.nextInt(faults.size())).happen();
            happened++;
            assertThat(audit.trespasses(uids)).isEmpty();
        }
        stopEdits();
        convergesOnExactCounts();
        assertThat(audit.trespasses(uids)).isEmpty();
        assertThat(audit.writers()).isGreaterThanOrEqualTo(3);
        report(
                "shards.txt",
                happened + " faults, clocks " + (CLOCKS_APART ? "apart" : "the same") + ", "
                        + audit.written() + " writes by " + audit.writers() + " members, generation "
                        + map().generation());
    }

    private void stopEdits() throws InterruptedException {
        edits.set(false);
        editor.shutdown();
        assertThat(editor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    private static void report(String file, String line) throws IOException {
        Files.writeString(Path.of("target", file), line + "\n");
    }

    /** As a Deployment does it: one more first, and then one less, three times. */
    @Test
    void a_rolling_update_under_load_neither_loses_nor_doubles_a_reconcile() throws Exception {
        makeSets();
        census.awaitSome();
        pause = Duration.ofMillis(40);
        editor.execute(this::edit);
        template = "new";
        for (Replica old : List.copyOf(replicas)) {
            Replica added = start();
            cluster.eventually(
                    () -> assertThat(map().member(added.way().member())).isPresent());
            signal(old.process(), "TERM");
            assertThat(old.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
            replicas.remove(old);
            await(old.way().close());
            assertThat(map().holders()).doesNotContain("");
        }
        awaitEven();
        stopEdits();
        convergesOnExactCounts();
        assertThat(audit.trespasses(uids)).isEmpty();
        assertThat(map().members()).allMatch(member -> member.template().equals("new"));
        report(
                "rolling-update.txt",
                edited.size() + " edits, each Pod asked for once; the slowest after " + slowestReaction());
    }

    /** The longest time from an edit to the request for the Pod that follows from it. */
    private Duration slowestReaction() {
        return edited.stream()
                .map(edit ->
                        Duration.ofNanos(audit.madeAt(edit.set(), edit.size()).orElseThrow() - edit.at()))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    @FunctionalInterface
    private interface Fault {
        void happen() throws Exception;
    }

    private void kill() throws Exception {
        Replica killed = any();
        killed.process().destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        awaitGone(killed);
        restart(killed);
    }

    /** For so long that others take over: it writes nothing when it thaws, and ends. */
    private void freeze() throws Exception {
        Replica frozen = any();
        signal(frozen.process(), "STOP");
        awaitGone(frozen);
        signal(frozen.process(), "CONT");
        assertThat(frozen.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(frozen.process().exitValue()).isEqualTo(1);
        assertThat(log(frozen)).contains("shards lost");
        restart(frozen);
    }

    /** As a rolling update does: what it holds is held by others all the time. */
    private void replace() throws Exception {
        Replica old = any();
        signal(old.process(), "TERM");
        assertThat(old.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(map().member(old.way().member())).isEmpty();
        assertThat(map().holders()).doesNotContain("");
        restart(old);
    }

    private void cutOff() throws Exception {
        Replica lonely = any();
        lonely.way().cutOff();
        awaitGone(lonely);
        lonely.way().mend();
        assertThat(lonely.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
        restart(lonely);
    }

    /** Longer than anybody may write: all go on with what they had. */
    private void pauseApiServer() throws Exception {
        List<String> holders = map().holders();
        audit.pause();
        TimeUnit.MILLISECONDS.sleep(LEASE_DURATION.plusSeconds(2).toMillis());
        audit.goOn();
        cluster.eventually(() -> assertThat(map().members()).allMatch(member -> member.epoch() > 1));
        assertThat(map().holders()).isEqualTo(holders);
    }

    private void addOneAndStopOne() throws Exception {
        start();
        awaitEven();
        Replica leaving = any();
        signal(leaving.process(), "TERM");
        assertThat(leaving.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
        replicas.remove(leaving);
        await(leaving.way().close());
        awaitEven();
    }

    private Replica any() {
        return replicas.get(random.nextInt(replicas.size()));
    }

    private void awaitGone(Replica gone) {
        cluster.eventually(() -> assertThat(map().member(gone.way().member())).isEmpty());
    }

    private void restart(Replica ended) throws Exception {
        replicas.remove(ended);
        await(ended.way().close());
        start();
        awaitEven();
    }

    private void awaitEven() {
        cluster.eventually(() -> {
            List<String> names =
                    replicas.stream().map(one -> one.way().member()).toList();
            List<Long> counts = names.stream()
                    .map(name -> map().holders().stream().filter(name::equals).count())
                    .toList();
            long least = counts.stream().mapToLong(Long::longValue).min().orElseThrow();
            long most = counts.stream().mapToLong(Long::longValue).max().orElseThrow();
            assertThat(counts.stream().mapToLong(Long::longValue).sum()).isEqualTo(64);
            assertThat(most - least).isLessThanOrEqualTo(1);
        });
    }

    private ShardMap map() {
        return audit.map().orElseThrow(() -> new AssertionError("there is no map yet"));
    }

    private void makeSets() {
        List<String> names =
                IntStream.range(0, SETS).mapToObj(i -> "shared-" + i).toList();
        census = new PodCensus(cluster, names, SETS);
        for (String name : names) {
            PodSet made = cluster.create(PodSet.class, """
                    apiVersion: apps.jicki.cn/v1alpha1
                    kind: PodSet
                    metadata: {name: %s, namespace: %s}
                    spec: {size: %d}
                    """.formatted(name, cluster.namespace(), FIRST_SIZE));
            uids.put(name, made.getMetadata().getUid());
            sizes.put(name, new AtomicInteger(FIRST_SIZE));
        }
    }

    /** Makes one set larger, again and again. */
    private void edit() {
        Random which = new Random(1);
        while (edits.get()) {
            String name = "shared-" + which.nextInt(SETS);
            int size = sizes.get(name).get() + 1;
            if (size <= MOST) {
                edited.add(new Edit(name, size, System.nanoTime()));
                cluster.patch(cluster.get(PodSet.class, name), "{\"spec\":{\"size\":" + size + "}}");
                sizes.get(name).set(size);
            }
            try {
                TimeUnit.MILLISECONDS.sleep(pause.toMillis());
            } catch (InterruptedException ended) {
                return;
            }
        }
    }

    private void convergesOnExactCounts() {
        cluster.eventually(() -> assertThat(sizes).allSatisfy((name, size) -> {
            PodSet set = cluster.get(PodSet.class, name);
            assertThat(set.getStatus()).isNotNull();
            assertThat(set.getStatus().replicas()).isEqualTo(size.get());
        }));
        int all = sizes.values().stream().mapToInt(AtomicInteger::get).sum();
        cluster.eventually(() -> assertThat(census.created()).isGreaterThanOrEqualTo(all));
        assertThat(census.created()).isEqualTo(all);
    }

    private Replica start() throws Exception {
        String name = "r" + started++;
        ShardAudit.Way way = await(audit.to(name));
        Path kubeconfig = Files.writeString(folder.resolve(name + ".kubeconfig"), way.kubeconfig());
        Process process = OperatorProcess.start(
                name,
                kubeconfig,
                folder.resolve(name),
                CLOCKS_APART ? AHEAD.multipliedBy(started % 3) : Duration.ZERO,
                "--operators=podset",
                "--webhook-certs=none",
                "--shard",
                "--shard-template=" + template,
                "--leader-election-id=" + LEASE,
                "--leader-election-lease-duration=5s",
                "--leader-election-renew-deadline=4s",
                "--leader-election-retry-period=500ms");
        Replica replica = new Replica(name, process, way);
        replicas.add(replica);
        return replica;
    }

    private String log(Replica replica) throws IOException {
        return Files.readString(folder.resolve(replica.name()));
    }

    private static void signal(Process process, String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
}
