package io.busbar.blueprint.run;

import static io.busbar.blueprint.run.BlueprintCluster.eventually;
import static io.busbar.blueprint.run.BlueprintCluster.json;
import static io.busbar.blueprint.run.BlueprintCluster.patch;
import static io.busbar.blueprint.run.BlueprintCluster.ready;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.Blueprints;
import io.busbar.common.MetadataKey;
import io.busbar.sandbox.SandboxOptions;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Instances as ApplySets: what they say of their objects, and what they take away by that. */
@TestInstance(Lifecycle.PER_CLASS)
class InstanceSetsTest {

    private static final String FORMED = Blueprints.with("""
                    spec:
                      text: string
                    status:
                      text: ${words.data.text}
                    """, """
                    - id: words
                      template:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: "${schema.metadata.name}"}
                        data: {text: "${schema.spec.text}"}
                    """)
            .replace("kind: Test", "kind: Formed")
            .replace("name: test", "name: formed")
            .replace("spec:\n  schema", "spec:\n  serviceAccountName: formers\n  schema");

    private static final String EVERYWHERE = Blueprints.with("""
                    scope: Cluster
                    spec:
                      names: "[]string"
                    """, """
                    - id: maps
                      forEach:
                        - name: ${schema.spec.names}
                      template:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: "${schema.metadata.name}", namespace: "${name}"}
                    """).replace("kind: Test", "kind: Everywhere");

    @AutoClose
    private final BlueprintCluster cluster =
            new BlueprintCluster(SandboxOptions.defaults().withRbac(true));

    @BeforeAll
    void run() throws Exception {
        cluster.run(Blueprints.named("formed", FORMED), Blueprints.named("everywhere", EVERYWHERE));
    }

    @Test
    void an_instance_that_another_tool_keeps_as_its_apply_set_is_left_alone() {
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Everywhere
                metadata: {name: taken, annotations: {applyset.kubernetes.io/tooling: kubectl/v1.30}}
                spec: {names: [default]}
                """);
        eventually(() -> assertThat(ready(json(everywhere("taken"))))
                .isEqualTo("False OtherTool the annotation applyset.kubernetes.io/tooling says kubectl/v1.30:"
                        + " nothing is changed while it is there"));
        assertThat(cluster.client()
                        .configMaps()
                        .inNamespace("default")
                        .withName("taken")
                        .get())
                .isNull();

        patch(everywhere("taken"), "{\"metadata\":{\"annotations\":{\"applyset.kubernetes.io/tooling\":null}}}");
        eventually(() -> assertThat(cluster.client()
                        .configMaps()
                        .inNamespace("default")
                        .withName("taken")
                        .get())
                .isNotNull());
    }

    @Test
    void a_right_that_pruning_lacks_is_told_and_waited_for() {
        ClusterRole role = BlueprintCluster.role(Blueprints.checked(FORMED));
        cluster.allow(role, "formers", "");
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Formed
                metadata:
                  name: cube
                  namespace: default
                  annotations: {applyset.kubernetes.io/contains-group-kinds: "Ingress.networking.k8s.io,Nothing.example.com"}
                spec: {text: a}
                """);
        eventually(() -> {
            JsonNode cube = cluster.json("busbar.io/v1", "Formed", "cube");
            assertThat(ready(cube))
                    .startsWith("False Refused what earlier revisions have made of the kind Ingress.networking.k8s.io"
                            + " cannot be taken away: ingresses.networking.k8s.io is forbidden")
                    .contains("cannot list resource", "system:serviceaccount:default:formers");
            assertThat(cube.at("/status/text").asText()).isEqualTo("a");
            assertThat(said(cube, ApplySet.KINDS)).isEqualTo("ConfigMap,Ingress.networking.k8s.io");
        });

        role.getRules()
                .add(new PolicyRuleBuilder()
                        .withApiGroups("networking.k8s.io")
                        .withResources("ingresses")
                        .withVerbs("list")
                        .build());
        cluster.allow(role, "formers", "");
        eventually(() -> {
            JsonNode cube = cluster.json("busbar.io/v1", "Formed", "cube");
            assertThat(ready(cube)).isEqualTo("True Ready all resources are ready");
            assertThat(said(cube, ApplySet.KINDS)).isEqualTo("ConfigMap");
        });
    }

    @Test
    void an_instance_in_no_namespace_says_in_which_ones_its_objects_are() {
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Everywhere
                metadata: {name: here}
                spec: {names: [default, kube-system]}
                """);
        eventually(() -> {
            JsonNode here = json(everywhere("here"));
            assertThat(said(here, ApplySet.KINDS)).isEqualTo("ConfigMap");
            assertThat(said(here, ApplySet.NAMESPACES)).isEqualTo("default,kube-system");
            assertThat(ready(here)).isEqualTo("True Ready all resources are ready");
        });
        JsonNode here = json(everywhere("here"));
        cluster.write("""
                apiVersion: v1
                kind: Secret
                metadata:
                  name: former
                  namespace: kube-public
                  labels: {applyset.kubernetes.io/part-of: "%s", blueprints.busbar.io/resource: former}
                  ownerReferences: [{apiVersion: busbar.io/v1, kind: Everywhere, name: here, uid: "%s", controller: true}]
                """.formatted(
                here.path("metadata").path("labels").path(ApplySet.ID.name()).asText(),
                here.at("/metadata/uid").asText()));
        patch(everywhere("here"), """
                {"metadata": {"annotations": {"%s": "ConfigMap,Secret"}}, "spec": {"names": ["default"]}}
                """.formatted(ApplySet.KINDS.name()));
        eventually(() -> {
            assertThat(said(json(everywhere("here")), ApplySet.KINDS)).isEqualTo("ConfigMap");
            assertThat(said(json(everywhere("here")), ApplySet.NAMESPACES)).isEqualTo("default");
            assertThat(cluster.client()
                            .secrets()
                            .inNamespace("kube-public")
                            .withName("former")
                            .get())
                    .isNull();
        });
    }

    private Resource<GenericKubernetesResource> everywhere(String name) {
        return cluster.client()
                .genericKubernetesResources("busbar.io/v1", "Everywhere")
                .withName(name);
    }

    private static String said(JsonNode instance, MetadataKey annotation) {
        return instance.path("metadata")
                .path("annotations")
                .path(annotation.name())
                .asText();
    }
}
