package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.podset.v1alpha1.PodSet;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jar as it is deployed, and once more on a developer's machine, which takes over. This test is the kubelet: it
 * starts the deployed one again where it has ended.
 */
@EndToEnd
@Order(EndToEnd.LONG)
class TakeOverIT {

    private static final String LEASE = "take-over-it";
    /** Two names of this machine, by which the one that has registered its webhooks is known. */
    private static final String DEPLOYED = "127.0.0.1";

    private static final String DEVELOPERS = "localhost";

    private final Cluster cluster;
    private final KubernetesClient client;
    private final List<Process> processes = new ArrayList<>();
    private KillableOperator deployed;

    @TempDir
    private Path folder;

    TakeOverIT(Cluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
    }

    @BeforeEach
    void deploys_an_operator_in_place_of_the_one_in_this_jvm() throws Exception {
        cluster.running().stopOperator();
        cluster.running().removeWebhooks();
        OperatorAccount.allowLease(client, LEASE);
        deployed = new KillableOperator(
                "deployed",
                cluster.running().kubeconfig(),
                folder.resolve("deployed"),
                flags("--webhook-certs=self-signed", "--leader-elect", "--webhook-url=https://" + DEPLOYED + ":0"));
        cluster.eventually(() -> assertThat(holder()).startsWith("deployed_"));
        cluster.eventually(() -> assertThat(webhook()).isEqualTo(DEPLOYED));
    }

    @AfterEach
    void goes_back_to_the_operator_in_this_jvm() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
        }
        deployed.end();
        client.leases().inNamespace("busbar-system").withName(LEASE).delete();
        cluster.running().startOperator();
    }

    @Test
    void the_deployed_one_stands_by_until_its_developers_is_killed() throws Exception {
        works("deployed");

        Process developers = takeOver();
        works("developers");
        assertThat(webhook()).isEqualTo(DEVELOPERS);
        assertThat(leaderships("deployed")).isOne();

        developers.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
        goesOn();
    }

    @Test
    void the_deployed_one_goes_on_when_its_developers_is_stopped() throws Exception {
        Process developers = takeOver();

        developers.destroy();
        assertThat(developers.waitFor(60, TimeUnit.SECONDS)).isTrue();
        goesOn();
    }

    /** Returns once the developer's leads, and the deployed one has ended, was started again, and stands by. */
    private Process takeOver() throws Exception {
        Process developers = OperatorProcess.start(
                "developers",
                cluster.running().kubeconfig(),
                folder.resolve("developers"),
                flags("--take-over", "--webhook-url=https://" + DEVELOPERS + ":0"));
        processes.add(developers);
        cluster.eventually(() -> assertThat(holder()).startsWith("developers_"));
        cluster.eventually(() -> assertThat(deployed.startIfEnded())
                .as("the deployed one has ended")
                .isTrue());
        cluster.eventually(() -> assertThat(leaderships("developers")).isOne());
        cluster.eventually(() -> assertThat(webhook()).isEqualTo(DEVELOPERS));
        // Before it stands for election, it has had its chance to register its webhooks.
        cluster.eventually(() -> assertThat(log("deployed").split("attempting to acquire the leader lease"))
                .hasSize(3));
        return developers;
    }

    private void goesOn() {
        cluster.eventually(() -> assertThat(leaderships("deployed")).isEqualTo(2));
        cluster.eventually(() -> assertThat(webhook()).isEqualTo(DEPLOYED));
        works("again");
    }

    /** Whoever leads makes the Pods. */
    private void works(String name) {
        cluster.create(PodSet.class, """
                apiVersion: apps.jicki.cn/v1alpha1
                kind: PodSet
                metadata: {name: %s, namespace: %s}
                spec: {size: 1}
                """.formatted(name, cluster.namespace()));
        cluster.eventually(() -> {
            PodSet set = cluster.get(PodSet.class, name);
            assertThat(set.getStatus()).isNotNull();
            assertThat(set.getStatus().replicas()).isEqualTo(1);
        });
    }

    private static String[] flags(String... more) {
        List<String> flags = new ArrayList<>(List.of(
                "--operators=podset,memcached",
                "--leader-election-id=" + LEASE,
                "--leader-election-lease-duration=12s",
                "--leader-election-renew-deadline=9s",
                "--leader-election-retry-period=500ms"));
        flags.addAll(List.of(more));
        return flags.toArray(String[]::new);
    }

    private long leaderships(String name) throws IOException {
        return log(name).split("acquired the leader lease", -1).length - 1L;
    }

    private String log(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    /** The host that the API server asks. */
    private String webhook() {
        var configuration = client.admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName("busbar-mutating-webhook-configuration")
                .get();
        return configuration == null
                ? ""
                : URI.create(configuration
                                .getWebhooks()
                                .get(0)
                                .getClientConfig()
                                .getUrl())
                        .getHost();
    }

    private String holder() {
        Lease lease =
                client.leases().inNamespace("busbar-system").withName(LEASE).get();
        return lease == null ? "" : lease.getSpec().getHolderIdentity();
    }
}
