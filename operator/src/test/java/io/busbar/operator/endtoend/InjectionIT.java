package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.List;
import org.junit.jupiter.api.Test;

@EndToEnd("sidecarset")
class InjectionIT {

    private final Cluster cluster;

    InjectionIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void leaves_a_pod_alone_that_no_set_matches() {
        cluster.createSet(SidecarSets.oneSidecar("inject-other", "example/proxy:1", ""));
        Pod pod = cluster.createPod("inject-none", "nobody");
        assertThat(names(pod)).containsExactly("app");
        assertThat(pod.getMetadata().getAnnotations()).doesNotContainKey("kruise.io/sidecarset-injected-list");
    }

    @Test
    void puts_sidecars_before_and_behind_the_pods_own_containers() {
        cluster.createSet(SidecarSets.set("inject-order", """
                containers:
                - name: dns-f
                  image: example/dns:1
                  podInjectPolicy: BeforeAppContainer
                - name: log-agent
                  image: example/log:1
                  podInjectPolicy: AfterAppContainer
                """));
        Pod pod = cluster.createPod("inject-order", "inject-order");
        assertThat(names(pod)).containsExactly("dns-f", "app", "log-agent");
        assertThat(pod.getMetadata().getAnnotations())
                .containsEntry("kruise.io/sidecarset-injected-list", "inject-order");
        for (Container container : pod.getSpec().getContainers()) {
            boolean injected = !container.getName().equals("app");
            assertThat(container.getEnv().stream().map(EnvVar::getName).anyMatch("IS_INJECTED"::equals))
                    .as("IS_INJECTED in %s", container.getName())
                    .isEqualTo(injected);
        }
    }

    @Test
    void replaces_what_is_there_when_a_pod_comes_injected_already() {
        cluster.createSet(SidecarSets.oneSidecar("inject-again", "example/proxy:1", ""));
        Pod first = cluster.createPod("inject-again-1", "inject-again");
        Pod copy = new PodBuilder(first)
                .editMetadata()
                .withName("inject-again-2")
                .withUid(null)
                .withResourceVersion(null)
                .endMetadata()
                .editSpec()
                .withNodeName(null)
                .endSpec()
                .withStatus(null)
                .build();
        Pod second = cluster.client().resource(copy).create();
        assertThat(names(second)).isEqualTo(names(first));
        assertThat(second.getMetadata().getAnnotations().get("kruise.io/sidecarset-injected-list"))
                .isEqualTo("inject-again");
    }

    @Test
    void sorts_init_containers_by_name_behind_the_pods_own() {
        cluster.createSet(SidecarSets.set("inject-init", """
                initContainers:
                - name: init-2
                  image: example/init:2
                - name: init-1
                  image: example/init:1
                """));
        Pod pod = cluster.create(
                Pod.class,
                SidecarSets.pod(cluster.namespace(), "inject-init", "inject-init")
                        + "  initContainers:\n  - name: init-0\n    image: example/init:0\n");
        assertThat(pod.getSpec().getInitContainers().stream().map(Container::getName))
                .containsExactly("init-0", "init-1", "init-2");
    }

    @Test
    void adds_only_volumes_that_a_sidecar_mounts_and_each_pull_secret_once() {
        cluster.createSet(SidecarSets.set("inject-volumes", """
                containers:
                - name: reader
                  image: example/reader:1
                  volumeMounts:
                  - name: used
                    mountPath: /data
                volumes:
                - name: used
                  emptyDir: {}
                - name: unused
                  emptyDir: {}
                imagePullSecrets:
                - name: s2
                - name: s3
                - name: s3
                """));
        Pod pod = cluster.create(
                Pod.class,
                SidecarSets.pod(cluster.namespace(), "inject-volumes", "inject-volumes")
                        + "  imagePullSecrets:\n  - name: s0\n  - name: s1\n  - name: s2\n");
        List<String> volumes =
                pod.getSpec().getVolumes().stream().map(Volume::getName).toList();
        assertThat(volumes).contains("used").doesNotContain("unused");
        assertThat(pod.getSpec().getImagePullSecrets().stream().map(LocalObjectReference::getName))
                .containsExactly("s0", "s1", "s2", "s3");
    }

    @Test
    void injects_nothing_while_injection_is_paused() {
        SidecarSet paused = cluster.createSet(
                SidecarSets.oneSidecar("inject-paused", "example/proxy:1", "injectionStrategy:\n  paused: true\n"));
        assertThat(names(cluster.createPod("inject-paused-1", "inject-paused"))).containsExactly("app");
        cluster.replaceSet(SidecarSets.oneSidecar(paused.getMetadata().getName(), "example/proxy:1", ""));
        assertThat(names(cluster.createPod("inject-paused-2", "inject-paused")))
                .containsExactly("inject-paused-proxy", "app");
    }

    @Test
    void honours_the_namespace_of_a_set() {
        cluster.createSet(SidecarSets.oneSidecar(
                "inject-elsewhere",
                "example/proxy:1",
                "namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}}\n"));
        assertThat(names(cluster.createPod("inject-elsewhere", "inject-elsewhere")))
                .containsExactly("app");
    }

    private static List<String> names(Pod pod) {
        return pod.getSpec().getContainers().stream().map(Container::getName).toList();
    }
}
