package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.podset.v1alpha1.PodSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
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
 * Three replicas that share the work, while they are killed, frozen, cut off, stopped and replaced, and people edit.
 * Judged from what they wrote, as it passed by. Each kind of fault once; with {@code -Dbusbar.chaos=PT30M} any of them
 * for that long, of another order with {@code -Dbusbar.chaos.seed=7}.
 */
@EndToEnd
@Order(EndToEnd.LONG)
class ShardIT {

    private static final int SETS = 24;
    private static final int FIRST_SIZE = 2;
    private static final int MOST = 40;

    private final Cluster cluster;
    private final Map<String, AtomicInteger> sizes = new HashMap<>();
    private final Map<String, String> uids = new HashMap<>();
    private final AtomicBoolean edits = new AtomicBoolean(true);
    private final ExecutorService editor = Executors.newSingleThreadExecutor();
    private final long seed = Long.getLong("busbar.chaos.seed", 26);
    private final Random random = new Random(seed);
    private final List<Edit> edited = new CopyOnWriteArrayList<>();
    /** How many Pods were ever asked for, by all edits. */
    private final AtomicInteger askedFor = new AtomicInteger();
    /** Between two edits. */
    private Duration pause = Duration.ofMillis(200);

    private ShardReplicas replicas;
    private PodCensus census;

    @TempDir
    private Path folder;

    /** A set was made as large, at a moment by {@link System#nanoTime()}. */
    private record Edit(String set, int size, long at) {}

    ShardIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void runs_three_replicas_in_place_of_the_operator_in_this_jvm() throws Exception {
        replicas = new ShardReplicas(cluster, folder, "shard-it", "podset", "PodSet", seed);
        for (int i = 0; i < 3; i++) {
            replicas.start();
        }
        replicas.awaitEven();
    }

    @AfterEach
    void goes_back_to_the_operator_in_this_jvm() throws Exception {
        edits.set(false);
        editor.shutdownNow();
        if (census != null) {
            census.close();
        }
        replicas.end();
    }

    @Test
    void no_replica_writes_for_what_is_anothers_and_nothing_is_lost_whatever_happens_to_them() throws Exception {
        makeSets();
        census.awaitSome();
        editor.execute(this::edit);
        List<Fault> faults = List.of(
                replicas::kill,
                replicas::freeze,
                replicas::replace,
                replicas::cutOff,
                replicas::pauseApiServer,
                replicas::freezeBriefly,
                replicas::cutOffBriefly,
                replicas::addOneAndStopOne);
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
            assertThat(replicas.audit.trespasses(uids)).isEmpty();
        }
        stopEdits();
        convergesOnExactCounts();
        assertThat(replicas.audit.trespasses(uids)).isEmpty();
        assertThat(replicas.audit.writers()).isGreaterThanOrEqualTo(3);
        report(
                "shards.txt",
                happened + " faults of seed " + seed + ", after " + replicas.endedBriefly()
                        + " of the brief ones a replica ended; clocks "
                        + (ShardReplicas.CLOCKS_APART ? "apart" : "the same") + ", "
                        + edited.size() + " edits, " + replicas.audit.written() + " writes by "
                        + replicas.audit.writers() + " members, generation "
                        + replicas.map().generation() + "; longest until others had what a crashed one held "
                        + replicas.longestCrash() + ", longest end in order " + replicas.longestOrderly());
    }

    private void stopEdits() throws InterruptedException {
        edits.set(false);
        editor.shutdown();
        assertThat(editor.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
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
        replicas.template = "new";
        for (ShardReplicas.Replica old : replicas.running()) {
            replicas.awaitMember(replicas.start());
            replicas.stop(old);
            assertThat(replicas.map().holders()).doesNotContain("");
        }
        replicas.awaitEven();
        stopEdits();
        convergesOnExactCounts();
        assertThat(replicas.audit.trespasses(uids)).isEmpty();
        assertThat(replicas.map().members())
                .allMatch(member -> member.template().equals("new"));
        report(
                "rolling-update.txt",
                edited.size() + " edits, each Pod asked for once; the slowest after " + slowestReaction());
    }

    /** The longest time from an edit to the request for the Pod that follows from it. */
    private Duration slowestReaction() {
        return edited.stream()
                .map(edit -> Duration.ofNanos(
                        replicas.audit.madeAt(edit.set(), edit.size()).orElseThrow() - edit.at()))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    @FunctionalInterface
    private interface Fault {
        void happen() throws Exception;
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
            askedFor.addAndGet(FIRST_SIZE);
        }
    }

    /** Makes one set larger, again and again; the largest are made small once they are whole. */
    private void edit() {
        Random which = new Random(1);
        Set<String> shrinking = new HashSet<>();
        while (edits.get()) {
            String name = "shared-" + which.nextInt(SETS);
            int before = sizes.get(name).get();
            if (shrinking.contains(name)) {
                if (isWhole(name, FIRST_SIZE)) {
                    shrinking.remove(name);
                }
            } else if (before < MOST) {
                edited.add(new Edit(name, before + 1, System.nanoTime()));
                resize(name, before + 1);
                askedFor.incrementAndGet();
            } else if (isWhole(name, MOST)) {
                resize(name, FIRST_SIZE);
                shrinking.add(name);
            }
            try {
                TimeUnit.MILLISECONDS.sleep(pause.toMillis());
            } catch (InterruptedException ended) {
                return;
            }
        }
    }

    private void resize(String name, int size) {
        cluster.patch(cluster.get(PodSet.class, name), "{\"spec\":{\"size\":" + size + "}}");
        sizes.get(name).set(size);
    }

    private boolean isWhole(String name, int size) {
        PodSet set = cluster.get(PodSet.class, name);
        return set.getStatus() != null && set.getStatus().replicas() == size;
    }

    private void convergesOnExactCounts() {
        cluster.eventually(() -> assertThat(sizes)
                .allSatisfy(
                        (name, size) -> assertThat(isWhole(name, size.get())).isTrue()));
        census.assertCreated(cluster, askedFor.get());
    }
}
