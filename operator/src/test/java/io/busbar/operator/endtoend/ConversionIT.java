package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** SidecarSets in both versions. */
@EndToEnd("sidecarset")
class ConversionIT {

    private static final String CUSTOM_VERSION = io.busbar.operator.sidecarset.v1alpha1.SidecarSet.CUSTOM_VERSION;

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
        String beta = SidecarSets.oneSidecar("beta", "example/proxy:1", """
                        customVersion: v7
                        namespaceSelector:
                          matchLabels:
                            kubernetes.io/metadata.name: %s
                        """.formatted(cluster.namespace()))
                .replace("v1alpha1", "v1beta1");
        SidecarSet created = cluster.create(SidecarSet.class, beta);

        assertThat(created.getSpec().customVersion()).isEqualTo("v7");
        assertThat(created.getMetadata().getAnnotations()).containsKey("kruise.io/sidecarset-hash");
        assertThat(cluster.set("beta").getMetadata().getLabels()).containsEntry(CUSTOM_VERSION, "v7");
        assertThat(cluster.set("beta").getSpec().namespaceSelector())
                .isEqualTo(created.getSpec().namespaceSelector());
        cluster.eventually(() -> assertThat(cluster.set("beta").getStatus()).isNotNull());
        Pod pod = cluster.createPod("beta", "beta");
        assertThat(pod.getSpec().getContainers()).hasSize(2);
        cluster.eventually(
                () -> assertThat(beta("beta").getStatus().matchedPods()).isEqualTo(1));
    }

    @Test
    void shows_a_set_that_is_written_as_v1alpha1_as_v1beta1_and_loses_nothing_when_it_is_changed_there() {
        cluster.createSet(SidecarSets.oneSidecar("alpha", "example/proxy:1", "namespace: default\n"));

        SidecarSet beta = beta("alpha");
        assertThat(beta.getSpec().namespaceSelector().getMatchLabels())
                .containsEntry("kubernetes.io/metadata.name", "default");
        cluster.patch(beta, "{\"spec\":{\"customVersion\":\"v8\",\"revisionHistoryLimit\":3}}");

        assertThat(cluster.set("alpha").getSpec().namespace()).isEqualTo("default");
        assertThat(cluster.set("alpha").getSpec().namespaceSelector()).isNull();
        assertThat(cluster.set("alpha").getSpec().revisionHistoryLimit()).isEqualTo(3);
        assertThat(cluster.set("alpha").getMetadata().getLabels()).containsEntry(CUSTOM_VERSION, "v8");
        assertThat(cluster.set("alpha").getMetadata().getAnnotations().keySet())
                .noneMatch(name -> name.startsWith("conversion.busbar.io/"));
        assertThat(names(SidecarSet.class))
                .contains("alpha")
                .isEqualTo(names(io.busbar.operator.sidecarset.v1alpha1.SidecarSet.class));
    }

    private SidecarSet beta(String name) {
        return cluster.client().resources(SidecarSet.class).withName(name).require();
    }

    private <T extends HasMetadata> List<String> names(Class<T> type) {
        return cluster.client().resources(type).list().getItems().stream()
                .map(set -> set.getMetadata().getName())
                .toList();
    }
}
