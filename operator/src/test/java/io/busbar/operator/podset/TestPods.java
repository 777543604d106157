package io.busbar.operator.podset;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;

/** Pods in the states that matter. */
final class TestPods {

    private TestPods() {}

    static Pod pod(String name, String phase, boolean ready) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .withUid("uid-" + name)
                .endMetadata()
                .withNewSpec()
                .withNodeName("node-0")
                .endSpec()
                .withNewStatus()
                .withPhase(phase)
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready ? "True" : "False")
                .endCondition()
                .endStatus()
                .build();
    }

    static Pod running(String name) {
        return pod(name, "Running", true);
    }

    static Pod deleting(Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                .endMetadata()
                .build();
    }
}
