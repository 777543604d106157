package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.bundled.DeclaredParts;
import io.busbar.operator.podbugger.PodbuggertoolBundle;
import io.busbar.operator.podbugger.v1beta1.Podbuggertool;
import io.busbar.operator.podbugger.v1beta1.PodbuggertoolStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.EphemeralContainer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@EndToEnd("podbugger")
class PodbuggertoolIT {

    private final Cluster cluster;

    PodbuggertoolIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void puts_its_container_into_pods_that_are_there_and_into_new_ones() {
        cluster.createPod("both-1", "both");
        create("both", "{label: app=both, image: busybox:1}");
        installed("both", 1, 1);
        cluster.createPod("both-2", "both");
        installed("both", 2, 2);

        EphemeralContainer container = containers("both-2").get(0);
        assertThat(container.getName()).matches("debug-both-[0-9a-f]{8}");
        assertThat(container.getImage()).isEqualTo("busybox:1");
        assertThat(container.getCommand()).containsExactly("sh");
        assertThat(container.getStdin()).isTrue();
        assertThat(container.getTty()).isTrue();
    }

    @Test
    void a_label_that_comes_later_counts() {
        Pod pod = cluster.createPod("later", "none");
        create("later", "{label: tier=web, image: busybox:1}");
        installed("later", 0, 0);

        cluster.patch(pod, "{\"metadata\":{\"labels\":{\"tier\":\"web\"}}}");
        installed("later", 1, 1);
    }

    @Test
    void waits_until_a_pod_is_ready() {
        Pod pod = cluster.create(
                Pod.class,
                SidecarSets.pod(cluster.namespace(), "unready", "unready")
                        .replace("metadata:\n", "metadata:\n  annotations: {fake-kubelet/ready: \"false\"}\n"));
        create("unready", "{label: app=unready, image: busybox:1}");
        installed("unready", 0, 1);
        assertThat(containers("unready")).isEmpty();
        assertThat(ready("unready").getReason()).isEqualTo("Installing");

        cluster.annotate(pod, "fake-kubelet/ready", "true");
        installed("unready", 1, 1);
    }

    @Test
    void two_tools_share_a_pod_with_what_others_put_there() {
        cluster.createPod("shared", "shared");
        addByHand("shared", "mine", "curl:8");
        create("first", "{label: app=shared, image: busybox:1}");
        installed("first", 1, 1);
        create("second", "{label: app=shared, image: alpine:3, command: [ash, -l], targetContainerName: app}");
        installed("second", 1, 1);

        assertThat(containers("shared"))
                .extracting(EphemeralContainer::getImage)
                .containsExactlyInAnyOrder("curl:8", "busybox:1", "alpine:3");
        assertThat(containers("shared"))
                .filteredOn(container -> container.getImage().equals("alpine:3"))
                .singleElement()
                .satisfies(container -> {
                    assertThat(container.getCommand()).containsExactly("ash", "-l");
                    assertThat(container.getTargetContainerName()).isEqualTo("app");
                });
    }

    @Test
    void another_image_is_added_and_the_first_stays() {
        cluster.createPod("image", "image");
        Podbuggertool tool = create("image", "{label: app=image, image: busybox:1}");
        installed("image", 1, 1);

        cluster.patch(tool, "{\"spec\":{\"image\":\"busybox:2\"}}");
        cluster.eventually(() -> assertThat(containers("image"))
                .extracting(EphemeralContainer::getImage)
                .containsExactlyInAnyOrder("busybox:1", "busybox:2"));
    }

    @Test
    void a_restarted_operator_adds_nothing_twice() {
        cluster.createPod("restart-1", "restart");
        Pod second = cluster.createPod("restart-2", "other");
        create("restart", "{label: app=restart, image: busybox:1}");
        installed("restart", 1, 1);
        cluster.running().stopOperator();
        try {
            cluster.patch(second, "{\"metadata\":{\"labels\":{\"app\":\"restart\"}}}");
        } finally {
            cluster.running().startOperator();
        }

        installed("restart", 2, 2);
        assertThat(containers("restart-1")).hasSize(1);
        assertThat(containers("restart-2")).hasSize(1);
    }

