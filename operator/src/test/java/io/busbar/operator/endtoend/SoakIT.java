package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Random edits of sets and Pods, with all faults at once between the operator and the API server, and restarts, kills
 * and pauses of the operator, for as long as the property {@code busbar.soak} says, such as {@code PT30M}. No write may
 * be lost or done twice, and at the end all must be as a look at the cluster alone says it is.
 */
@EndToEnd
@EnabledIfSystemProperty(named = "busbar.soak", matches = ".+")
class SoakIT {

    private static final Logger log = LoggerFactory.getLogger(SoakIT.class);
    private static final Path FOLDER = Path.of("target", "soak");
    private static final String LEASE = "soak-it";
    private static final int SETS = 6;
    private static final int PODS = 40;
    private static final int LONGEST_PAUSE_MILLIS = 12_000;
    private static final int LONGEST_PEACE_MILLIS = 30_000;
    private static final int LONGEST_STEP_MILLIS = 200;

    private final Cluster cluster;
    private final Random random = new Random(Long.getLong("busbar.soak.seed", 20_260_301L));
    private final Vertx vertx = Vertx.vertx();
    private final Map<String, String> waves = new HashMap<>();
    private Instant nextTrouble = Instant.now();
    private Journal journal;
    private FaultyRoute route;
    private KillableOperator serving;
    private List<KillableOperator> replicas;

    SoakIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void runs_replicas_of_the_operator_behind_a_route_with_faults() throws Exception {
        cluster.running().stopOperator();
        cluster.running().removeWebhooks();
        Files.createDirectories(FOLDER);
        journal = new Journal(FOLDER.resolve("journal.log"));
        Config config = Config.fromKubeconfig(cluster.running().kubeconfig().toFile());
        route = await(FaultyRoute.to(vertx, config, FOLDER, journal));
        Path kubeconfig = Files.writeString(FOLDER.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: route
                clusters: [{name: route, cluster: {server: "%s", insecure-skip-tls-verify: true}}]
                users: [{name: operator, user: {token: "%s"}}]
                contexts: [{name: route, context: {cluster: route, user: operator}}]
                """.formatted(
                        route.url(), Objects.requireNonNullElse(config.getOauthToken(), config.getAutoOAuthToken())));
        serving = new KillableOperator(
                "serving",
                kubeconfig,
                FOLDER.resolve("serving.log"),
                "--operators=sidecarset,memcached",
                "--webhook-certs=self-signed",
                "--webhook-url=https://127.0.0.1:0");
        OperatorAccount.allowLease(cluster.client(), LEASE);
        replicas = List.of(replica("first", kubeconfig), replica("second", kubeconfig));
    }

    private static KillableOperator replica(String name, Path kubeconfig) throws IOException {
        return new KillableOperator(
                name,
                kubeconfig,
                FOLDER.resolve(name + ".log"),
                "--operators=podset",
                "--leader-elect",
                "--leader-election-id=" + LEASE,
                "--leader-election-lease-duration=8s",
                "--leader-election-renew-deadline=6s",
                "--leader-election-retry-period=1s");
    }

    @AfterEach
    void goes_back_to_the_operator_without_a_route() throws Exception {
        serving.end();
        for (KillableOperator replica : replicas) {
            replica.end();
        }
        cluster.running().removeWebhooks();
        await(route.close());
        await(vertx.close());
        journal.close();
        cluster.client()
                .leases()
                .inNamespace("busbar-system")
                .withName("soak-it")
                .delete();
        cluster.running().startOperator();
        cluster.client().resources(SidecarSet.class).delete();
        cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withGracePeriod(0)
                .delete();
    }

    @Test
    void comes_to_the_right_end_whatever_happens() throws Exception {
        Instant end = Instant.now().plus(Duration.parse(System.getProperty("busbar.soak")));
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (ExactSizes sizes = new ExactSizes(cluster, new Random(random.nextLong()), journal)) {
            CompletableFuture<Void> exact = CompletableFuture.runAsync(
                    () -> {
                        while (Instant.now().isBefore(end)) {
                            sizes.step();
                        }
                    },
                    threads);
            while (!exact.isDone()) {
                step();
            }
            exact.join();
            route.calm();
            sizes.step();
        } finally {
            threads.shutdownNow();
            log.atInfo().addKeyValue("counts", journal.counts()).log("the soak ends");
        }
        Soaked soaked = new Soaked(cluster);
        eventually(soaked::countsAreRight);
        eventually(soaked::noPodIsInjectedTwice);
        eventually(soaked::historiesAreWithinTheirLimits);
        if (System.getProperty("busbar.cluster", "").isEmpty()) {
            // That of Kubernetes 1.20 loses a kind whose conversion webhook is often away, until it is started anew.
            eventually(soaked::theGarbageCollectorHasDoneItsWork);
        }
        eventually(() -> assertThat(waves)
                .as("labels that were set, and answered")
                .allSatisfy((name, wave) -> assertThat(
                                cluster.get(Pod.class, name).getMetadata().getLabels())
                        .containsEntry("wave", wave)));
    }

    private static void eventually(ThrowingRunnable asItMustBe) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofSeconds(1))
                .ignoreExceptionsMatching(Cluster::isRefusal)
                .untilAsserted(asItMustBe);
    }

    private void step() throws Exception {
        keepRunning();
        if (Instant.now().isAfter(nextTrouble)) {
            nextTrouble = Instant.now().plusMillis(random.nextInt(LONGEST_PEACE_MILLIS));
            trouble();
        }
        edit(random.nextInt(200));
        Thread.sleep(random.nextInt(LONGEST_STEP_MILLIS));
    }

    private void trouble() throws Exception {
        switch (random.nextInt(7)) {
            case 0 -> {
                serving.killAndStart();
                journal.count("killed", "the one that serves");
            }
            case 1, 2 -> {
                any(replicas).killAndStart();
                journal.count("killed", "a replica");
            }
            case 3, 4 -> pause(any(replicas));
            default -> route.cut();
        }
    }

    /** As a kubelet does: who has lost its leadership exits. */
    private void keepRunning() throws IOException {
        for (KillableOperator replica : replicas) {
            if (replica.startIfEnded()) {
                journal.count("started again", "a replica");
            }
        }
        if (serving.startIfEnded()) {
            journal.count("started again", "the one that serves");
        }
    }

    private void pause(KillableOperator replica) throws Exception {
        int millis = random.nextInt(LONGEST_PAUSE_MILLIS);
        journal.count("paused", millis + " ms");
        replica.freeze();
        Thread.sleep(millis);
        replica.thaw();
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** The API server may refuse an edit, or lose a race: that is part of it. */
    private void edit(int dice) {
        try {
            if (dice < 40) {
                applySet(random.nextInt(SETS));
            } else if (dice < 44) {
                cluster.client()
                        .resources(SidecarSet.class)
                        .withName("soak-" + random.nextInt(SETS))
                        .delete();
            } else if (dice < 120) {
                createPod(random.nextInt(PODS));
            } else if (dice < 150) {
                pod(random.nextInt(PODS)).forEach(pod -> {
                    waves.remove(pod.getMetadata().getName());
                    cluster.client().resource(pod).withGracePeriod(0).delete();
                });
            } else {
                pod(random.nextInt(PODS)).forEach(this::label);
            }
        } catch (KubernetesClientException refused) {
            log.atDebug().addKeyValue("reason", refused.getMessage()).log("an edit was refused");
        }
    }

    private void applySet(int number) {
        SidecarSet wanted = Serialization.unmarshal(
                """
                apiVersion: apps.kruise.io/v1beta1
                kind: SidecarSet
                metadata:
                  name: soak-%1$d
                spec:
                  selector:
                    matchLabels:
                      app: soak-%2$d
                  revisionHistoryLimit: 3
                  containers:
                  - name: soak-%1$d-agent
                    image: example/agent:%3$d
                    upgradeStrategy:
                      upgradeType: %4$s
                      hotUpgradeEmptyImage: example/empty:1
                  updateStrategy:
                    paused: %5$b
                    partition: %6$s
                    maxUnavailable: %7$s
                """.formatted(
                                number,
                                number % 3,
                                random.nextInt(4),
                                number % 2 == 0 ? "HotUpgrade" : "ColdUpgrade",
                                random.nextInt(5) == 0,
                                List.of("0", "1", "20%").get(random.nextInt(3)),
                                List.of("1", "3", "50%").get(random.nextInt(3))),
                SidecarSet.class);
        SidecarSet stored = cluster.client()
                .resources(SidecarSet.class)
                .withName("soak-" + number)
                .get();
        if (stored == null) {
            cluster.client().resource(wanted).create();
        } else {
            stored.setSpec(wanted.getSpec());
            cluster.client().resource(stored).update();
        }
    }

    private void createPod(int number) {
        if (pod(number).isEmpty()) {
            cluster.client()
                    .resource(Serialization.unmarshal(
                            SidecarSets.pod(cluster.namespace(), "soak-" + number, "soak-" + number % 3), Pod.class))
                    .create();
        }
    }

    private List<Pod> pod(int number) {
        Pod pod = cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withName("soak-" + number)
                .get();
        return pod == null ? List.of() : List.of(pod);
    }

    private void label(Pod pod) {
        String wave = String.valueOf(random.nextInt(3));
        waves.remove(pod.getMetadata().getName()); // which of the two it has is not known until there is an answer
        cluster.patch(pod, "{\"metadata\":{\"labels\":{\"wave\":\"" + wave + "\"}}}");
        waves.put(pod.getMetadata().getName(), wave);
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
