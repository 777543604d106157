package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.manifests.yaml.Yaml;
import io.busbar.operator.bundled.Bundled;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Memcached and Guestbook as Blueprints of the cluster, run by the operator for these with what its manifests allow it,
 * and with the rights that the command prints: they do what the bundled operators do, as far as a Blueprint can say it.
 */
@EndToEnd
class BlueprintsIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path EXAMPLES = Path.of("..", "docs", "examples", "blueprints");
    private static final String INSTANCE = "app.kubernetes.io/instance";
    private static final String API_VERSION = "blueprints.busbar.io/v1alpha1";
    private static final List<String> NAMES = List.of("memcached", "guestbook");
    private static final Set<String> KINDS = Set.of(
            "Namespace",
            "CustomResourceDefinition",
            "ServiceAccount",
            "ClusterRole",
            "Role",
            "ClusterRoleBinding",
            "RoleBinding");
    private static final OperatorDefinition OPERATOR = Bundled.blueprints();

    private final Cluster cluster;
    private final KubernetesClient client;

    private static final Deque<HasMetadata> INSTALLED = new ArrayDeque<>();
    private static Process process;

    @TempDir
    private static Path folder;

    BlueprintsIT(Cluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
    }

    @BeforeAll
    static void run(Cluster cluster) throws Exception {
        KubernetesClient client = cluster.client();
        Yaml.readAll(OPERATOR.manifests().files().get("dist/install-self-signed.yaml")).stream()
                .filter(object -> KINDS.contains(object.path("kind").asText()))
                .forEach(object -> install(client, object.toString()));
        for (String name : NAMES) {
            install(client, printed("role", file(name)));
            allow(client, name);
        }
        start(cluster);
        for (String name : NAMES) {
            apply(cluster, Files.readString(Path.of(file(name))));
            cluster.eventually(() -> assertThat(blueprint(cluster, name)).startsWith("True Running"));
        }
    }

    private static void allow(KubernetesClient client, String account) {
        install(client, """
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: %s, namespace: %s}
                """.formatted(account, OPERATOR.namespace()));
        install(client, """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: blueprint-%1$s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: blueprint-%1$s}
                subjects: [{kind: ServiceAccount, name: %1$s, namespace: %2$s}]
                """.formatted(account, OPERATOR.namespace()));
    }

    private static void install(KubernetesClient client, String object) {
        INSTALLED.push(client.resource(object)
                .patch(new PatchContext.Builder()
                        .withPatchType(PatchType.SERVER_SIDE_APPLY)
                        .withFieldManager("end-to-end")
                        .withForce(true)
                        .build()));
    }

    private static void apply(Cluster cluster, String blueprint) {
        cluster.client()
                .resource(Serialization.unmarshal(blueprint, GenericKubernetesResource.class))
                .patch(new PatchContext.Builder()
                        .withPatchType(PatchType.SERVER_SIDE_APPLY)
                        .withFieldManager("user")
                        .build());
    }

    private static Resource<GenericKubernetesResource> blueprints(Cluster cluster, String name) {
        return cluster.client()
                .genericKubernetesResources(API_VERSION, "Blueprint")
                .withName(name);
    }

    /** What is told of one: status, reason, and message. */
    private static String blueprint(Cluster cluster, String name) {
        JsonNode ready = JSON.valueToTree(blueprints(cluster, name).require()).at("/status/conditions/0");
        return ready.path("status").asText() + " " + ready.path("reason").asText() + " "
                + ready.path("message").asText();
    }

    @AfterAll
    static void end(Cluster cluster) throws Exception {
        KubernetesClient client = cluster.client();
        for (GenericKubernetesResource blueprint : client.genericKubernetesResources(API_VERSION, "Blueprint")
                .list()
                .getItems()) {
            client.resource(blueprint).delete();
        }
        cluster.eventually(() -> assertThat(client.genericKubernetesResources(API_VERSION, "Blueprint")
                        .list()
                        .getItems())
                .isEmpty());
        process.destroyForcibly().waitFor();
        INSTALLED.forEach(object -> client.resource(object).delete());
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withLabel("blueprints.busbar.io/blueprint")
                .delete();
    }

    private static void start(Cluster cluster) throws IOException {
        process = OperatorProcess.startProgram(
                OPERATOR.name(),
                OperatorAccount.kubeconfig(
                        cluster.client(),
                        OPERATOR.namespace(),
                        OPERATOR.name() + "-controller-manager",
                        cluster.running().adminKubeconfig()),
                folder.resolve("log"),
                "--webhook-certs=self-signed",
                "--webhook-url=https://127.0.0.1:0",
                "--leader-elect",
                "--leader-election-lease-duration=4s",
                "--leader-election-renew-deadline=3s",
                "--leader-election-retry-period=1s");
    }

    private static String file(String blueprint) {
        return EXAMPLES.resolve(blueprint + ".yaml").toString();
    }

    private static ProcessBuilder command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                System.getProperty("busbar.jar"),
                "blueprint"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true);
    }

    private static String printed(String... arguments) throws Exception {
        Process ended = command(arguments).start();
        String text = new String(ended.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(ended.waitFor()).as(text).isZero();
        return text;
    }

    private static final String NOTE = """
            apiVersion: blueprints.busbar.io/v1alpha1
            kind: Blueprint
            metadata: {name: note}
            spec:
              serviceAccountName: note
              schema:
                apiVersion: v1
                kind: Note
                group: notes.blueprints.example.com
                spec: {text: "string | default=none"}
              resources:
                - id: words
                  template:
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: {name: "note-${schema.metadata.name}"}
                    data: {text: "${schema.spec.text}"}
            """;

    @Test
    void a_blueprint_is_refused_or_waits_for_rights_or_breaks_nothing_and_leaves_what_is_there() throws Exception {
        assertThatThrownBy(() -> apply(cluster, NOTE.replace("schema.spec.text", "schema.spec.size")))
                .hasMessageContaining("spec.resources[0].template.data.text")
                .hasMessageContaining("character 14")
                .hasMessageContaining("undefined field 'size'");

        apply(cluster, NOTE);
        cluster.eventually(() -> assertThat(blueprint(cluster, "note"))
                .startsWith("False Starting")
                .contains("configmaps is not listed yet")
                .contains("system:serviceaccount:blueprint-operator-system:note"));
        Path written = Files.writeString(folder.resolve("note.yaml"), NOTE);
        install(client, printed("role", written.toString()));
        allow(client, "note");
        cluster.eventually(() -> assertThat(blueprint(cluster, "note")).startsWith("True Running"));

        note("one", "hello");
        cluster.eventually(() -> assertThat(text("one")).isEqualTo("hello"));
        apply(cluster, NOTE.replace("default=none", "default=none maxLength=4"));
        cluster.eventually(() -> assertThat(blueprint(cluster, "note"))
                .startsWith("False BreaksInstances")
                .contains(cluster.namespace() + "/one: spec.text")
                .endsWith("revision 1 goes on"));
        note("two", "still whatever is asked for");
        cluster.eventually(() -> assertThat(text("two")).isEqualTo("still whatever is asked for"));

        apply(cluster, NOTE.replace("${schema.spec.text}", "${schema.spec.text}!"));
        cluster.eventually(() -> {
            assertThat(blueprint(cluster, "note")).startsWith("True Running");
            assertThat(text("one")).isEqualTo("hello!");
        });

        blueprints(cluster, "note").delete();
        cluster.eventually(() -> assertThat(blueprints(cluster, "note").get()).isNull());
        assertThat(text("one")).isEqualTo("hello!");
        note("three", "nobody makes this");
        apply(cluster, NOTE);
        cluster.eventually(() -> {
            assertThat(text("three")).isEqualTo("nobody makes this");
            assertThat(text("one")).isEqualTo("hello");
        });
    }

    private void note(String name, String text) {
        cluster.create(GenericKubernetesResource.class, """
                apiVersion: notes.blueprints.example.com/v1
                kind: Note
                metadata: {name: %s, namespace: %s}
                spec: {text: %s}
                """.formatted(name, cluster.namespace(), text));
    }

    /** Empty where there is none yet. */
    private String text(String note) {
        return Optional.ofNullable(
                        cluster.resource(ConfigMap.class, "note-" + note).get())
                .map(map -> map.getData().get("text"))
                .orElse("");
    }

    /** The example, whose Jobs end as the fake kubelet is told: after {@code seconds} at first, with {@code exit}. */
    private static String stores() throws IOException {
        String written = Files.readString(Path.of(file("store")));
        String steered = written.replace("                  template:\n                    spec:\n", """
                                  template:
                                    metadata:
                                      annotations:
                                        fake-kubelet/run-for: "${run.attempt > 1 ? '0' : run.parameters[?'seconds'].orValue('0')}"
                                        fake-kubelet/exit-code: "${run.parameters[?'exit'].orValue('0')}"
                                    spec:
                """);
        assertThat(steered).isNotEqualTo(written);
        return steered;
    }

    @Test
    void a_plan_is_carried_out_once_wherever_the_process_is_killed() throws Exception {
        runStores();
        store("killed");
        cluster.eventually(() ->
                assertThat(deployment("killed").getStatus().getReadyReplicas()).isEqualTo(1));
        try (Seen<Job> jobs = cluster.follow(Job.class)) {
            run("night", "killed", "seconds: '2'");
            for (String step : List.of("scale-down", "data", "unmark")) {
                cluster.eventually(() -> assertThat(step("night", step)).isNotEqualTo("Pending"));
                process.destroyForcibly().waitFor();
                start(cluster);
            }
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
        runStores();
        store("main");
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

        store("slow");
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

    private void runStores() throws Exception {
        if (client.genericKubernetesResources(API_VERSION, "Blueprint")
                        .withName("store")
                        .get()
                == null) {
            install(
                    client,
                    printed(
                            "role",
                            Files.writeString(folder.resolve("store.yaml"), stores())
                                    .toString()));
            allow(client, "store");
            apply(cluster, stores());
        }
        cluster.eventually(() -> assertThat(blueprint(cluster, "store")).startsWith("True Running"));
    }

    private void store(String name) {
        create("Store", name, "{}");
    }

    private GenericKubernetesResource run(String name, String store, String parameters, String... plan) {
        return cluster.create(GenericKubernetesResource.class, """
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: BlueprintRun
                metadata: {name: %s, namespace: %s}
                spec:
                  instance: {apiVersion: stores.example.com/v1, kind: Store, name: %s}
                  plan: %s
                  parameters: {%s}
                """.formatted(
                        name, cluster.namespace(), store, plan.length == 0 ? "backup" : plan[0], parameters));
    }

    private Resource<GenericKubernetesResource> runs(String name) {
        return client.genericKubernetesResources(API_VERSION, "BlueprintRun")
                .inNamespace(cluster.namespace())
                .withName(name);
    }

    private JsonNode runStatus(String name) {
        return JSON.valueToTree(runs(name).require()).path("status");
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

    @Test
    void memcached_runs_as_many_servers_as_are_asked_for() {
        create("Memcached", "some", "{size: 2, containerPort: 11311}");
        create("Memcached", "standard", "{}");
        create("Memcached", "other", "{size: 1}");

        ready("Memcached", "some");
        assertThat(status("Memcached", "some").at("/readyReplicas").asInt()).isEqualTo(2);
        assertThat(ports("some")).containsExactly(11311);
        assertThat(deployment("some").getMetadata().getOwnerReferences())
                .singleElement()
                .extracting(OwnerReference::getUid)
                .isEqualTo(read("Memcached", "some").at("/metadata/uid").asText());
        assertThat(read("Memcached", "standard").path("spec"))
                .isEqualTo(JSON.createObjectNode().put("size", 1).put("containerPort", 11211));
        ready("Memcached", "other");
        assertThat(client.pods()
                        .inNamespace(cluster.namespace())
                        .withLabels(deployment("some").getSpec().getSelector().getMatchLabels())
                        .list()
                        .getItems())
                .hasSize(2);

        cluster.patch(resource("Memcached", "some").require(), "{\"spec\":{\"size\":3,\"containerPort\":11411}}");
        cluster.eventually(() -> {
            assertThat(status("Memcached", "some").at("/readyReplicas").asInt()).isEqualTo(3);
            assertThat(ports("some")).containsExactly(11411);
        });
        ready("Memcached", "some");
    }

    @ParameterizedTest
    @CsvSource({
        "Memcached, size: 0",
        "Memcached, size: 4",
        "Memcached, containerPort: 0",
        "Memcached, containerPort: 65536",
        "Guestbook, size: 0",
        "Guestbook, size: 11",
        "Guestbook, configMapName: \"\"",
        "Guestbook, configMapName: sixteen-letters-",
        "Guestbook, type: Letter",
        "Guestbook, followers: -1"
    })
    void refuses_what_is_out_of_bounds(String kind, String spec) {
        KubernetesClientException refusal =
                catchThrowableOfType(KubernetesClientException.class, () -> create(kind, "refused", "{" + spec + "}"));

        assertThat(refusal).isNotNull();
        assertThat(refusal.getCode()).isEqualTo(422);
        assertThat(refusal.getMessage()).contains("spec." + spec.substring(0, spec.indexOf(':')));
    }

    @Test
    void memcached_changes_back_what_is_changed_by_hand() {
        create("Memcached", "drift", "{size: 2}");
        ready("Memcached", "drift");
        String uid = deployment("drift").getMetadata().getUid();

        cluster.patch(deployment("drift"), "{\"spec\":{\"replicas\":5}}");
        cluster.eventually(
                () -> assertThat(deployment("drift").getSpec().getReplicas()).isEqualTo(2));
        cluster.resource(Deployment.class, "drift").delete();
        cluster.eventually(
                () -> assertThat(cluster.resource(Deployment.class, "drift").get())
                        .isNotNull()
                        .extracting(again -> again.getMetadata().getUid())
                        .isNotEqualTo(uid));
        ready("Memcached", "drift");
    }

    @Test
    void memcached_leaves_a_deployment_of_its_name_that_is_not_its_own_alone_and_says_so() {
        Deployment theirs = cluster.create(Deployment.class, """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: taken, namespace: %s}
                spec:
                  replicas: 0
                  selector: {matchLabels: {app: theirs}}
                  template:
                    metadata: {labels: {app: theirs}}
                    spec: {containers: [{name: app, image: "example/app:1"}]}
                """.formatted(cluster.namespace()));
        create("Memcached", "taken", "{size: 1}");

        cluster.eventually(() -> assertThat(condition("Memcached", "taken")).startsWith("False NotOwned"));
        assertThat(deployment("taken").getSpec()).isEqualTo(theirs.getSpec());
        cluster.resource(Deployment.class, "taken").delete();
        ready("Memcached", "taken");
    }

    @Test
    void nothing_is_written_when_nothing_changes() {
        create("Memcached", "quiet", "{size: 1}");
        ready("Memcached", "quiet");
        String before =
                read("Memcached", "quiet").at("/metadata/resourceVersion").asText();
        for (int i = 0; i < 3; i++) {
            cluster.patch(deployment("quiet"), "{\"metadata\":{\"labels\":{\"touched\":\"" + i + "\"}}}");
        }
        create("Memcached", "later", "{size: 1}");
        ready("Memcached", "later");

        assertThat(read("Memcached", "quiet").at("/metadata/resourceVersion").asText())
                .isEqualTo(before);
        assertThat(deployment("quiet").getMetadata().getGeneration()).isEqualTo(1);
    }

    @Test
    void guestbook_brings_up_the_classic_app_tier_by_tier() {
        try (Seen<Deployment> seen = cluster.follow(Deployment.class)) {
            create("Guestbook", "classic", "{foo: bar}");
            ready("Guestbook", "classic");

            assertThat(List.of(
                            version(seen.objects("classic-redis-leader"), 1),
                            version(seen.objects("classic-redis-follower"), 0),
                            version(seen.objects("classic-redis-follower"), 2),
                            version(seen.objects("classic-frontend"), 0)))
                    .as("versions at which a tier was up, and the next began")
                    .isSorted();
        }
        assertThat(Stream.of("redis-leader", "redis-follower", "frontend")
                        .map(tier -> deployment("classic-" + tier).getSpec().getReplicas()))
                .containsExactly(1, 2, 3);
        assertThat(Stream.of("redis-leader", "redis-follower", "frontend")
                        .map(tier -> cluster.get(Service.class, "classic-" + tier))
                        .map(service -> service.getSpec().getPorts().get(0).getPort()))
                .containsExactly(6379, 6379, 80);
        showsFrontends("classic");
    }

    @Test
    void guestbook_tells_of_its_own_frontends_that_are_ready() {
        create("Guestbook", "active", "{size: 3, followers: 0}");
        ready("Guestbook", "active");
        Pod oldest = frontends("active").get(0);
        cluster.create(Pod.class, """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: foreign-pod
                  namespace: %s
                  labels: {app: guestbook, tier: frontend, app.kubernetes.io/instance: active}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers: [{name: app, image: "example/app:1"}]
                """.formatted(cluster.namespace()));
        cluster.eventually(() ->
                assertThat(cluster.resource(Pod.class, "foreign-pod").isReady()).isTrue());

        cluster.annotate(oldest, "fake-kubelet/ready", "false");
        cluster.eventually(() -> {
            JsonNode status = status("Guestbook", "active");
            assertThat(status.at("/readyFrontend").asInt()).isEqualTo(2);
            assertThat(status.at("/active").asText())
                    .isNotEqualTo(oldest.getMetadata().getName());
            assertThat(condition("Guestbook", "active")).startsWith("False Waiting");
        });
        cluster.annotate(oldest, "fake-kubelet/ready", "true");
        ready("Guestbook", "active");
        cluster.resource(Pod.class, "foreign-pod").delete();
        cluster.eventually(() ->
                assertThat(cluster.resource(Pod.class, "foreign-pod").get()).isNull());
        showsFrontends("active");
    }

    @Test
    void guestbook_goes_on_where_a_killed_process_stood_and_rolls_out_changes() throws Exception {
        create("Guestbook", "killed", "{size: 1, followers: 1}");
        cluster.eventually(() -> assertThat(cluster.resource(Deployment.class, "killed-redis-leader")
                        .get())
                .isNotNull());
        process.destroyForcibly().waitFor();
        start(cluster);
        ready("Guestbook", "killed");

        cluster.resource(Service.class, "killed-redis-leader").delete();
        cluster.patch(
                resource("Guestbook", "killed").require(),
                "{\"spec\":{\"size\":2,\"followers\":2,\"frontendImage\":\"example/frontend:2\"}}");
        cluster.eventually(() -> {
            assertThat(cluster.resource(Service.class, "killed-redis-leader").get())
                    .isNotNull();
            assertThat(frontends("killed"))
                    .hasSize(2)
                    .allSatisfy(pod -> assertThat(
                                    pod.getSpec().getContainers().get(0).getImage())
                            .isEqualTo("example/frontend:2"));
        });
        ready("Guestbook", "killed");

        resource("Guestbook", "killed").delete();
        cluster.eventuallyCollected(() -> assertThat(
                        cluster.resource(Deployment.class, "killed-frontend").get())
                .isNull());
    }

    private void showsFrontends(String guestbook) {
        List<String> names = frontends(guestbook).stream()
                .map(pod -> pod.getMetadata().getName())
                .toList();
        cluster.eventually(() -> {
            JsonNode status = status("Guestbook", guestbook);
            assertThat(status.at("/active").asText()).isEqualTo(names.get(0));
            List<String> standby = new ArrayList<>();
            status.path("standby").forEach(name -> standby.add(name.asText()));
            assertThat(standby).isEqualTo(names.stream().skip(1).sorted().toList());
            assertThat(status.at("/readyFrontend").asInt()).isEqualTo(names.size());
        });
    }

    /** The first one at which so many Pods are available. */
    private static long version(List<Deployment> seen, int available) {
        return seen.stream()
                .filter(deployment ->
                        Objects.requireNonNullElse(deployment.getStatus().getAvailableReplicas(), 0) >= available)
                .mapToLong(deployment -> Long.parseLong(deployment.getMetadata().getResourceVersion()))
                .findFirst()
                .orElseThrow();
    }

    private static String apiVersion(String kind) {
        return switch (kind) {
            case "Memcached" -> "cache.blueprints.example.com/v1alpha1";
            case "Store" -> "stores.example.com/v1";
            default -> "webapp.blueprints.example.com/v1";
        };
    }

    private Resource<GenericKubernetesResource> resource(String kind, String name) {
        return client.genericKubernetesResources(apiVersion(kind), kind)
                .inNamespace(cluster.namespace())
                .withName(name);
    }

    private void create(String kind, String name, String spec) {
        cluster.create(GenericKubernetesResource.class, """
                apiVersion: %s
                kind: %s
                metadata: {name: %s, namespace: %s}
                spec: %s
                """.formatted(
                        apiVersion(kind), kind, name, cluster.namespace(), spec));
    }

    private JsonNode read(String kind, String name) {
        return JSON.valueToTree(resource(kind, name).require());
    }

    private JsonNode status(String kind, String name) {
        return read(kind, name).path("status");
    }

    private String condition(String kind, String name) {
        JsonNode ready = status(kind, name).at("/conditions/0");
        return ready.path("status").asText() + " " + ready.path("reason").asText() + " "
                + ready.path("message").asText();
    }

    private void ready(String kind, String name) {
        cluster.eventually(() -> {
            JsonNode instance = read(kind, name);
            assertThat(condition(kind, name)).startsWith("True Ready");
            assertThat(instance.at("/status/observedGeneration").asLong())
                    .isEqualTo(instance.at("/metadata/generation").asLong());
        });
    }

    private Deployment deployment(String name) {
        return cluster.get(Deployment.class, name);
    }

    private List<Integer> ports(String name) {
        return deployment(name).getSpec().getTemplate().getSpec().getContainers().get(0).getPorts().stream()
                .map(port -> port.getContainerPort())
                .toList();
    }

    /** Those that are not being deleted, the oldest first. */
    private List<Pod> frontends(String guestbook) {
        return client
                .pods()
                .inNamespace(cluster.namespace())
                .withLabel(INSTANCE, guestbook)
                .withLabel("app", "guestbook")
                .list()
                .getItems()
                .stream()
                .filter(pod -> !pod.isMarkedForDeletion())
                .sorted(Comparator.comparing((Pod pod) -> pod.getMetadata().getCreationTimestamp())
                        .thenComparing(pod -> pod.getMetadata().getName()))
                .toList();
    }
}
