package io.busbar.charts.run;

import static io.busbar.charts.run.SandboxedCharts.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.rbac.Permission;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The example of the documentation, on a simulated cluster. */
@TestInstance(Lifecycle.PER_CLASS)
class StorefrontTest {

    private static final String API_VERSION = "shop.example.com/v1alpha1";
    private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";

    private SandboxedCharts charts;

    @BeforeAll
    void start() throws Exception {
        charts = SandboxedCharts.start(
                Path.of("../docs/examples/charts/watches.yaml"),
                Map.of("STOREFRONT_IMAGE", "registry.example.com/nginx"));
    }

    @AfterAll
    void stop() throws Exception {
        charts.close();
    }

    private void storefront(String name, String spec) {
        charts.write("""
                apiVersion: shop.example.com/v1alpha1
                kind: Storefront
                metadata: {name: %s, namespace: default}
                spec: {migration: {annotations: {fake-kubelet/run-for: "0"}}, %s}
                """.formatted(name, spec));
    }

    private String ready(String name) {
        return charts.ready(API_VERSION, "Storefront", name);
    }

    private JsonNode instance(String name) {
        return charts.get(API_VERSION, "Storefront", name);
    }

    private JsonNode deployment(String name) {
        return charts.get("apps/v1", "Deployment", name);
    }

    private JsonNode job(String name) {
        return charts.get("batch/v1", "Job", name + "-migration");
    }

    private JsonNode page(String name) {
        return charts.get("v1", "ConfigMap", name + "-page").path("data");
    }

    @Test
    void installs_with_the_hook_first_and_the_values_of_the_operator_over_those_of_the_instance() {
        AtomicReference<String> jobEnded = new AtomicReference<>("");
        charts.meanwhile(write -> {
            if (write.matches("POST .*/deployments")) {
                jobEnded.set(job("first").at("/status/completionTime").asText());
            }
        });
        charts.write("""
                apiVersion: shop.example.com/v1alpha1
                kind: Storefront
                metadata: {name: first, namespace: default}
                spec:
                  migration: {annotations: {fake-kubelet/run-for: "1"}}
                  replicas: 2
                  image: {repository: mine, tag: '3'}
                  page: {hello: world}
                """);
        eventually(() -> assertThat(ready("first")).isEqualTo("True Ready all objects are ready"));

        charts.meanwhile(write -> {});
        JsonNode instance = instance("first");
        JsonNode deployment = deployment("first");
        assertThat(deployment.at("/spec/template/spec/containers/0/image").asText())
                .isEqualTo("registry.example.com/nginx:3");
        assertThat(deployment.at("/status/availableReplicas").asInt()).isEqualTo(2);
        assertThat(deployment.at("/metadata/ownerReferences/0/uid")).isEqualTo(instance.at("/metadata/uid"));
        assertThat(charts.get("v1", "Service", "first").at("/spec/ports/0/port").asInt())
                .isEqualTo(80);
        assertThat(page("first").path("hello").asText()).isEqualTo("world");
        assertThat(jobEnded.get())
                .as("when the Deployment was made")
                .isNotEmpty()
                .isEqualTo(job("first").at("/status/completionTime").asText());
        assertThat(instance.at("/status/release").asInt()).isEqualTo(1);
        assertThat(instance.at("/status/revision").asText()).hasSize(16);
        assertThat(instance.at("/status/observedGeneration").asInt())
                .isEqualTo(instance.at("/metadata/generation").asInt());
    }

    @Test
    void applies_a_change_of_values_with_the_hook_anew_and_takes_away_what_is_rendered_no_more() {
        storefront("changing", "page: {hello: world}");
        eventually(() -> assertThat(ready("changing")).startsWith("True Ready"));
        JsonNode hook = job("changing").at("/metadata/uid");
        JsonNode revision = instance("changing").at("/status/revision");

        storefront("changing", "replicas: 3");
        eventually(() ->
                assertThat(instance("changing").at("/status/release").asInt()).isEqualTo(2));
        assertThat(page("changing").isMissingNode()).isTrue();
        assertThat(deployment("changing").at("/spec/replicas").asInt()).isEqualTo(3);
        assertThat(job("changing").at("/metadata/uid").asText()).isNotEmpty().isNotEqualTo(hook.asText());
        assertThat(instance("changing").at("/status/revision")).isNotEqualTo(revision);
        eventually(() -> assertThat(ready("changing")).startsWith("True Ready"));
    }

