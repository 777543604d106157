package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Objects that were stored before their definition became as strict as the model class. The schema is loose here all
 * the time, so that it is the webhook that decides: API servers before 1.30 hold what they store against the whole
 * schema, and refuse by themselves what does not fit it.
 */
@EndToEnd("podbugger")
class RepairIT {

    private static final String DEFINITION = "podbuggertools.ualter.com";
    private static final String SPEC = "/spec/versions/0/schema/openAPIV3Schema/properties/spec";
    private static final ResourceDefinitionContext TOOLS = new ResourceDefinitionContext.Builder()
            .withGroup("ualter.com")
            .withVersion("v1beta1")
            .withKind("Podbuggertool")
            .withPlural("podbuggertools")
            .withNamespaced(true)
            .build();

    private final Cluster cluster;
    private String schema;

    RepairIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void stores_what_does_not_fit_while_there_are_no_webhooks() {
        cluster.running().stopOperator();
        cluster.running().removeWebhooks();
        schema = Serialization.asJson(definition()
                .require()
                .getSpec()
                .getVersions()
                .get(0)
                .getSchema()
                .getOpenAPIV3Schema()
                .getProperties()
                .get("spec"));
        replaceSchema("{\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true}");
        for (String name : new String[] {"repaired", "removed"}) {
            cluster.eventually(() -> cluster.client()
                    .genericKubernetesResources(TOOLS)
                    .inNamespace(cluster.namespace())
                    .resource(Serialization.unmarshal("""
                            apiVersion: ualter.com/v1beta1
                            kind: Podbuggertool
                            metadata: {name: %s, finalizers: [example.com/test]}
                            spec: {label: app=nobody, image: busybox:1, allNamespaces: {in: here}}
                            """.formatted(name), GenericKubernetesResource.class))
                    .serverSideApply());
        }
        cluster.running().startOperator();
    }

    @AfterEach
    void makes_the_definition_strict_again() {
        for (String name : new String[] {"repaired", "removed"}) {
            if (tool(name).get() != null) {
                patch(name, "{\"metadata\":{\"finalizers\":null}}");
                tool(name).delete();
            }
        }
        replaceSchema(schema);
    }

    @Test
    void are_repaired_and_removed() {
        AtomicInteger attempts = new AtomicInteger();
        // One that slips through is stored, and the same once more would be no change.
        cluster.eventually(() -> assertThatThrownBy(() -> patch(
                        "repaired", "{\"spec\":{\"allNamespaces\":{\"in\":\"" + attempts.incrementAndGet() + "\"}}}"))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("spec.allNamespaces"));
        patch("repaired", "{\"metadata\":{\"annotations\":{\"example.com/seen\":\"yes\"}}}");
        patch("repaired", "{\"spec\":{\"allNamespaces\":false}}");
        assertThat(tool("repaired").require().getAdditionalProperties().get("spec"))
                .isEqualTo(Map.of("label", "app=nobody", "image", "busybox:1", "allNamespaces", false));

        tool("removed").delete();
        patch("removed", "{\"metadata\":{\"finalizers\":null}}");
        assertThat(tool("removed").get()).isNull();
    }

    private Resource<GenericKubernetesResource> tool(String name) {
        return cluster.client()
                .genericKubernetesResources(TOOLS)
                .inNamespace(cluster.namespace())
                .withName(name);
    }

    private void patch(String name, String mergePatch) {
        tool(name).patch(PatchContext.of(PatchType.JSON_MERGE), mergePatch);
    }

    private Resource<CustomResourceDefinition> definition() {
        return cluster.client().apiextensions().v1().customResourceDefinitions().withName(DEFINITION);
    }

    private void replaceSchema(String json) {
        definition().patch(PatchContext.of(PatchType.JSON), """
                [{"op": "replace", "path": "%s", "value": %s}]""".formatted(SPEC, json));
    }
}
