package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.operator.bundled.Bundled;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * One object, or more, of each kind that the operator has had for long, and what becomes of them. Earlier operators know
 * nothing of MySQLDatabase, MySQLUser and MySQLGrant. Any thread; blocks.
 */
final class ObjectsOfEveryKind {

    /** NAME is in the names of all, and the label of the Pod that some of them look for. */
    private static final String ALL = """
            apiVersion: apps.kruise.io/v1alpha1
            kind: SidecarSet
            metadata: {name: NAME-alpha}
            spec:
              namespace: NAMESPACE
              selector: {matchLabels: {app: with-NAME}}
              containers: [{name: alpha, image: example/alpha:1}]
            ---
            apiVersion: apps.kruise.io/v1beta1
            kind: SidecarSet
            metadata: {name: NAME-beta}
            spec:
              customVersion: v7
              selector: {matchLabels: {app: with-NAME}}
              containers: [{name: beta, image: example/beta:1}]
            ---
            apiVersion: apps.jicki.cn/v1alpha1
            kind: PodSet
            metadata: {name: NAME, namespace: NAMESPACE}
            spec: {size: 2}
            ---
            apiVersion: cache.example.com/v1alpha1
            kind: Memcached
            metadata: {name: NAME, namespace: NAMESPACE}
            spec: {size: 2}
            ---
            apiVersion: webapp.my.domain/v1
            kind: Guestbook
            metadata: {name: NAME, namespace: NAMESPACE}
            spec: {size: 2, followers: 1}
            ---
            apiVersion: ualter.com/v1beta1
            kind: Podbuggertool
            metadata: {name: NAME, namespace: NAMESPACE}
            spec: {label: app=with-NAME, image: busybox:1.36}
            ---
            apiVersion: database.example.com/v1alpha1
            kind: MySQLCluster
            metadata: {name: NAME, namespace: NAMESPACE}
            spec: {size: 1, version: "9.7", storage: {size: 1Gi}}
            ---
            apiVersion: database.example.com/v1alpha1
            kind: MySQLBackup
            metadata: {name: NAME, namespace: NAMESPACE}
            spec: {clusterName: NAME, storage: {pvc: {claimName: NAME-backups}}}
            ---
            apiVersion: database.example.com/v1alpha1
            kind: MySQLRestore
            metadata: {name: NAME, namespace: NAMESPACE}
            spec: {clusterName: NAME, backupName: NAME}
            """;

    /** What users and controllers make beside these. */
    private static final List<String> OTHERS = List.of(
            "v1 Pod",
            "v1 Service",
            "v1 ConfigMap",
            "v1 Secret",
            "v1 PersistentVolumeClaim",
            "apps/v1 Deployment",
            "apps/v1 ReplicaSet",
            "apps/v1 StatefulSet");

    private final KubernetesClient client;
    private final String namespace;

