package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.operator.endtoend.InstalledBlueprints.InstancesOf;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Memcached and Guestbook as Blueprints of the cluster, run by the operator for these with what its manifests allow it,
 * and with the rights that the command prints: they do what the bundled operators do, as far as a Blueprint can say it.
 */
@EndToEnd(EndToEnd.ANY)
@ResourceLock(InstalledBlueprints.OPERATOR_LOCK)
class BlueprintsIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String INSTANCE = "app.kubernetes.io/instance";

    private static InstalledBlueprints blueprints;

    @TempDir
    private static Path folder;

    private final Cluster cluster;
    private final KubernetesClient client;
    private final InstancesOf memcacheds = blueprints.instances("cache.blueprints.example.com/v1alpha1", "Memcached");
    private final InstancesOf guestbooks = blueprints.instances("webapp.blueprints.example.com/v1", "Guestbook");

    BlueprintsIT(Cluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
    }

    @BeforeAll
    static void run(Cluster cluster) throws Exception {
        blueprints = new InstalledBlueprints(cluster, folder);
        for (String name : List.of("memcached", "guestbook")) {
            blueprints.add(name, InstalledBlueprints.example(name));
        }
    }

    @AfterAll
    static void end() throws Exception {
        blueprints.end();
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
        assertThatThrownBy(() -> blueprints.apply(NOTE.replace("schema.spec.text", "schema.spec.size")))
                .hasMessageContaining("spec.resources[0].template.data.text")
                .hasMessageContaining("character 14")
                .hasMessageContaining("undefined field 'size'");

        blueprints.apply(NOTE);
        cluster.eventually(() -> assertThat(blueprints.told("note"))
                .startsWith("False Starting")
                .contains("configmaps is not listed yet")
                .contains("system:serviceaccount:blueprint-operator-system:note"));
        blueprints.permit("note", NOTE);
        cluster.eventually(() -> assertThat(blueprints.told("note")).startsWith("True Running"));

        note("one", "hello");
        cluster.eventually(() -> assertThat(text("one")).isEqualTo("hello"));
        blueprints.apply(NOTE.replace("default=none", "default=none maxLength=4"));
        cluster.eventually(() -> assertThat(blueprints.told("note"))
                .startsWith("False BreaksInstances")
                .contains(cluster.namespace() + "/one: spec.text")
                .endsWith("revision 1 goes on"));
        note("two", "still whatever is asked for");
        cluster.eventually(() -> assertThat(text("two")).isEqualTo("still whatever is asked for"));

        blueprints.apply(NOTE.replace("${schema.spec.text}", "${schema.spec.text}!"));
        cluster.eventually(() -> {
            assertThat(blueprints.told("note")).startsWith("True Running");
            assertThat(text("one")).isEqualTo("hello!");
        });

        blueprints.resource("note").delete();
        cluster.eventually(() -> assertThat(blueprints.resource("note").get()).isNull());
        assertThat(text("one")).isEqualTo("hello!");
        note("three", "nobody makes this");
        blueprints.apply(NOTE);
        cluster.eventually(() -> {
            assertThat(text("three")).isEqualTo("nobody makes this");
            assertThat(text("one")).isEqualTo("hello");
        });
    }

    @Test
    void instances_move_to_a_new_revision_one_at_a_time() throws Exception {
        String first = NOTE.replace("note", "memo").replace("Note", "Memo");
        blueprints.add("memo", first);
        InstancesOf memos = blueprints.instances("memos.blueprints.example.com/v1", "Memo");
        List<String> names = List.of("a", "b", "c");
        names.forEach(name -> memos.create(name, "{text: old}"));
        names.forEach(memos::awaitReady);
        String before = memos.status("a").path("blueprintRevision").asText();
        assertThat(before).startsWith("memo-");

        blueprints.apply(first.replace("${schema.spec.text}", "new")
                + "      readyWhen: [\"${words.metadata.?annotations[?'seen'].orValue('') == 'yes'}\"]\n"
                + "  rollout: {maxUnavailable: 1, partition: 1}\n");
        for (int moved = 1; moved <= 2; moved++) {
            int many = moved;
            AtomicReference<String> last = new AtomicReference<>("");
            cluster.eventually(() -> {
                assertThat(names)
                        .filteredOn(name -> !memos.status(name)
                                .path("blueprintRevision")
                                .asText()
                                .equals(before))
                        .hasSize(many);
                last.set(names.stream()
                        .filter(name -> memos.condition(name).startsWith("False Waiting"))
                        .findFirst()
                        .orElseThrow());
            });
            cluster.annotate(cluster.get(ConfigMap.class, "memo-" + last.get()), "seen", "yes");
            memos.awaitReady(last.get());
        }
        blueprints.awaitRunning("memo");
        assertThat(names)
                .filteredOn(name ->
                        memos.status(name).path("blueprintRevision").asText().equals(before))
                .singleElement()
                .satisfies(memos::awaitReady);
    }

    @Test
    void what_a_new_revision_makes_no_more_goes_if_of_a_kind_that_it_makes_no_more() throws Exception {
        String words = NOTE.replace("note", "shelf").replace("Note", "Shelf");
        String secret = """
                    - id: hidden
                      template: {apiVersion: v1, kind: Secret, metadata: {name: "shelf-${schema.metadata.name}"}}
                """;
        String account = secret.replace("id: hidden", "id: account").replace("Secret", "ServiceAccount");
        InstancesOf shelves = blueprints.instances("shelfs.blueprints.example.com/v1", "Shelf");
        blueprints.add("shelf", words + secret);
        shelves.create("oak", "{text: a}");
        shelves.awaitReady("oak");
        String set = shelves.read("oak")
                .path("metadata")
                .path("labels")
                .path("applyset.kubernetes.io/id")
                .asText();
        assertThat(set).matches("applyset-[A-Za-z0-9_-]{43}-v1");
        assertThat(shelves.annotation("oak", "applyset.kubernetes.io/contains-group-kinds"))
                .isEqualTo("ConfigMap,Secret");
        assertThat(shelves.annotation("oak", "applyset.kubernetes.io/tooling")).startsWith("busbar/");
        assertThat(List.of(cluster.get(Secret.class, "shelf-oak"), cluster.get(ConfigMap.class, "shelf-oak")))
                .extracting(object -> object.getMetadata().getLabels())
                .allSatisfy(of -> assertThat(of).containsEntry("applyset.kubernetes.io/part-of", set));
        cluster.create(Secret.class, """
                apiVersion: v1
                kind: Secret
                metadata:
                  name: shelf-foreign
                  namespace: %s
                  labels: {applyset.kubernetes.io/part-of: "%s", blueprints.busbar.io/resource: hidden}
                """.formatted(cluster.namespace(), set));

        blueprints.permit("shelf", words + account);
        blueprints.apply(words + account);
        cluster.eventually(() -> assertThat(shelves.condition("oak"))
                .startsWith("False Refused what earlier revisions have made of the kind Secret cannot be taken away")
                .contains("cannot list resource \"secrets\""));
        assertThat(shelves.annotation("oak", "applyset.kubernetes.io/contains-group-kinds"))
                .isEqualTo("ConfigMap,Secret,ServiceAccount");
        blueprints.permit("shelf", words + secret + account);
        shelves.awaitReady("oak");
        assertThat(cluster.resource(Secret.class, "shelf-oak").get()).isNull();
        assertThat(cluster.resource(Secret.class, "shelf-foreign").get()).isNotNull();
        assertThat(cluster.resource(ServiceAccount.class, "shelf-oak").get()).isNotNull();
        assertThat(shelves.annotation("oak", "applyset.kubernetes.io/contains-group-kinds"))
                .isEqualTo("ConfigMap,ServiceAccount");
    }

    /** Nothing reads more than metadata of what it makes. */
    @Test
    void what_is_watched_by_its_metadata_alone_is_changed_back_also_by_a_process_that_did_not_make_it()
            throws Exception {
        blueprints.add("reed", NOTE.replace("note", "reed").replace("Note", "Reed") + """
                    - id: server
                      template:
                        apiVersion: apps/v1
                        kind: Deployment
                        metadata: {name: "reed-${schema.metadata.name}"}
                        spec:
                          replicas: 1
                          selector: {matchLabels: {app: reed}}
                          template:
                            metadata: {labels: {app: reed}}
                            spec: {containers: [{name: server, image: "example/server:1"}]}
                """);
        InstancesOf reeds = blueprints.instances("reeds.blueprints.example.com/v1", "Reed");
        reeds.create("one", "{text: a}");
        reeds.awaitReady("one");
        changedBack();
        blueprints.killAndStart();
        changedBack();
    }

    private void changedBack() {
        cluster.patch(cluster.get(ConfigMap.class, "reed-one"), "{\"data\":{\"text\":\"by hand\"}}");
        cluster.patch(deployment("reed-one"), "{\"spec\":{\"replicas\":2}}");
        cluster.eventually(() -> {
            assertThat(cluster.get(ConfigMap.class, "reed-one").getData()).containsEntry("text", "a");
            assertThat(deployment("reed-one").getSpec().getReplicas()).isEqualTo(1);
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

    @Test
    void memcached_runs_as_many_servers_as_are_asked_for() {
        memcacheds.create("some", "{size: 2, containerPort: 11311}");
        memcacheds.create("standard", "{}");
        memcacheds.create("other", "{size: 1}");

        memcacheds.awaitReady("some");
        assertThat(memcacheds.status("some").at("/readyReplicas").asInt()).isEqualTo(2);
        assertThat(ports("some")).containsExactly(11311);
        assertThat(deployment("some").getMetadata().getOwnerReferences())
                .singleElement()
                .extracting(OwnerReference::getUid)
                .isEqualTo(memcacheds.read("some").at("/metadata/uid").asText());
        assertThat(memcacheds.read("standard").path("spec"))
                .isEqualTo(JSON.createObjectNode().put("size", 1).put("containerPort", 11211));
        memcacheds.awaitReady("other");
        assertThat(client.pods()
                        .inNamespace(cluster.namespace())
                        .withLabels(deployment("some").getSpec().getSelector().getMatchLabels())
                        .list()
                        .getItems())
                .hasSize(2);

        cluster.patch(memcacheds.resource("some").require(), "{\"spec\":{\"size\":3,\"containerPort\":11411}}");
        cluster.eventually(() -> {
            assertThat(memcacheds.status("some").at("/readyReplicas").asInt()).isEqualTo(3);
            assertThat(ports("some")).containsExactly(11411);
        });
        memcacheds.awaitReady("some");
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
        InstancesOf instances = kind.equals("Memcached") ? memcacheds : guestbooks;
        KubernetesClientException refusal = catchThrowableOfType(
                KubernetesClientException.class, () -> instances.create("refused", "{" + spec + "}"));

        assertThat(refusal).isNotNull();
        assertThat(refusal.getCode()).isEqualTo(422);
        assertThat(refusal.getMessage()).contains("spec." + spec.substring(0, spec.indexOf(':')));
    }

    @Test
    void memcached_changes_back_what_is_changed_by_hand() {
        memcacheds.create("drift", "{size: 2}");
        memcacheds.awaitReady("drift");
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
        memcacheds.awaitReady("drift");
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
        memcacheds.create("taken", "{size: 1}");

        cluster.eventually(() -> assertThat(memcacheds.condition("taken")).startsWith("False NotOwned"));
        assertThat(deployment("taken").getSpec()).isEqualTo(theirs.getSpec());
        cluster.resource(Deployment.class, "taken").delete();
        memcacheds.awaitReady("taken");
    }

    @Test
    void nothing_is_written_when_nothing_changes() {
        memcacheds.create("quiet", "{size: 1}");
        memcacheds.awaitReady("quiet");
        String before = memcacheds.read("quiet").at("/metadata/resourceVersion").asText();
        for (int i = 0; i < 3; i++) {
            cluster.patch(deployment("quiet"), "{\"metadata\":{\"labels\":{\"touched\":\"" + i + "\"}}}");
        }
        memcacheds.create("later", "{size: 1}");
        memcacheds.awaitReady("later");

        assertThat(memcacheds.read("quiet").at("/metadata/resourceVersion").asText())
                .isEqualTo(before);
        assertThat(deployment("quiet").getMetadata().getGeneration()).isEqualTo(1);
    }

    @Test
    void guestbook_brings_up_the_classic_app_tier_by_tier() {
        try (Seen<Deployment> seen = cluster.follow(Deployment.class)) {
            guestbooks.create("classic", "{foo: bar}");
            guestbooks.awaitReady("classic");

            cluster.eventually(() -> assertThat(List.of(
                            version(seen.objects("classic-redis-leader"), 1),
                            version(seen.objects("classic-redis-follower"), 0),
                            version(seen.objects("classic-redis-follower"), 2),
                            version(seen.objects("classic-frontend"), 0)))
                    .as("versions at which a tier was up, and the next began")
                    .isSorted());
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
        guestbooks.create("active", "{size: 3, followers: 0}");
        guestbooks.awaitReady("active");
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
            JsonNode status = guestbooks.status("active");
            assertThat(status.at("/readyFrontend").asInt()).isEqualTo(2);
            assertThat(status.at("/active").asText())
                    .isNotEqualTo(oldest.getMetadata().getName());
            assertThat(guestbooks.condition("active")).startsWith("False Waiting");
        });
        cluster.annotate(oldest, "fake-kubelet/ready", "true");
        guestbooks.awaitReady("active");
        cluster.resource(Pod.class, "foreign-pod").delete();
        cluster.eventually(() ->
                assertThat(cluster.resource(Pod.class, "foreign-pod").get()).isNull());
        showsFrontends("active");
    }

    @Test
    void guestbook_goes_on_where_a_killed_process_stood_and_rolls_out_changes() throws Exception {
        guestbooks.create("killed", "{size: 1, followers: 1}");
        cluster.eventually(() -> assertThat(cluster.resource(Deployment.class, "killed-redis-leader")
                        .get())
                .isNotNull());
        blueprints.killAndStart();
        guestbooks.awaitReady("killed");

        cluster.resource(Service.class, "killed-redis-leader").delete();
        cluster.patch(
                guestbooks.resource("killed").require(),
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
        guestbooks.awaitReady("killed");

        guestbooks.resource("killed").delete();
        cluster.eventuallyCollected(() -> assertThat(
                        cluster.resource(Deployment.class, "killed-frontend").get())
                .isNull());
    }

    private void showsFrontends(String guestbook) {
        List<String> names = frontends(guestbook).stream()
                .map(pod -> pod.getMetadata().getName())
                .toList();
        cluster.eventually(() -> {
            JsonNode status = guestbooks.status(guestbook);
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
