package io.busbar.operator.sidecarset.roll;

import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.pod.HotSlots;
import io.busbar.operator.sidecarset.pod.PodAnnotations;
import io.busbar.operator.sidecarset.pod.SetEntries;
import io.busbar.operator.sidecarset.pod.SetVersion;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Pods that a set was injected into, and the kubelet that runs them. */
final class TestPods {

    static final Instant INJECTED = Instant.parse("2026-03-01T12:00:00Z");

    private TestPods() {}

    /** A Pod in namespace {@code shop}, with label {@code app: web}, that the set was injected into. */
    static Pod injected(String name, SidecarSet set) {
        SetVersion version = SetVersion.of(set);
        List<Container> containers = new ArrayList<>();
        SetEntries working = SetEntries.parse(null);
        Map<String, String> versions = new HashMap<>();
        for (SidecarContainer sidecar : set.getSpec().containers()) {
            if (sidecar.upgradesHot()) {
                HotSlots slots = new HotSlots(sidecar.getName());
                working = slots.with(working, slots.first());
                versions.put(HotSlots.version(slots.first()), "1");
                versions.put(HotSlots.version(slots.second()), "0");
                containers.add(new ContainerBuilder()
                        .withName(slots.first())
                        .withImage(sidecar.getImage())
                        .build());
                containers.add(new ContainerBuilder()
                        .withName(slots.second())
                        .withImage(sidecar.getUpgradeStrategy().hotUpgradeEmptyImage())
                        .build());
                continue;
            }
            containers.add(new ContainerBuilder()
                    .withName(sidecar.getName())
                    .withImage(sidecar.getImage())
                    .build());
        }
        containers.add(new ContainerBuilder().withName("app").withImage("app:1").build());
        SetEntries none = SetEntries.parse(null);
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName(name)
                .withResourceVersion("1")
                .withLabels(Map.of("app", "web"))
                .addToAnnotations(versions)
                .addToAnnotations(PodAnnotations.WORKING_SLOTS, working.toString())
                .addToAnnotations(PodAnnotations.INJECTED_LIST, version.name())
                .addToAnnotations(
                        PodAnnotations.HASH,
                        none.with(version.name(), version.entry(INJECTED).json())
                                .toString())
                .addToAnnotations(
                        PodAnnotations.HASH_WITHOUT_IMAGE,
                        none.with(
                                        version.name(),
                                        version.entryWithoutImage(INJECTED).json())
                                .toString())
                .endMetadata()
                .withNewSpec()
                .withNodeName("node-1")
                .withContainers(containers)
                .endSpec()
                .withNewStatus()
                .withPhase("Pending")
                .endStatus()
                .build();
    }

    /** As a kubelet would report the Pod once it runs what its spec says. */
    static Pod running(Pod pod) {
        return reported(pod, true);
    }

    /** The same, with the Pod not ready. */
    static Pod notReady(Pod pod) {
        return reported(pod, false);
    }

    /** As a kubelet would report it that cannot pull an image. */
    static Pod pullFailed(Pod pod, String container) {
        Pod copy = reported(pod, false);
        copy.getStatus().getContainerStatuses().stream()
                .filter(status -> status.getName().equals(container))
                .forEach(status -> status.setImageID(""));
        return copy;
    }

    private static Pod reported(Pod pod, boolean ready) {
        Pod copy = Yaml.copy(pod);
        copy.getStatus().setPhase("Running");
        copy.getStatus()
                .setContainerStatuses(copy.getSpec().getContainers().stream()
                        .map(container -> new ContainerStatusBuilder()
                                .withName(container.getName())
                                .withImage(container.getImage())
                                .withImageID("test://" + container.getImage())
                                .withReady(ready)
                                .withRestartCount(0)
                                .build())
                        .toList());
        List<PodCondition> conditions = new ArrayList<>(copy.getStatus().getConditions());
        conditions.removeIf(condition -> condition.getType().equals("Ready"));
        conditions.add(new PodConditionBuilder()
                .withType("Ready")
                .withStatus(ready ? "True" : "False")
                .build());
        copy.getStatus().setConditions(conditions);
        return copy;
    }
}