    ObjectsOfEveryKind(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /** All but the Pod, which wants its sidecars to be known before. */
    void create(String name) {
        documents(name).forEach(yaml -> create(client.resource(yaml)));
    }

    /** One that is there was created by a request whose answer nobody converted, and which the client has repeated. */
    private static void create(Resource<HasMetadata> object) {
        object.createOr(there -> object.get());
    }

    void createPod(String name) {
        client.resource(pod(name)).create();
    }

    /** What to create for a look at what webhooks make of it, without making it. */
    String pod(String name) {
        return SidecarSets.pod(namespace, name + "-pod", "with-" + name);
    }

    String document(String kind, String version, String name) {
        return documents(name).stream()
                .filter(yaml -> yaml.contains("kind: " + kind + "\n") && yaml.contains("/" + version + "\n"))
                .findFirst()
                .orElseThrow();
    }

    private List<String> documents(String name) {
        return Stream.of(ALL.replace("NAMESPACE", namespace)
                        .replace("NAME", name)
                        .split("---\n"))
                .toList();
    }

    void remove(String name) {
        documents(name).forEach(yaml -> client.resource(yaml).delete());
    }

    /** Fails until the operator has done what it can: there are no database servers here. */
    void assertSettled(String name) {
        JsonNode pod = read("v1", "Pod", name + "-pod");
        assertThat(names(pod.at("/spec/containers"))).contains("app", "alpha", "beta");
        assertThat(pod.at("/spec/ephemeralContainers"))
                .as("debugger in %s", name)
                .isNotEmpty();
        for (String set : List.of("alpha", "beta")) {
            JsonNode status = read("apps.kruise.io/v1alpha1", "SidecarSet", name + "-" + set)
                    .path("status");
            assertThat(status.path("updatedReadyPods").asInt())
                    .as("Pods with the sidecar of %s-%s: %s", name, set, status)
                    .isOne();
        }
        assertThat(read("apps.jicki.cn/v1alpha1", "PodSet", name)
                        .at("/status/replicas")
                        .asInt())
                .isEqualTo(2);
        for (String deployment : List.of(name, name + "-frontend", name + "-redis-leader", name + "-redis-follower")) {
            JsonNode found = read("apps/v1", "Deployment", deployment);
            assertThat(found.at("/status/readyReplicas").asInt())
                    .as("ready replicas of %s", deployment)
                    .isEqualTo(found.at("/spec/replicas").asInt());
        }
        assertThat(read("apps/v1", "StatefulSet", name)
                        .at("/status/readyReplicas")
                        .asInt())
                .as("Pods of MySQLCluster %s", name)
                .isOne();
        for (String kind : List.of("MySQLCluster", "MySQLBackup", "MySQLRestore")) {
            assertThat(read("database.example.com/v1alpha1", kind, name).path("status"))
                    .as("status of %s %s", kind, name)
                    .isNotEmpty();
        }
    }

    /**
     * What is there, by kind and name: its uid, its generation, or its version where it has none, and the containers
     * that run in it with their restarts.
     */
    Map<String, String> snapshot() {
        Map<String, String> found = new TreeMap<>();
        for (CustomResourceDefinition definition : Bundled.operator().crds()) {
            for (CustomResourceDefinitionVersion version : definition.getSpec().getVersions()) {
                look(
                        definition.getSpec().getGroup() + "/" + version.getName(),
                        definition.getSpec().getNames().getKind(),
                        found);
            }
        }
        OTHERS.forEach(kind -> look(kind.split(" ", -1)[0], kind.split(" ", -1)[1], found));
        return found;
    }

    private void look(String apiVersion, String kind, Map<String, String> found) {
        if (!isServed(apiVersion, kind)) {
            return;
        }
        var objects = client.genericKubernetesResources(apiVersion, kind);
        boolean everywhere = kind.equals("SidecarSet");
        for (GenericKubernetesResource object :
                (everywhere ? objects : objects.inNamespace(namespace)).list().getItems()) {
            found.put(
                    apiVersion + " " + kind + " " + object.getMetadata().getName(),
                    told(client.getKubernetesSerialization().convertValue(object, ObjectNode.class)));
        }
    }

    /** An earlier operator may not have it. */
    private boolean isServed(String apiVersion, String kind) {
        APIResourceList served = client.getApiResources(apiVersion);
        return served != null
                && served.getResources().stream()
                        .anyMatch(resource -> resource.getKind().equals(kind));
    }

    private static String told(ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        List<String> told = new ArrayList<>(List.of(metadata.path("uid").asText()));
        if (object.path("kind").asText().equals("Pod")) {
            for (String containers :
                    List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")) {
                object.at("/status/" + containers)
                        .forEach(container -> told.add(container.path("name").asText() + " "
                                + container.path("image").asText() + " "
                                + container.path("containerID").asText() + " restarted "
                                + container.path("restartCount").asInt()));
            }
        } else if (metadata.has("generation")) {
            told.add("generation " + metadata.path("generation").asText());
        } else {
            told.add("version " + metadata.path("resourceVersion").asText());
        }
        return String.join(", ", told);
    }

    private JsonNode read(String apiVersion, String kind, String name) {
        var objects = client.genericKubernetesResources(apiVersion, kind);
        GenericKubernetesResource found = kind.equals("SidecarSet")
                ? objects.withName(name).get()
                : objects.inNamespace(namespace).withName(name).get();
        assertThat(found).as("%s %s", kind, name).isNotNull();
        return client.getKubernetesSerialization().convertValue(found, JsonNode.class);
    }

    static List<String> names(JsonNode containers) {
        return StreamSupport.stream(containers.spliterator(), false)
                .map(container -> container.path("name").asText())
                .toList();
    }
}
