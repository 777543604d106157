package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.operator.endtoend.InstalledBlueprints.InstancesOf;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Plans of Blueprints: the example of a store with a backup, and those whose plans begin by themselves, by the operator
 * for Blueprints with what its manifests allow it.
 */
@EndToEnd(EndToEnd.ANY)
@ResourceLock(InstalledBlueprints.OPERATOR_LOCK)
class BlueprintPlansIT {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static InstalledBlueprints blueprints;

    @TempDir
    private static Path folder;

    private final Cluster cluster;
    private final KubernetesClient client;
    private final InstancesOf stores = blueprints.instances("stores.example.com/v1", "Store");

    BlueprintPlansIT(Cluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
    }

    @BeforeAll
    static void run(Cluster cluster) throws Exception {
        blueprints = new InstalledBlueprints(cluster, folder);
        blueprints.add("store", InstalledBlueprints.steered("store"));
    }

    @AfterAll
    static void end() throws Exception {
        blueprints.end();
    }

    @Test
    void a_plan_is_carried_out_once_though_the_process_is_killed() throws Exception {
        createStore("killed");
        try (Seen<Job> jobs = cluster.follow(Job.class)) {
            run("night", "killed", "hold: 'true'");
            cluster.eventually(() -> assertThat(step("night", "data")).isEqualTo("Running"));
            blueprints.killAndStart();
            release("night-data");
            release("night-log");
            cluster.eventually(() -> assertThat(phase("night")).isEqualTo("Succeeded"));
            assertThat(client.batch()
                            .v1()
                            .jobs()
                            .inNamespace(cluster.namespace())
                            .list()
                            .getItems())
                    .extracting(job -> job.getMetadata().getName())
                    .filteredOn(name -> name.startsWith("night"))
                    .containsExactlyInAnyOrder("night-data", "night-log");
            assertThat(jobs.objects("night-data"))
                    .extracting(job -> job.getMetadata().getUid())
                    .containsOnly(
                            cluster.get(Job.class, "night-data").getMetadata().getUid());
        }
        assertThat(cluster.resource(ConfigMap.class, "killed-marked").get()).isNull();
        assertThat(deployment("killed").getSpec().getReplicas()).isEqualTo(1);
        JsonNode status = runStatus("night");
        assertThat(status.at("/conditions/0/reason").asText()).isEqualTo("Succeeded");
        assertThat(status.path("steps")).allSatisfy(step -> {
            assertThat(step.path("state").asText()).isEqualTo("Succeeded");
            assertThat(step.path("startTime").asText())
                    .isLessThanOrEqualTo(step.path("completionTime").asText());
        });
    }

    @Test
    void a_run_that_fails_or_is_cancelled_goes_on_when_it_is_asked_to_and_bad_ones_are_refused() throws Exception {
        createStore("main");
        assertThatThrownBy(() -> run("bad", "main", "", "restore"))
                .hasMessageContaining("spec.plan")
                .hasMessageContaining("supported values: backup");

        run("fails", "main", "exit: '1'");
        cluster.eventually(() -> assertThat(phase("fails")).isEqualTo("Failed"));
        assertThat(runStatus("fails").at("/conditions/0/message").asText()).contains("the Job 'fails-data' has failed");
        assertThat(step("fails", "scale-up")).isEqualTo("Pending");
        assertThat(cluster.get(ConfigMap.class, "main-marked").getData()).containsEntry("by", "fails");
        cluster.patch(runs("fails").require(), "{\"spec\":{\"attempt\":2}}");
        cluster.eventually(() -> {
            assertThat(runStatus("fails").path("attempt").asInt()).isEqualTo(2);
            assertThat(phase("fails")).isEqualTo("Failed");
        });
        assertThat(cluster.resource(Job.class, "fails-data-2").get()).isNotNull();
        assertThatThrownBy(() -> cluster.patch(runs("fails").require(), "{\"spec\":{\"plan\":\"other\"}}"))
                .hasMessageContaining("a run that is there cannot change this");

        createStore("slow");
        run("endless", "slow", "seconds: '3600'");
        cluster.eventually(() -> assertThat(step("endless", "log")).isEqualTo("Running"));
        cluster.patch(runs("endless").require(), "{\"spec\":{\"cancel\":true}}");
        cluster.eventually(() -> {
            assertThat(phase("endless")).isEqualTo("Cancelled");
            assertThat(step("endless", "log")).isEqualTo("Cancelled");
            assertThat(cluster.resource(Job.class, "endless-log").get()).isNull();
        });
        cluster.patch(runs("endless").require(), "{\"spec\":{\"cancel\":null,\"attempt\":2}}");
        cluster.eventually(() -> assertThat(phase("endless")).isEqualTo("Succeeded"));
    }

