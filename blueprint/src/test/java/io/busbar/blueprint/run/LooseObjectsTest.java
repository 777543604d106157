package io.busbar.blueprint.run;

import static io.busbar.blueprint.run.BlueprintCluster.eventually;
import static io.busbar.blueprint.run.BlueprintCluster.json;
import static io.busbar.blueprint.run.BlueprintCluster.patch;
import static io.busbar.blueprint.run.BlueprintCluster.ready;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.sandbox.SandboxOptions;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Objects that do not go with their instance by themselves: in other namespaces or in none, and such as are to stay. */
@TestInstance(Lifecycle.PER_CLASS)
class LooseObjectsTest {

    private static final String READY = "True Ready all resources are ready";

    private static final String SPANNING = Blueprints.with("""
                    spec:
                      where: "[]string"
                      text: string | default=first
                    status:
                      texts: ${far.map(one, one.data.text)}
                    """, """
                    - id: far
                      forEach: [{place: "${schema.spec.where}"}]
                      template:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: "${schema.metadata.name}", namespace: "${place}"}
                        data: {text: "${schema.spec.text}"}
                    - id: last
                      template:
                        apiVersion: v1
                        kind: ServiceAccount
                        metadata:
                          name: ${schema.metadata.name}
                          namespace: green
                          annotations: {reads: "${string(size(far))}"}
                    """).replace("kind: Test", "kind: Spanning");

    private static final String TEAM = Blueprints.with("""
                    spec:
                      verb: string | default=get
                      role: boolean | default=true
                    """, """
                    - id: home
                      template: {apiVersion: v1, kind: Namespace, metadata: {name: "team-${schema.metadata.name}"}}
                    - id: limits
                      template:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: limits, namespace: "${home.metadata.name}"}
                    - id: role
                      includeWhen: ["${schema.spec.role}"]
                      template:
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRole
                        metadata: {name: "team-${schema.metadata.name}"}
                        rules: [{apiGroups: [""], resources: [pods], verbs: ["${schema.spec.verb}"]}]
                    """).replace("kind: Test", "kind: Team");

    private static final String LEAVING = Blueprints.with("""
                    spec:
                      names: "[]string"
                    """, """
                    - id: volumes
                      deletionPolicy: Orphaned
                      forEach: [{name: "${schema.spec.names}"}]
                      template:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: "${schema.metadata.name}-${name}", annotations: {mine: "yes"}}
                        data: {name: "${name}"}
                    - id: server
                      deletionPolicy: Delete
                      template: {apiVersion: v1, kind: Secret, metadata: {name: "${schema.metadata.name}"}}
                    """).replace("kind: Test", "kind: Leaving");

    @AutoClose
    private final BlueprintCluster cluster = new BlueprintCluster(SandboxOptions.defaults());

    @BeforeAll
    void run() throws Exception {
        List.of("red", "green", "blue", "lone").forEach(cluster::createNamespace);
        cluster.run(
                Blueprints.named("spanning", SPANNING),
                Blueprints.named("leaving", LEAVING),
                Blueprints.named("team", TEAM));
    }