    @Test
    void undoes_what_somebody_else_changes_or_deletes() {
        storefront("drifting", "replicas: 1");
        eventually(() -> assertThat(ready("drifting")).startsWith("True Ready"));
        String uid = charts.get("v1", "Service", "drifting").at("/metadata/uid").asText();

        charts.client()
                .apps()
                .deployments()
                .inNamespace("default")
                .withName("drifting")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"replicas\":4}}");
        charts.client().services().inNamespace("default").withName("drifting").delete();

        eventually(() -> {
            assertThat(deployment("drifting").at("/spec/replicas").asInt()).isEqualTo(1);
            assertThat(charts.get("v1", "Service", "drifting")
                            .at("/metadata/uid")
                            .asText())
                    .isNotEmpty()
                    .isNotEqualTo(uid);
        });
    }

    @Test
    void writes_and_renders_nothing_when_nothing_changes() {
        storefront("quiet", "replicas: 1");
        eventually(() -> assertThat(ready("quiet")).startsWith("True Ready"));
        storefront("after", "replicas: 1");
        eventually(() -> assertThat(ready("after")).startsWith("True Ready"));
        long renderings = charts.renderings();
        charts.writes().clear();

        charts.client()
                .genericKubernetesResources(API_VERSION, "Storefront")
                .inNamespace("default")
                .withName("quiet")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"labels\":{\"touched\":\"1\"}}}");
        storefront("after", "replicas: 2");
        eventually(() ->
                assertThat(instance("after").at("/status/release").asInt()).isEqualTo(2));

        assertThat(charts.renderings()).isEqualTo(renderings + 1);
        assertThat(charts.writes())
                .isNotEmpty()
                .allMatch(write -> write.contains("/after") || write.equals("POST " + JOBS));
    }

    @Test
    void tells_what_does_not_render_and_leaves_all_as_it_was_until_that_is_mended() {
        storefront("broken", "replicas: 1");
        eventually(() -> assertThat(ready("broken")).startsWith("True Ready"));

        storefront("broken", "replicas: 2, image: {tag: ''}");
        eventually(() -> assertThat(ready("broken"))
                .isEqualTo("False RenderFailed execution error at (storefront/templates/deployment.yaml:16:52):"
                        + " image.tag: which version?"));
        assertThat(deployment("broken").at("/spec/replicas").asInt()).isEqualTo(1);
        assertThat(instance("broken").at("/status/observedGeneration").asInt()).isEqualTo(2);

        storefront("broken", "replicas: many");
        eventually(() ->
                assertThat(ready("broken")).startsWith("False RenderFailed").contains("replicas"));

        storefront("broken", "replicas: 2");
        eventually(() -> assertThat(ready("broken")).startsWith("True Ready"));
        assertThat(deployment("broken").at("/spec/replicas").asInt()).isEqualTo(2);
    }

    @Test
    void goes_no_further_than_a_hook_that_has_failed_until_it_is_deleted() {
        charts.write("""
                apiVersion: shop.example.com/v1alpha1
                kind: Storefront
                metadata: {name: stuck, namespace: default}
                spec: {migration: {annotations: {fake-kubelet/run-for: "0", fake-kubelet/exit-code: "3"}}}
                """);
        eventually(() ->
                assertThat(ready("stuck")).startsWith("False HookFailed hook pre-install, Job stuck-migration: "));
        assertThat(deployment("stuck").isEmpty()).isTrue();
        String uid = job("stuck").at("/metadata/uid").asText();

        charts.client()
                .batch()
                .v1()
                .jobs()
                .inNamespace("default")
                .withName("stuck-migration")
                .delete();
        eventually(() -> assertThat(job("stuck").at("/metadata/uid").asText())
                .isNotEmpty()
                .isNotEqualTo(uid));
        eventually(() -> assertThat(ready("stuck")).startsWith("False HookFailed"));
        assertThat(deployment("stuck").isEmpty()).isTrue();

        storefront("stuck", "replicas: 1");
        eventually(() -> assertThat(ready("stuck")).startsWith("True Ready"));
        assertThat(instance("stuck").at("/status/release").asInt()).isEqualTo(1);
    }

    @Test
    void leaves_alone_what_the_selector_does_not_select() {
        charts.write("""
                apiVersion: shop.example.com/v1alpha1
                kind: Storefront
                metadata: {name: other, namespace: default, labels: {shop.example.com/by-hand: "yes"}}
                spec: {}
                """);
        storefront("selected", "replicas: 1");
        eventually(() -> assertThat(ready("selected")).startsWith("True Ready"));
        assertThat(instance("other").has("status")).isFalse();
        assertThat(instance("other").at("/metadata").has("finalizers")).isFalse();
    }

    @Test
    void takes_on_what_the_instance_owns_already_and_leaves_alone_what_is_anothers() {
        String byHand = """
                apiVersion: shop.example.com/v1alpha1
                kind: Storefront
                metadata: {name: %s, namespace: default, labels: {shop.example.com/by-hand: "yes"}}
                spec: {migration: {annotations: {fake-kubelet/run-for: "0"}}, page: {hello: new}}
                """;
        String map = """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: %s-page, namespace: default%s}
                data: {hello: old}
                """;
        charts.write(byHand.formatted("moved"));
        charts.write(byHand.formatted("late"));
        String uid = instance("moved").at("/metadata/uid").asText();
        charts.write(map.formatted(
                "moved",
                ", ownerReferences: [{apiVersion: shop.example.com/v1alpha1, kind: Storefront, name: moved, controller: true, uid: "
                        + uid + "}]"));
        charts.write(map.formatted("late", ""));

        for (String name : List.of("moved", "late")) {
            charts.client()
                    .genericKubernetesResources(API_VERSION, "Storefront")
                    .inNamespace("default")
                    .withName(name)
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"metadata\":{\"labels\":{\"shop.example.com/by-hand\":null}}}");
        }

        eventually(() -> assertThat(ready("moved")).startsWith("True Ready"));
        assertThat(page("moved").path("hello").asText()).isEqualTo("new");
        eventually(() -> assertThat(ready("late")).startsWith("False NotOwned").contains("late-page"));
        assertThat(page("late").path("hello").asText()).isEqualTo("old");
    }

    @Test
    void makes_what_an_instance_cannot_own_and_deletes_it_with_the_instance() {
        charts.write("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: default-thief-reader}
                rules: []
                """);
        storefront("wide", "role: {enabled: true}");
        storefront("thief", "role: {enabled: true}");
        eventually(() -> assertThat(ready("wide")).startsWith("True Ready"));
        assertThat(instance("wide").at("/status/objects/0").asText())
                .isEqualTo("rbac.authorization.k8s.io/v1 ClusterRole /default-wide-reader");
        eventually(() -> assertThat(ready("thief")).startsWith("False NotOwned").contains("default-thief-reader"));

        delete("wide");
        delete("thief");
        eventually(
                () -> assertThat(instance("wide").isEmpty() && instance("thief").isEmpty())
                        .isTrue());
        assertThat(charts.client()
                        .rbac()
                        .clusterRoles()
                        .withName("default-wide-reader")
                        .get())
                .isNull();
        assertThat(charts.client()
                        .rbac()
                        .clusterRoles()
                        .withName("default-thief-reader")
                        .get())
                .isNotNull();
    }

    private void delete(String name) {
        charts.client()
                .genericKubernetesResources(API_VERSION, "Storefront")
                .inNamespace("default")
                .withName(name)
                .delete();
    }

    @Test
    void is_installed_with_a_kind_that_takes_any_values_and_rights_for_what_the_chart_makes() {
        OperatorPart part = charts.definition().declaration().parts().get(0);
        List<String> allowed =
                part.permissions().stream().map(StorefrontTest::text).toList();

        assertThat(part.name()).isEqualTo("storefronts");
        assertThat(allowed)
                .contains(
                        "apps [deployments] [create, get, patch]",
                        "apps [deployments] [delete]",
                        " [configmaps] [create, get, patch]",
                        "batch [jobs] [delete]",
                        "shop.example.com [storefronts/status] [patch]")
                .noneMatch(permission -> permission.contains("[secrets]"));
        JsonNode schema = charts.client()
                .getKubernetesSerialization()
                .convertValue(charts.definition().crds().get(0), JsonNode.class)
                .at("/spec/versions/0/schema/openAPIV3Schema/properties");
        assertThat(charts.definition()
                        .crds()
                        .get(0)
                        .getSpec()
                        .getVersions()
                        .get(0)
                        .getAdditionalPrinterColumns())
                .extracting(CustomResourceColumnDefinition::getName)
                .containsExactly("Ready", "Reason", "Release", "Age");
        assertThat(schema.at("/spec/x-kubernetes-preserve-unknown-fields").asBoolean())
                .isTrue();
        assertThat(schema.at("/spec/properties").isMissingNode()).isTrue();
        assertThat(schema.at("/status/properties/revision/description").asText())
                .startsWith("A hash of what was rendered");
    }

    private static String text(Permission permission) {
        return permission.group() + " " + sorted(permission.resources()) + " " + sorted(permission.verbs());
    }

    private static List<String> sorted(Set<String> words) {
        return words.stream().sorted().toList();
    }
}