    /** With its server, which the first step of its plan changes. */
    private void createStore(String name) {
        stores.create(name, "{}");
        cluster.eventually(
                () -> assertThat(cluster.resource(Deployment.class, name).get())
                        .isNotNull()
                        .satisfies(server -> assertThat(server.getStatus().getReadyReplicas())
                                .isEqualTo(1)));
    }

    /** Lets the Pod of a Job begin that was made to wait. */
    private void release(String job) {
        cluster.eventually(() -> {
            List<Pod> pods = client.pods()
                    .inNamespace(cluster.namespace())
                    .withLabel("job-name", job)
                    .list()
                    .getItems();
            assertThat(pods).hasSize(1);
            cluster.patch(pods.get(0), "{\"metadata\":{\"annotations\":{\"fake-kubelet/hold\":null}}}");
        });
    }

    /** The runs about an instance have succeeded, in the order of their numbers. */
    private void awaitSucceeded(InstancesOf kind, String instance, String... runs) {
        cluster.eventually(() -> {
            List<GenericKubernetesResource> all = client
                    .genericKubernetesResources(InstalledBlueprints.API_VERSION, "BlueprintRun")
                    .inNamespace(cluster.namespace())
                    .list()
                    .getItems()
                    .stream()
                    .filter(run -> run.getMetadata().getName().startsWith(instance + "-"))
                    .sorted(Comparator.comparing(
                            run -> run.getMetadata().getName().replaceFirst(".*-", "")))
                    .toList();
            assertThat(all)
                    .as(() -> all.stream()
                            .map(run -> run.getMetadata().getName() + ": " + InstalledBlueprints.condition(run))
                            .collect(Collectors.joining("; ", kind.condition(instance) + "; ", "")))
                    .filteredOn(run -> phase(run.getMetadata().getName()).equals("Succeeded"))
                    .extracting(run -> run.getMetadata().getName())
                    .containsExactly(runs);
        });
    }

    @Test
    void etcd_grows_and_shrinks_by_one_member_at_a_time_though_the_process_is_killed() throws Exception {
        String growsToTwo = "schema.spec.members == 3 && run.parameters[?'to'].orValue('') == '2'";
        blueprints.add(
                "etcd",
                InstalledBlueprints.steered("etcd")
                        .replace("run.parameters[?'hold'].orValue('false')", growsToTwo + " ? 'true' : 'false'"));
        InstancesOf clusters = blueprints.instances("databases.blueprints.example.com/v1alpha1", "EtcdCluster");
        try (Seen<StatefulSet> seen = cluster.follow(StatefulSet.class)) {
            clusters.create("quorum", "{members: 3}");
            cluster.eventually(() -> assertThat(phase("quorum-grow-2")).isEqualTo("Running"));
            blueprints.killAndStart();
            release("quorum-grow-2-add");
            awaitSucceeded(clusters, "quorum", "quorum-deploy-1", "quorum-grow-2", "quorum-grow-3");
            clusters.awaitReady("quorum");
            assertThat(clusters.status("quorum").path("readyMembers").asInt()).isEqualTo(3);
            assertThat(cluster.get(ConfigMap.class, "quorum-peers").getData())
                    .containsEntry("ETCD_INITIAL_CLUSTER_STATE", "existing")
                    .containsEntry(
                            "ETCD_INITIAL_CLUSTER",
                            "quorum-0=http://quorum-0.quorum:2380,quorum-1=http://quorum-1.quorum:2380,"
                                    + "quorum-2=http://quorum-2.quorum:2380");
            assertThat(seen.objects("quorum"))
                    .as("a member joins when all others are ready")
                    .allSatisfy(set -> assertThat(set.getSpec().getReplicas()
                                    - Objects.requireNonNullElse(set.getStatus().getReadyReplicas(), 0))
                            .isLessThanOrEqualTo(1));
        }
        run("snapshot", clusters, "quorum", "backup", "");
        cluster.eventually(() -> assertThat(phase("snapshot")).isEqualTo("Succeeded"));

        clusters.patch("quorum", "{\"spec\":{\"members\":2}}");
        awaitSucceeded(clusters, "quorum", "quorum-deploy-1", "quorum-grow-2", "quorum-grow-3", "quorum-shrink-4");
        cluster.eventually(() -> {
            assertThat(cluster.get(StatefulSet.class, "quorum").getSpec().getReplicas())
                    .isEqualTo(2);
            assertThat(cluster.resource(PersistentVolumeClaim.class, "data-quorum-2")
                            .get())
                    .isNull();
        });
        clusters.awaitReady("quorum");
    }

