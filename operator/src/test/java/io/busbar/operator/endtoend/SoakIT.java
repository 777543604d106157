package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.operator.command.BundledOperator;
import io.busbar.operator.command.DevOptions;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSet;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Random edits of sets and Pods, with restarts of the operator and cut watches, for as long as the property {@code busbar.soak}
 * says, such as {@code PT30M}; at the end all must be as a look at the cluster alone says it is.
 */
@EndToEnd
@EnabledIfSystemProperty(named = "busbar.soak", matches = ".+")
class SoakIT {

    private static final Logger log = LoggerFactory.getLogger(SoakIT.class);
    private static final int SETS = 6;
    private static final int PODS = 40;

    private final Cluster cluster;
    private final Random random = new Random(Long.getLong("busbar.soak.seed", 20_260_301L));
    private final Vertx vertx = Vertx.vertx();
    private CuttableRoute route;
    private KubernetesClient routed;
    private BundledOperator operator;

    SoakIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void runs_the_operator_behind_a_route_that_can_be_cut() throws Exception {
        cluster.running().stopOperator();
        Config config = Config.fromKubeconfig(cluster.running().kubeconfig().toFile());
        route = CuttableRoute.to(vertx, config.getMasterUrl())
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
        config.setMasterUrl(route.url());
        config.setRequestRetryBackoffLimit(0);
        routed = new KubernetesClientBuilder().withConfig(config).build();
        start();
    }

    @AfterEach
    void goes_back_to_the_operator_without_a_route() throws Exception {
        operator.stop();
        cluster.client().resources(SidecarSet.class).delete();
        cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withGracePeriod(0)
                .delete();
        routed.close();
        vertx.close();
        cluster.running().startOperator();
    }

    @Test
    void comes_to_the_right_end_whatever_happens() throws Exception {
        Instant end = Instant.now().plus(Duration.parse(System.getProperty("busbar.soak")));
        int steps = 0;
        while (Instant.now().isBefore(end)) {
            step();
            steps++;
        }
        log.atInfo().addKeyValue("steps", steps).log("the soak ends");
        Soaked soaked = new Soaked(cluster);
        await().atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(soaked::countsAreRight);
        soaked.noPodIsInjectedTwice();
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(soaked::noRevisionIsOrphaned);
        assertThat(steps).isPositive();
    }

    private void step() throws Exception {
        int dice = random.nextInt(200);
        if (dice == 0) {
            operator.stop();
            start();
        } else if (dice < 4) {
            route.cut();
        } else {
            edit(dice);
        }
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
                pod(random.nextInt(PODS))
                        .forEach(pod -> cluster.client()
                                .resource(pod)
                                .withGracePeriod(0)
                                .delete());
            } else {
                pod(random.nextInt(PODS))
                        .forEach(pod -> cluster.client().resource(pod).edit(found -> {
                            found.getMetadata().getLabels().put("wave", String.valueOf(random.nextInt(3)));
                            return found;
                        }));
            }
        } catch (KubernetesClientException refused) {
            log.atDebug().addKeyValue("reason", refused.getMessage()).log("an edit was refused");
        }
    }

    private void applySet(int number) {
        SidecarSet wanted = Serialization.unmarshal(
                """
                apiVersion: apps.kruise.io/v1alpha1
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

    private void start() throws Exception {
        operator = new BundledOperator(routed.getConfiguration(), DevOptions.options());
        operator.start();
    }
}
