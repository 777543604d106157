package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Test;

@EndToEnd("sidecarset")
class ValidationIT {

    private final Cluster cluster;

    ValidationIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void stores_defaults_and_hashes() {
        SidecarSet set = cluster.createSet(SidecarSets.oneSidecar("valid-defaults", "example/proxy:1", ""));
        assertThat(set.getSpec().containers().get(0).getPodInjectPolicy()).isEqualTo("BeforeAppContainer");
        assertThat(set.getSpec().updateStrategy().type()).isEqualTo("RollingUpdate");
        assertThat(set.getSpec().updateStrategy().maxUnavailable().getIntVal()).isEqualTo(1);
        assertThat(set.getMetadata().getAnnotations()).containsKeys(SidecarSet.HASH, SidecarSet.HASH_WITHOUT_IMAGE);
    }

    @Test
    void names_field_and_cause_of_what_it_refuses() {
        String noSelector = """
                apiVersion: apps.kruise.io/v1beta1
                kind: SidecarSet
                metadata:
                  name: invalid-no-selector
                spec:
                  containers:
                  - name: proxy
                    image: example/proxy:1
                """;
        KubernetesClientException refused =
                catchThrowableOfType(KubernetesClientException.class, () -> cluster.createSet(noSelector));
        assertThat(refused.getCode()).isEqualTo(422);
        assertThat(refused.getStatus().getMessage()).contains("no selector defined for SidecarSet");
        assertThat(refused.getStatus().getDetails().getCauses())
                .anySatisfy(cause -> assertThat(cause.getField()).isEqualTo("spec.selector"));
    }

    @Test
    void refuses_partition_together_with_selector() {
        String both = SidecarSets.oneSidecar(
                "invalid-strategy",
                "example/proxy:1",
                "updateStrategy:\n  partition: 1\n  selector:\n    matchLabels:\n      a: b\n");
        assertThatThrownBy(() -> cluster.createSet(both))
                .hasMessageContaining("Partition and Selector cannot be used together");
    }

    @Test
    void refuses_a_container_that_another_set_could_inject_too() {
        cluster.createSet(SidecarSets.set("clash", "containers:\n- name: clash-c\n  image: example/c:1\n"));
        String other = SidecarSets.set("clash-2", "containers:\n- name: clash-c\n  image: example/c:1\n")
                .replace("app: clash-2", "app: clash");
        cluster.eventually(() -> assertThatThrownBy(() -> cluster.createSet(other))
                .hasMessageContaining("container clash-c already exist in clash"));
        cluster.createSet(SidecarSets.set("clash-3", "containers:\n- name: clash-c\n  image: example/c:1\n"));
    }

    @Test
    void refuses_to_add_a_container_to_a_set() {
        cluster.createSet(SidecarSets.set("grow", "containers:\n- name: grow-1\n  image: example/c:1\n"));
        String grown = SidecarSets.set(
                "grow", "containers:\n- name: grow-1\n  image: example/c:1\n- name: grow-2\n  image: example/c:1\n");
        assertThatThrownBy(() -> cluster.replaceSet(grown)).hasMessageContaining("container grow-2 is not found");
    }
}