    @Test
    void objects_in_other_namespaces_are_kept_as_they_are_to_be_and_go_before_their_instance() {
        spanning("default", "wide", "[red, green]");
        eventually(() -> assertThat(ready(spanning("default", "wide"))).isEqualTo(READY));
        JsonNode wide = spanning("default", "wide");
        assertThat(wide.at("/status/texts")).hasToString("[\"first\",\"first\"]");
        assertThat(wide.at("/metadata/finalizers")).hasToString("[\"blueprints.busbar.io/delete-plan\"]");
        assertThat(wide.path("metadata")
                        .path("annotations")
                        .path(ApplySet.NAMESPACES.name())
                        .asText())
                .isEqualTo("green,red");
        assertThat(json(far("red", "wide")).at("/metadata/ownerReferences").isMissingNode())
                .isTrue();

        patch(far("red", "wide"), "{\"data\":{\"text\":\"by hand\"}}");
        eventually(() ->
                assertThat(json(far("red", "wide")).at("/data/text").asText()).isEqualTo("first"));
        far("red", "wide").delete();
        eventually(() -> assertThat(far("red", "wide").get()).isNotNull());

        spanning("default", "wide", "[blue, green]");
        eventually(() -> {
            assertThat(far("red", "wide").get()).isNull();
            assertThat(far("blue", "wide").get()).isNotNull();
        });

        patch(far("green", "wide"), "{\"metadata\":{\"finalizers\":[\"example.com/held\"]}}");
        object("Spanning", "default", "wide").delete();
        eventually(() -> assertThat(ready(spanning("default", "wide")))
                .isEqualTo("False Waiting the ConfigMap green/wide is not gone yet"));
        assertThat(cluster.object("v1", "ServiceAccount", "green", "wide").get())
                .as("reads the ConfigMaps, and so goes first")
                .isNull();
        patch(far("green", "wide"), "{\"metadata\":{\"finalizers\":null}}");
        eventually(() -> assertThat(object("Spanning", "default", "wide").get()).isNull());
        assertThat(far("green", "wide").get()).isNull();
        assertThat(far("blue", "wide").get()).isNull();
    }

    @Test
    void what_an_earlier_revision_made_in_another_namespace_is_found_by_its_label() {
        spanning("default", "former", "[]");
        eventually(() -> assertThat(ready(spanning("default", "former"))).isEqualTo(READY));
        JsonNode former = spanning("default", "former");
        cluster.write("""
                apiVersion: v1
                kind: Secret
                metadata:
                  name: former
                  namespace: lone
                  labels:
                    applyset.kubernetes.io/part-of: "%s"
                    blueprints.busbar.io/resource: former
                    blueprints.busbar.io/instance-uid: "%s"
                """.formatted(
                former.path("metadata").path("labels").path(ApplySet.ID.name()).asText(),
                former.at("/metadata/uid").asText()));
        patch(object("Spanning", "default", "former"), """
                {"metadata": {"annotations": {"%s": "ConfigMap,Secret,ServiceAccount", "%s": "green,lone"}},
                 "spec": {"text": "other"}}
                """.formatted(
                        ApplySet.KINDS.name(), ApplySet.NAMESPACES.name()));
        eventually(() -> {
            assertThat(cluster.object("v1", "Secret", "lone", "former").get()).isNull();
            assertThat(spanning("default", "former")
                            .path("metadata")
                            .path("annotations")
                            .path(ApplySet.NAMESPACES.name())
                            .asText())
                    .isEqualTo("green");
        });
    }

    @Test
    void objects_in_no_namespace_are_kept_as_they_are_to_be_and_go_before_their_instance() {
        team("lone", "a", "{}");
        eventually(() -> assertThat(ready(team("lone", "a"))).isEqualTo(READY));
        assertThat(cluster.object("v1", "ConfigMap", "team-a", "limits").get()).isNotNull();
        assertThat(team("lone", "a").at("/metadata/finalizers")).hasToString("[\"blueprints.busbar.io/delete-plan\"]");

        patch(role("team-a"), "{\"rules\":[]}");
        eventually(() -> assertThat(verb("team-a")).isEqualTo("get"));
        team("lone", "a", "{verb: list}");
        eventually(() -> assertThat(verb("team-a")).isEqualTo("list"));
        team("default", "a", "{}");
        eventually(() -> assertThat(ready(team("default", "a")))
                .isEqualTo("False NotOwned Namespace team-a is there already and is of Team lone/a: it is left alone"));
        team("lone", "a", "{role: false}");
        eventually(() -> assertThat(role("team-a").get()).isNull());
        team("lone", "a", "{role: true}");
        eventually(() -> assertThat(verb("team-a")).isEqualTo("get"));

        object("Team", "lone", "a").delete();
        eventually(() -> {
            assertThat(object("Team", "lone", "a").get()).isNull();
            assertThat(ready(team("default", "a"))).isEqualTo(READY);
        });
        assertThat(label(json(role("team-a"))))
                .isEqualTo(team("default", "a").at("/metadata/uid").asText());
        object("Team", "default", "a").delete();
        eventually(() -> assertThat(object("Team", "default", "a").get()).isNull());
        assertThat(role("team-a").get()).isNull();
        assertThat(cluster.object("v1", "Namespace", "team-a").get()).isNull();
    }

