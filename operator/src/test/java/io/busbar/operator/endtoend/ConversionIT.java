package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.operator.sidecarset.v1alpha1.SidecarSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** SidecarSets in both versions. */
@EndToEnd("sidecarset")
class ConversionIT {

    private static final String CUSTOM_VERSION = io.busbar.operator.sidecarset.v1beta1.SidecarSet.CUSTOM_VERSION;

    private final Cluster cluster;

    ConversionIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void serves_both_versions_once_the_operator_runs() {
        cluster.eventually(() -> assertThat(names(SidecarSet.class)).isNotNull());
    }

    @Test
    void injects_a_set_that_is_written_as_v1beta1_and_shows_it_as_v1alpha1() {
        var created = cluster.createSet(
                SidecarSets.oneSidecar("beta", "example/proxy:1", """
                        customVersion: v7
                        namespaceSelector:
                          matchLabels:
                            kubernetes.io/metadata.name: %s
                        """.formatted(cluster.namespace())));

        assertThat(alpha("beta").getMetadata().getLabels()).containsEntry(CUSTOM_VERSION, "v7");
        assertThat(alpha("beta").getSpec().namespaceSelector())
                .isEqualTo(created.getSpec().namespaceSelector());
        Pod pod = cluster.createPod("beta", "beta");
        assertThat(pod.getSpec().getContainers()).hasSize(2);
        cluster.eventually(
                () -> assertThat(alpha("beta").getStatus().matchedPods()).isEqualTo(1));
    }

    @Test
    void injects_a_set_that_is_written_as_v1alpha1_and_loses_nothing_when_it_is_changed_as_v1beta1() {
        SidecarSet created = cluster.create(SidecarSet.class, alphaYaml("alpha", "namespace: " + cluster.namespace()));

        assertThat(created.getMetadata().getAnnotations()).containsKey("kruise.io/sidecarset-hash");
        assertThat(created.getSpec().namespace()).isEqualTo(cluster.namespace());
        assertThat(cluster.set("alpha").getSpec().namespaceSelector().getMatchLabels())
                .containsOnly(Map.entry("kubernetes.io/metadata.name", cluster.namespace()));
        cluster.awaitObserved("alpha");
        assertThat(cluster.createPod("alpha", "alpha").getSpec().getContainers())
                .hasSize(2);
        cluster.patch(cluster.set("alpha"), "{\"spec\":{\"customVersion\":\"v8\",\"revisionHistoryLimit\":3}}");

        assertThat(alpha("alpha").getSpec().namespace()).isEqualTo(cluster.namespace());
        assertThat(alpha("alpha").getSpec().namespaceSelector()).isNull();
        assertThat(alpha("alpha").getSpec().revisionHistoryLimit()).isEqualTo(3);
        assertThat(alpha("alpha").getMetadata().getLabels()).containsEntry(CUSTOM_VERSION, "v8");
        assertThat(alpha("alpha").getMetadata().getAnnotations().keySet())
                .noneMatch(name -> name.startsWith("conversion.busbar.io/"));
        assertThat(names(SidecarSet.class))
                .contains("alpha")
                .isEqualTo(names(io.busbar.operator.sidecarset.v1beta1.SidecarSet.class));
    }

    @Test
    void refuses_a_namespace_that_cannot_be_one_by_the_field_its_author_wrote() {
        assertThatThrownBy(() -> cluster.create(SidecarSet.class, alphaYaml("odd", "namespace: A_b")))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("spec.namespace: Invalid value: \"A_b\"");
    }

    @Test
    void has_all_sets_stored_in_the_version_that_is_stored_now() {
        cluster.eventually(() -> {
            CustomResourceDefinition definition = cluster.client()
                    .apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName("sidecarsets.apps.kruise.io")
                    .require();
            String stored = definition.getSpec().getVersions().stream()
                    .filter(CustomResourceDefinitionVersion::getStorage)
                    .map(CustomResourceDefinitionVersion::getName)
                    .findFirst()
                    .orElseThrow();
            assertThat(definition.getStatus().getStoredVersions()).containsExactly(stored);
        });
    }

    private SidecarSet alpha(String name) {
        return cluster.client().resources(SidecarSet.class).withName(name).require();
    }

    private static String alphaYaml(String name, String spec) {
        return SidecarSets.oneSidecar(name, "example/proxy:1", spec + "\n").replace("v1beta1", "v1alpha1");
    }

    private <T extends HasMetadata> List<String> names(Class<T> type) {
        return cluster.client().resources(type).list().getItems().stream()
                .map(set -> set.getMetadata().getName())
                .toList();
    }
}
