package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.manifests.yaml.Yaml;
import io.busbar.operator.endtoend.InstalledBlueprints.InstancesOf;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Memcached and Guestbook, packed into a jar: two replicas of it with what its manifests allow, which elect a leader.
 */
@EndToEnd(EndToEnd.ANY)
class PackedBlueprintsIT {

    private static final String NAME = "packed";
    private static final String NAMESPACE = NAME + "-system";
    private static final String ACCOUNT = NAME + "-controller-manager";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static Path jar;
    private static InstalledObjects installed;
    private static Path kubeconfig;
    private static int metrics;
    private static int live;
    private static final List<Process> replicas = new ArrayList<>();

    @TempDir
    private static Path folder;

    private final Cluster cluster;
    private final InstancesOf memcacheds;
    private final InstancesOf guestbooks;

    PackedBlueprintsIT(Cluster cluster) {
        this.cluster = cluster;
        this.memcacheds = new InstancesOf(cluster, "cache.packed.example.com/v1alpha1", "Memcached");
        this.guestbooks = new InstancesOf(cluster, "webapp.packed.example.com/v1", "Guestbook");
    }

    @BeforeAll
    static void pack_install_and_run(Cluster cluster) throws Exception {
        jar = folder.resolve("packed.jar");
        OperatorProcess.output(
                OperatorProcess.JAR,
                "blueprint",
                "pack",
                example("memcached"),
                example("guestbook"),
                "--name=" + NAME,
                "--output=" + jar);
        Path manifests = folder.resolve("manifests");
        OperatorProcess.output(jar, "manifests", "--output=" + manifests);
        installed = new InstalledObjects(cluster);
        installed.addOperator(Files.readString(manifests.resolve("dist/install-self-signed.yaml")));
        installed.add("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: %1$s-live-reader}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %1$s-live-reader}
                subjects: [{kind: ServiceAccount, name: %2$s, namespace: %3$s}]
                """.formatted(NAME, ACCOUNT, NAMESPACE));
        kubeconfig = OperatorAccount.kubeconfig(
                cluster.client(), NAMESPACE, ACCOUNT, cluster.running().adminKubeconfig());
        metrics = OperatorProcess.freePort();
        live = OperatorProcess.freePort();
        start("first", "--metrics-bind-address=127.0.0.1:" + metrics, "--live-bind-address=127.0.0.1:" + live);
        cluster.eventually(() -> assertThat(leader(cluster)).startsWith("first_"));
        start("second");
        cluster.eventually(() -> assertThat(log("second")).contains("attempting to acquire the leader lease"));
    }

    /** With groups of its own: another test may define the same kinds. */
    private static String example(String name) throws IOException {
        String text = InstalledBlueprints.example(name).replace(".blueprints.example.com", ".packed.example.com");
        assertThat(text).contains(".packed.example.com");
        return Files.writeString(folder.resolve(name + ".yaml"), text).toString();
    }

    private static void start(String name, String... flags) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "--leader-elect",
                "--leader-election-lease-duration=30s",
                "--leader-election-renew-deadline=25s",
                "--leader-election-retry-period=1s"));
        all.addAll(List.of(flags));
        replicas.add(OperatorProcess.startPacked(
                jar, name, kubeconfig, folder.resolve(name + ".log"), all.toArray(String[]::new)));
    }

    private static String log(String name) throws IOException {
        return Files.readString(folder.resolve(name + ".log"));
    }

    private static String leader(Cluster cluster) {
        return Optional.ofNullable(cluster.client()
                        .leases()
                        .inNamespace(NAMESPACE)
                        .withName(NAME + "-leader-election")
                        .get())
                .map(lease -> lease.getSpec().getHolderIdentity())
                .orElse("nobody");
    }

    @AfterAll
    static void end() {
        replicas.forEach(Process::destroyForcibly);
        installed.remove();
    }

    @Test
    void each_kind_is_reconciled_and_shown_as_any_other_and_another_replica_goes_on() throws Exception {
        memcacheds.create("some", "{size: 2}");
        guestbooks.create("classic", "{foo: bar}");
        memcacheds.awaitReady("some");
        guestbooks.awaitReady("classic");
        assertThat(cluster.get(Deployment.class, "some").getSpec().getReplicas())
                .isEqualTo(2);
        assertThat(List.of("redis-leader", "redis-follower", "frontend"))
                .allSatisfy(tier -> assertThat(cluster.get(Deployment.class, "classic-" + tier)
                                .getStatus()
                                .getReadyReplicas())
                        .isPositive());

        List<String> controllers =
                List.of("memcacheds.cache.packed.example.com", "guestbooks.webapp.packed.example.com");
        cluster.eventually(() -> assertThat(controllers)
                .allSatisfy(controller -> assertThat(reconciles(controller)).isPositive()));
        // Reads the JSON of the live page, with a token that the cluster is asked about; it waits some seconds for
        // that.
        cluster.eventually(() -> assertThat(OperatorProcess.output(
                        jar, "top", "--once", "--url=https://127.0.0.1:" + live + "/", "--token=" + token()))
                .startsWith(NAME + " 0.1.0, first: leads")
                .contains(controllers));

        assertThat(log("second")).doesNotContain("became the leader");
        replicas.get(0).destroyForcibly().waitFor();
        memcacheds.create("later", "{size: 1}");
        memcacheds.patch("some", "{\"spec\":{\"size\":3}}");
        memcacheds.awaitReady("later");
        cluster.eventually(
                () -> assertThat(memcacheds.status("some").path("readyReplicas").asInt())
                        .isEqualTo(3));
        assertThat(leader(cluster)).startsWith("second_");
        guestbooks.awaitReady("classic");
    }

    private static double reconciles(String controller) throws Exception {
        String text = HTTP.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + metrics + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        String counter = "controller_runtime_reconcile_total{controller=\"" + controller + "\",result=\"success\"} ";
        return text.lines()
                .filter(line -> line.startsWith(counter))
                .mapToDouble(line -> Double.parseDouble(line.substring(counter.length())))
                .sum();
    }

    private static String token() throws IOException {
        return Yaml.read(Files.readString(kubeconfig)).at("/users/0/user/token").asText();
    }
}