    @Test
    void an_object_in_no_namespace_that_somebody_else_made_is_left_alone() {
        cluster.createNamespace("team-found");
        team("lone", "found", "{}");
        eventually(() -> assertThat(ready(team("lone", "found")))
                .startsWith("False NotOwned Namespace team-found is there already"));

        object("Team", "lone", "found").delete();
        eventually(() -> assertThat(object("Team", "lone", "found").get()).isNull());
        assertThat(cluster.object("v1", "Namespace", "team-found").get()).isNotNull();
    }

    @Test
    void what_an_earlier_revision_made_in_no_namespace_goes_with_the_instance_too() throws Exception {
        var before = Blueprints.checked(Blueprints.with("", """
                - id: role
                  template:
                    apiVersion: rbac.authorization.k8s.io/v1
                    kind: ClusterRole
                    metadata: {name: "former-${schema.metadata.name}"}
                """).replace("kind: Test", "kind: Former"));
        var after = Blueprints.checked(Blueprints.with("", """
                - id: server
                  template: {apiVersion: v1, kind: Secret, metadata: {name: "${schema.metadata.name}"}}
                """).replace("kind: Test", "kind: Former"));
        cluster.define(before);
        InterruptedProcess process = cluster.process(before, Integer.MAX_VALUE);
        process.start("lone");
        cluster.write("apiVersion: busbar.io/v1\nkind: Former\nmetadata: {name: f, namespace: lone}\n");
        eventually(() -> assertThat(ready(json(object("Former", "lone", "f")))).isEqualTo(READY));
        assertThat(role("former-f").get()).isNotNull();
        process.end();
        object("Former", "lone", "f").delete();

        InterruptedProcess next = cluster.process(after, Integer.MAX_VALUE);
        next.start("lone");
        eventually(() -> assertThat(object("Former", "lone", "f").get()).isNull());
        assertThat(role("former-f").get()).isNull();
        next.end();
    }

    @Test
    void an_object_of_another_instance_is_left_alone_until_that_has_gone() {
        spanning("default", "same", "[red]");
        eventually(() -> assertThat(ready(spanning("default", "same"))).isEqualTo(READY));
        spanning("lone", "same", "[red]");
        eventually(() -> assertThat(ready(spanning("lone", "same")))
                .isEqualTo("False NotOwned ConfigMap red/same is there already and is of Spanning default/same:"
                        + " it is left alone"));

        object("Spanning", "default", "same").delete();
        eventually(() -> {
            assertThat(ready(spanning("lone", "same"))).isEqualTo(READY);
            assertThat(label(json(far("red", "same"))))
                    .isEqualTo(spanning("lone", "same").at("/metadata/uid").asText());
        });
    }

    @Test
    void what_is_orphaned_is_released_when_it_is_needed_no_more_and_taken_on_by_the_next_one() {
        leaving("[a, b]");
        eventually(() ->
                assertThat(ready(json(object("Leaving", "default", "host")))).isEqualTo(READY));
        assertThat(far("default", "host-a").get().getMetadata().getOwnerReferences())
                .isEmpty();
        assertThat(LooseObjects.POLICY.of(far("default", "host-a").get())).contains("Orphaned");

        leaving("[b]");
        eventually(() -> assertThat(json(far("default", "host-a")).at("/metadata/labels"))
                .isEmpty());
        object("Leaving", "default", "host").delete();
        eventually(() -> {
            assertThat(object("Leaving", "default", "host").get()).isNull();
            assertThat(cluster.object("v1", "Secret", "host").get()).isNull();
        });
        JsonNode released = json(far("default", "host-b"));
        assertThat(released.at("/metadata/labels")).isEmpty();
        assertThat(released.at("/metadata/annotations")).hasToString("{\"mine\":\"yes\"}");
        assertThat(released.at("/data/name").asText()).isEqualTo("b");

        leaving("[b]");
        eventually(() -> assertThat(label(json(far("default", "host-b"))))
                .isEqualTo(json(object("Leaving", "default", "host"))
                        .at("/metadata/uid")
                        .asText()));
    }

