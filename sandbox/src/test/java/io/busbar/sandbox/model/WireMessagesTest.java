package io.busbar.sandbox.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class WireMessagesTest {

    private static final Set<String> HEAD = Set.of("apiVersion", "kind");

    /** Fields newer than 1.32, whose numbers are not known here: a client that sends them so loses them. */
    private static final Set<String> UNNUMBERED = Set.of(
            "apiextensions.v1.CustomResourceDefinitionCondition.observedGeneration",
            "apiextensions.v1.CustomResourceDefinitionStatus.observedGeneration",
            "apps.v1.DeploymentStatus.terminatingReplicas",
            "apps.v1.ReplicaSetStatus.terminatingReplicas",
            "autoscaling.v2.HPAScalingRules.tolerance",
            "core.v1.Container.restartPolicyRules",
            "core.v1.ContainerStatus.stopSignal",
            "core.v1.EnvVarSource.fileKeyRef",
            "core.v1.EphemeralContainer.restartPolicyRules",
            "core.v1.Lifecycle.stopSignal",
            "core.v1.NodeStatus.declaredFeatures",
            "core.v1.NodeSystemInfo.swap",
            "core.v1.PodCondition.observedGeneration",
            "core.v1.PodSpec.hostnameOverride",
            "core.v1.PodSpec.schedulingGroup",
            "core.v1.PodStatus.allocatedResources",
            "core.v1.PodStatus.extendedResourceClaimStatus",
            "core.v1.PodStatus.nodeAllocatableResourceClaimStatuses",
            "core.v1.PodStatus.observedGeneration",
            "core.v1.PodStatus.resources",
            "core.v1.ResourceHealth.message",
            "core.v1.VolumeMountStatus.volumeStatus",
            "core.v1.VolumeProjection.podCertificate",
            "discovery.v1.EndpointHints.forNodes",
            "storage.v1.CSIDriverSpec.nodeAllocatableUpdatePeriodSeconds",
            "storage.v1.CSIDriverSpec.preventPodSchedulingIfMissing",
            "storage.v1.CSIDriverSpec.serviceAccountTokenInSecrets");

    @Test
    void fields_are_called_as_kubernetes_publishes_them() {
        Set<String> missing = new TreeSet<>();
        for (String message : WireMessages.names()) {
            Type type = Type.find(message);
            if (type != null) {
                Set<String> numbered = WireMessages.named(message).keySet();
                assertThat(type.fields().keySet()).as(message).containsAll(numbered);
                type.fields().keySet().stream()
                        .filter(field -> !numbered.contains(field) && !HEAD.contains(field))
                        .forEach(field -> missing.add(message + "." + field));
            }
        }
        assertThat(missing).containsExactlyInAnyOrderElementsOf(UNNUMBERED);
    }
}