    @Test
    void other_namespaces_are_touched_only_when_asked_for() {
        cluster.createPod("here", "here");
        create("narrow", "default", "{label: app=here, image: busybox:1}");
        create("wide", "default", "{label: app=here, image: alpine:3, allNamespaces: true}");

        cluster.eventually(() -> assertThat(containers("here")).isNotEmpty());
        cluster.eventually(() -> {
            PodbuggertoolStatus narrow = cluster.client()
                    .resources(Podbuggertool.class)
                    .inNamespace("default")
                    .withName("narrow")
                    .require()
                    .getStatus();
            assertThat(narrow).isNotNull();
            assertThat(narrow.matchedPods()).isZero();
        });
        assertThat(containers("here")).extracting(EphemeralContainer::getImage).containsExactly("alpine:3");
    }

    @Test
    void says_why_a_pod_refuses_it_and_goes_on_with_the_others() {
        cluster.createPod("refused", "refused");
        create("refused", "{label: app=refused, image: busybox:1, targetContainerName: nobody}");

        cluster.eventually(() -> {
            assertThat(ready("refused").getReason()).isEqualTo("Refused");
            assertThat(ready("refused").getMessage()).contains("Pod " + cluster.namespace() + "/refused", "nobody");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "app, must be key=value",
        "a b=c, the key must be a qualified name",
        "app=-x, the value must be a label's",
    })
    void refuses_labels_that_no_pod_can_have(String label, String problem) {
        KubernetesClientException refusal = catchThrowableOfType(
                KubernetesClientException.class, () -> create("bad", "{label: '" + label + "', image: busybox:1}"));

        assertThat(refusal.getCode()).isEqualTo(422);
        assertThat(refusal.getMessage()).contains("spec.label: Invalid value: \"" + label + "\"", problem);
    }

    @Test
    void refuses_changes_that_could_not_reach_pods() {
        Podbuggertool tool = create("fixed", "{label: app=fixed, image: busybox:1}");

        KubernetesClientException refusal = catchThrowableOfType(
                KubernetesClientException.class,
                () -> cluster.patch(tool, "{\"spec\":{\"label\":\"app=other\",\"command\":[\"ash\"]}}"));
        assertThat(refusal.getCode()).isEqualTo(422);
        assertThat(refusal.getMessage()).contains("spec.label", "spec.command", "cannot be changed");
    }

    @Test
    void the_sample_is_taken() {
        String sample =
                DeclaredParts.of(new PodbuggertoolBundle()).samples().get(0).yaml();
        cluster.create(
                Podbuggertool.class,
                sample.replace("metadata:\n", "metadata:\n  namespace: " + cluster.namespace() + "\n"));
        cluster.createPod("sampled", "shop");

        installed("podbuggertool-sample", 1, 1);
    }

    private Podbuggertool create(String name, String spec) {
        return create(name, cluster.namespace(), spec);
    }

    private Podbuggertool create(String name, String namespace, String spec) {
        return cluster.create(Podbuggertool.class, """
                apiVersion: ualter.com/v1beta1
                kind: Podbuggertool
                metadata: {name: %s, namespace: %s}
                spec: %s
                """.formatted(name, namespace, spec));
    }

    private void installed(String tool, int installed, int matched) {
        cluster.eventually(() -> {
            PodbuggertoolStatus status = cluster.get(Podbuggertool.class, tool).getStatus();
            assertThat(status).as("status of %s", tool).isNotNull();
            assertThat(List.of(status.installed(), status.matchedPods()))
                    .as("installed and matched of %s", tool)
                    .containsExactly(installed, matched);
        });
    }

    private Condition ready(String tool) {
        PodbuggertoolStatus status = cluster.get(Podbuggertool.class, tool).getStatus();
        assertThat(status).as("status of %s", tool).isNotNull();
        return Conditions.find(status.conditions(), PodbuggertoolStatus.READY).orElseThrow();
    }

    /** As kubectl debug does it, in the shape of the cluster's release; again where the kubelet came in between. */
    private void addByHand(String pod, String name, String image) {
        String list = "{\"ephemeralContainers\":[{\"name\":\"" + name + "\",\"image\":\"" + image + "\"}]}";
        String minor = cluster.client().getKubernetesVersion().getMinor();
        boolean older = Integer.parseInt(minor.replaceAll("\\D.*", "")) < 23;
        cluster.eventually(() -> cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withName(pod)
                .ephemeralContainers()
                .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), older ? list : "{\"spec\":" + list + "}"));
    }

    private List<EphemeralContainer> containers(String pod) {
        return cluster.get(Pod.class, pod).getSpec().getEphemeralContainers();
    }
}
