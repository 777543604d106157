package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.operator.bundled.Bundled;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The operator for Blueprints as it is installed: a process with the roles of its manifests and leader election, that
 * can be killed; and the Blueprints that it runs, whose accounts have the roles that the command prints. One thread.
 */
final class InstalledBlueprints {

    /** Who has one holds this: of one cluster all have the same. */
    static final String OPERATOR_LOCK = "the operator for Blueprints";

    static final String API_VERSION = "blueprints.busbar.io/v1alpha1";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path EXAMPLES = Path.of("..", "docs", "examples", "blueprints");
    private static final OperatorDefinition OPERATOR = Bundled.blueprints();

    private final Cluster cluster;
    private final KubernetesClient client;
    private final Path folder;
    private final InstalledObjects installed;
    private Process process;

    /** Installs the operator, and starts it. */
    InstalledBlueprints(Cluster cluster, Path folder) throws IOException {
        this.cluster = cluster;
        this.client = cluster.client();
        this.folder = folder;
        this.installed = new InstalledObjects(cluster);
        installed.addOperator(OPERATOR.manifests().files().get("dist/install-self-signed.yaml"));
        start();
    }

    private void start() throws IOException {
        process = OperatorProcess.startProgram(
                OPERATOR.name(),
                OperatorAccount.kubeconfig(
                        client,
                        OPERATOR.namespace(),
                        OPERATOR.name() + "-controller-manager",
                        cluster.running().adminKubeconfig()),
                folder.resolve("log"),
                "--webhook-certs=self-signed",
                "--webhook-url=https://127.0.0.1:0",
                "--leader-elect",
                "--leader-election-lease-duration=60s",
                "--leader-election-renew-deadline=45s",
                "--leader-election-retry-period=1s");
    }

    /** Kills it, and starts another one. */
    void killAndStart() throws Exception {
        process.destroyForcibly().waitFor();
        // Which nobody gives up now.
        client.leases()
                .inNamespace(OPERATOR.namespace())
                .withName(OPERATOR.name() + "-leader-election")
                .delete();
        start();
    }

    /** One of the examples. */
    static String example(String name) throws IOException {
        return Files.readString(EXAMPLES.resolve(name + ".yaml"));
    }

    /**
     * One of the examples, whose Jobs end as a fake kubelet is told: after the run's parameter {@code seconds} in its
     * first attempt, and with {@code exit}; with {@code hold} they do not begin.
     */
    static String steered(String name) throws IOException {
        String written = example(name);
        String steered = written.replaceAll("(?m)^( +)template:\n +spec:\n( +)restartPolicy: Never$", """
                $1template:
                $1  metadata:
                $1    annotations:
                $1      fake-kubelet/hold: "\\${run.parameters[?'hold'].orValue('false')}"
                $1      fake-kubelet/run-for: "\\${run.attempt > 1 ? '0' : run.parameters[?'seconds'].orValue('0')}"
                $1      fake-kubelet/exit-code: "\\${run.parameters[?'exit'].orValue('0')}"
                $1  spec:
                $2restartPolicy: Never""");
        assertThat(steered).isNotEqualTo(written);
        return steered;
    }

    /** Makes it, gives its account the role that is printed for it, and waits until it runs. */
    void add(String name, String blueprint) throws Exception {
        permit(name, blueprint);
        apply(blueprint);
        awaitRunning(name);
    }

    void awaitRunning(String name) {
        cluster.eventually(() -> assertThat(told(name)).startsWith("True Running"));
    }

    /** Makes its account, with the role that the command prints. */
    void permit(String name, String blueprint) throws Exception {
        installed.add(OperatorProcess.output(
                OperatorProcess.JAR,
                "blueprint",
                "role",
                Files.writeString(folder.resolve(name + ".yaml"), blueprint).toString()));
        installed.add("""
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: %s, namespace: %s}
                """.formatted(name, OPERATOR.namespace()));
        installed.add("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: blueprint-%1$s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: blueprint-%1$s}
                subjects: [{kind: ServiceAccount, name: %1$s, namespace: %2$s}]
                """.formatted(name, OPERATOR.namespace()));
    }

    void apply(String blueprint) {
        client.resource(Serialization.unmarshal(blueprint, GenericKubernetesResource.class))
                .patch(new PatchContext.Builder()
                        .withPatchType(PatchType.SERVER_SIDE_APPLY)
                        .withFieldManager("user")
                        .build());
    }

    Resource<GenericKubernetesResource> resource(String name) {
        return all().withName(name);
    }

    private MixedOperation<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            all() {
        return client.genericKubernetesResources(API_VERSION, "Blueprint");
    }

    /** What is told of one: status, reason, and message. */
    String told(String name) {
        return condition(resource(name).require());
    }

    /** The first condition of any object: status, reason, and message. */
    static String condition(GenericKubernetesResource object) {
        JsonNode first = JSON.valueToTree(object).at("/status/conditions/0");
        return first.path("status").asText() + " " + first.path("reason").asText() + " "
                + first.path("message").asText();
    }

    /** Deletes all Blueprints while the operator runs, then all that was installed, and waits until that has gone. */
    void end() throws Exception {
        all().list().getItems().forEach(blueprint -> client.resource(blueprint).delete());
        cluster.eventually(() -> assertThat(all().list().getItems()).isEmpty());
        process.destroyForcibly().waitFor();
        client.admissionRegistration()
                .v1()
                .validatingWebhookConfigurations()
                .withName(OPERATOR.name() + "-validating-webhook-configuration")
                .delete();
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withLabel("blueprints.busbar.io/blueprint")
                .delete();
        installed.remove();
    }

    /** The instances of a kind, in the namespace of the tests. */
    InstancesOf instances(String apiVersion, String kind) {
        return new InstancesOf(cluster, apiVersion, kind);
    }

    /** The instances of a kind, in the namespace of the tests. */
    record InstancesOf(Cluster cluster, String apiVersion, String kind) {

        Resource<GenericKubernetesResource> resource(String name) {
            return cluster.client()
                    .genericKubernetesResources(apiVersion, kind)
                    .inNamespace(cluster.namespace())
                    .withName(name);
        }

        void create(String name, String spec) {
            cluster.create(
                    GenericKubernetesResource.class, """
                    apiVersion: %s
                    kind: %s
                    metadata: {name: %s, namespace: %s}
                    spec: %s
                    """.formatted(apiVersion, kind, name, cluster.namespace(), spec));
        }

        void patch(String name, String patch) {
            cluster.patch(resource(name).require(), patch);
        }

        JsonNode read(String name) {
            return JSON.valueToTree(resource(name).require());
        }

        String annotation(String name, String annotation) {
            return read(name)
                    .path("metadata")
                    .path("annotations")
                    .path(annotation)
                    .asText();
        }

        JsonNode status(String name) {
            return read(name).path("status");
        }

        String condition(String name) {
            return InstalledBlueprints.condition(resource(name).require());
        }

        void awaitReady(String name) {
            cluster.eventually(() -> {
                GenericKubernetesResource stored = resource(name).require();
                assertThat(InstalledBlueprints.condition(stored)).startsWith("True Ready");
                JsonNode instance = JSON.valueToTree(stored);
                assertThat(instance.at("/status/observedGeneration").asLong())
                        .isEqualTo(instance.at("/metadata/generation").asLong());
            });
        }
    }
}
