package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.podset.v1alpha1.PodSet;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two replicas of the jar, of which one is killed, or frozen, while it leads and writes. */
@EndToEnd
@Order(EndToEnd.LONG)
class LeadershipIT {

    private static final int SETS = 4;
    private static final int SIZE = 10;
    private static final String LEASE = "leadership-it";

    private final Cluster cluster;
    private final KubernetesClient client;
    private final Vertx vertx = Vertx.vertx();
    private final List<Process> replicas = new ArrayList<>();
    private List<String> sets = List.of();
    private RecordedRoute route;
    private PodCensus census;

    @TempDir
    private Path folder;

    LeadershipIT(Cluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
    }

    @BeforeEach
    void runs_two_replicas_in_place_of_the_operator_in_this_jvm() throws Exception {
        cluster.running().stopOperator();
        // The one that has just been stopped has left them, and these replicas serve none.
        cluster.running().removeWebhooks();
        OperatorAccount.allowLease(client, LEASE);
        route = await(RecordedRoute.to(vertx, client.getConfiguration()));
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), route.kubeconfig());
        start("first", kubeconfig);
        cluster.eventually(() -> assertThat(holder()).startsWith("first_"));
        start("second", cluster.running().kubeconfig());
        cluster.eventually(() -> assertThat(log("second")).contains("attempting to acquire the leader lease"));
    }

    @AfterEach
    void goes_back_to_the_operator_in_this_jvm() throws Exception {
        replicas.forEach(Process::destroyForcibly);
        if (census != null) {
            census.close();
        }
        await(route.close());
        await(vertx.close());
        client.leases().inNamespace("busbar-system").withName(LEASE).delete();
        cluster.running().startOperator();
    }

    @Test
    void another_leads_after_a_kill_and_nothing_is_lost_or_done_twice() throws Exception {
        makeSets("killed");
        census.awaitSome();
        replicas.get(0).destroyForcibly().waitFor(60, TimeUnit.SECONDS);

        cluster.eventually(() -> assertThat(holder()).startsWith("second_"));
        convergesOnExactCounts();
        assertThat(lease().getSpec().getLeaseTransitions()).isEqualTo(1);
        cluster.eventually(() ->
                assertThat(becameLeader()).anySatisfy(note -> assertThat(note).startsWith("second_")));
    }

    @Test
    void who_was_frozen_past_its_lease_writes_nothing_when_it_thaws_and_exits() throws Exception {
        Process first = replicas.get(0);
        route.holdAnswers();
        makeSets("frozen");
        cluster.eventually(() -> assertThat(route.writes()).hasSizeGreaterThanOrEqualTo(SETS));
        signal(first, "STOP");
        cluster.eventually(() -> assertThat(holder()).startsWith("second_"));

        // Its reconciles wait for answers to the first of several writes; they get them as it thaws, and would go on.
        List<String> before = route.writes();
        route.releaseAnswers();
        signal(first, "CONT");
        assertThat(first.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(first.exitValue()).isEqualTo(1);
        assertThat(log("first")).containsOnlyOnce("leader election lost");
        assertThat(route.writes()).isEqualTo(before);
        assertThat(holder()).startsWith("second_");
        convergesOnExactCounts();
    }

    private void makeSets(String prefix) {
        sets = IntStream.range(0, SETS).mapToObj(i -> prefix + "-" + i).toList();
        census = new PodCensus(cluster, sets, SETS);
        sets.forEach(name -> cluster.create(PodSet.class, """
                apiVersion: apps.jicki.cn/v1alpha1
                kind: PodSet
                metadata: {name: %s, namespace: %s}
                spec: {size: %d}
                """.formatted(name, cluster.namespace(), SIZE)));
    }

    private void convergesOnExactCounts() {
        cluster.eventually(() -> assertThat(sets).allSatisfy(name -> {
            PodSet set = cluster.get(PodSet.class, name);
            assertThat(set.getStatus()).isNotNull();
            assertThat(set.getStatus().replicas()).isEqualTo(SIZE);
        }));
        census.assertCreated(cluster, SETS * SIZE);
    }

    private void start(String name, Path kubeconfig) throws IOException {
        replicas.add(OperatorProcess.start(
                name,
                kubeconfig,
                folder.resolve(name),
                "--operators=podset",
                "--leader-elect",
                "--leader-election-id=" + LEASE,
                "--leader-election-lease-duration=12s",
                "--leader-election-renew-deadline=9s",
                "--leader-election-retry-period=500ms"));
    }

    private String log(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    private Lease lease() {
        return client.leases().inNamespace("busbar-system").withName(LEASE).get();
    }

    private String holder() {
        Lease lease = lease();
        return lease == null ? "" : lease.getSpec().getHolderIdentity();
    }

    private List<String> becameLeader() {
        return client.events().v1().events().inNamespace("busbar-system").list().getItems().stream()
                .filter(event -> "LeaderElection".equals(event.getReason()))
                .map(event -> event.getNote())
                .filter(note -> note.endsWith(" became leader"))
                .toList();
    }

    private static void signal(Process process, String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