    @Test
    void a_policy_that_changes_takes_the_owner_off_an_object_and_gives_it_back() throws Exception {
        String resources = """
                - id: volume
                  deletionPolicy: %s
                  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: volume}}
                """;
        var deleted = changing(resources.formatted("Delete"));
        var orphaned = changing(resources.formatted("Orphaned"));
        cluster.define(deleted);
        cluster.write("apiVersion: busbar.io/v1\nkind: Changing\nmetadata: {name: it, namespace: lone}\n");
        for (var blueprint : List.of(deleted, orphaned, deleted)) {
            InterruptedProcess process = cluster.process(blueprint, Integer.MAX_VALUE);
            process.start("lone");
            eventually(() -> {
                var volume = far("lone", "volume").get();
                assertThat(BlueprintCluster.owners(volume)).hasSize(blueprint.equals(orphaned) ? 0 : 1);
                assertThat(LooseObjects.isOrphaned(volume)).isEqualTo(blueprint.equals(orphaned));
                assertThat(object("Changing", "lone", "it").get().getMetadata().getFinalizers())
                        .hasSize(blueprint.equals(orphaned) ? 1 : 0);
            });
            process.end();
        }
    }

    private static CheckedBlueprint changing(String resources) {
        return Blueprints.checked(Blueprints.with("", resources).replace("kind: Test", "kind: Changing"));
    }

    @Test
    void a_namespace_that_is_not_watched_is_told() throws Exception {
        var blueprint = Blueprints.checked(SPANNING.replace("kind: Spanning", "kind: Narrow"));
        cluster.define(blueprint);
        InterruptedProcess process = cluster.process(blueprint, Integer.MAX_VALUE);
        process.start("lone");
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Narrow
                metadata: {name: it, namespace: lone}
                spec: {where: [lone, red]}
                """);
        eventually(() -> assertThat(ready(json(object("Narrow", "lone", "it"))))
                .startsWith("False Failed ")
                .contains("'far' is in the namespace 'red', which the operator does not watch"));
        assertThat(far("lone", "it").get()).isNotNull();
        process.end();
    }

    private void spanning(String namespace, String name, String where) {
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Spanning
                metadata: {name: %s, namespace: %s}
                spec: {where: %s}
                """.formatted(name, namespace, where));
    }

    private void team(String namespace, String name, String spec) {
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Team
                metadata: {name: %s, namespace: %s}
                spec: %s
                """.formatted(name, namespace, spec));
    }

    private JsonNode team(String namespace, String name) {
        return json(object("Team", namespace, name));
    }

    private Resource<GenericKubernetesResource> role(String name) {
        return cluster.object("rbac.authorization.k8s.io/v1", "ClusterRole", name);
    }

    private String verb(String role) {
        return json(role(role)).at("/rules/0/verbs/0").asText();
    }

    private void leaving(String names) {
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Leaving
                metadata: {name: host, namespace: default}
                spec: {names: %s}
                """.formatted(names));
    }

    private JsonNode spanning(String namespace, String name) {
        return json(object("Spanning", namespace, name));
    }

    private Resource<GenericKubernetesResource> object(String kind, String namespace, String name) {
        return cluster.object("busbar.io/v1", kind, namespace, name);
    }

    private Resource<GenericKubernetesResource> far(String namespace, String name) {
        return cluster.object("v1", "ConfigMap", namespace, name);
    }

    private static String label(JsonNode object) {
        return object.path("metadata")
                .path("labels")
                .path(LooseObjects.INSTANCE.name())
                .asText();
    }
}