    @Test
    void prometheus_reads_its_configuration_again_when_it_has_changed() throws Exception {
        blueprints.add("prometheus", InstalledBlueprints.steered("prometheus"));
        InstancesOf servers = blueprints.instances("monitoring.blueprints.example.com/v1alpha1", "Prometheus");
        servers.create("meters", "{targets: [\"a:80\"]}");
        servers.awaitReady("meters");
        long generation = cluster.get(StatefulSet.class, "meters").getMetadata().getGeneration();

        servers.patch("meters", "{\"spec\":{\"targets\":[\"a:80\",\"b:80\"]}}");
        awaitSucceeded(servers, "meters", "meters-reload-1");
        servers.awaitReady("meters");
        JsonNode config =
                JSON.readTree(cluster.get(ConfigMap.class, "meters").getData().get("prometheus.yml"));
        assertThat(config.at("/scrape_configs/0/static_configs/0/targets")).hasToString("[\"a:80\",\"b:80\"]");
        assertThat(JSON.valueToTree(runs("meters-reload-1").require()).at("/spec/parameters/config"))
                .isEqualTo(config.at("/global/external_labels/config"));

        servers.patch("meters", "{\"spec\":{\"retention\":\"3d\"}}");
        cluster.eventually(() -> assertThat(
                        cluster.get(StatefulSet.class, "meters").getMetadata().getGeneration())
                .isGreaterThan(generation));
        servers.awaitReady("meters");
        awaitSucceeded(servers, "meters", "meters-reload-1"); // a restart needs no reload
    }

    @Test
    void redis_is_copied_and_brought_back_and_copied_a_last_time_before_it_goes() throws Exception {
        blueprints.add("redis", InstalledBlueprints.steered("redis"));
        InstancesOf servers = blueprints.instances("databases.blueprints.example.com/v1alpha1", "Redis");
        servers.create("cart", "{}");
        awaitSucceeded(servers, "cart", "cart-deploy-1");
        servers.awaitReady("cart");
        run("copy", servers, "cart", "backup", "");
        cluster.eventually(() -> assertThat(phase("copy")).isEqualTo("Succeeded"));
        run("bring", servers, "cart", "restore", "from: copy");
        cluster.eventually(() -> assertThat(phase("bring")).isEqualTo("Succeeded"));
        assertThat(cluster.get(Job.class, "bring-bring")
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getCommand())
                .containsExactly("cp", "/copies/copy.rdb", "/data/dump.rdb");
        servers.awaitReady("cart");

        String last = "cart-delete-"
                + servers.read("cart").at("/metadata/uid").asText().substring(0, 8);
        try (Seen<Job> jobs = cluster.follow(Job.class)) {
            servers.resource("cart").delete();
            cluster.eventually(() -> assertThat(servers.resource("cart").get()).isNull());
            cluster.eventually(() -> assertThat(jobs.objects(last + "-copy"))
                    .as("copied")
                    .anySatisfy(
                            job -> assertThat(job.getStatus().getSucceeded()).isEqualTo(1)));
        }
        cluster.eventuallyCollected(() ->
                assertThat(cluster.resource(StatefulSet.class, "cart").get()).isNull());
        assertThat(cluster.resource(PersistentVolumeClaim.class, "cart-copies").get())
                .as("stays")
                .isNotNull();
        cluster.eventuallyCollected(() -> assertThat(runs(last).get()).isNull());
    }

    private void run(String name, String store, String parameters, String... plan) {
        run(name, stores, store, plan.length == 0 ? "backup" : plan[0], parameters);
    }

    private void run(String name, InstancesOf kind, String instance, String plan, String parameters) {
        cluster.create(GenericKubernetesResource.class, """
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: BlueprintRun
                metadata: {name: %s, namespace: %s}
                spec:
                  instance: {apiVersion: %s, kind: %s, name: %s}
                  plan: %s
                  parameters: {%s}
                """.formatted(
                        name, cluster.namespace(), kind.apiVersion(), kind.kind(), instance, plan, parameters));
    }

    private Resource<GenericKubernetesResource> runs(String name) {
        return client.genericKubernetesResources(InstalledBlueprints.API_VERSION, "BlueprintRun")
                .inNamespace(cluster.namespace())
                .withName(name);
    }

    private JsonNode runStatus(String name) {
        return JSON.valueToTree(runs(name).get()).path("status");
    }

    private String phase(String run) {
        return runStatus(run).path("phase").asText();
    }

    private String step(String run, String name) {
        for (JsonNode step : runStatus(run).path("steps")) {
            if (step.path("name").asText().equals(name)) {
                return step.path("state").asText();
            }
        }
        return "Pending";
    }

    private Deployment deployment(String name) {
        return cluster.get(Deployment.class, name);
    }
}
