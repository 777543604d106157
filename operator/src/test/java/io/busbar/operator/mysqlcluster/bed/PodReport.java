package io.busbar.operator.mysqlcluster.bed;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodIP;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a Node says of a Pod. Immutable.
 *
 * @param phase Pending, Running, Succeeded or Failed
 * @param before containers that are run before it
 * @param others containers that are run beside it
 * @param reason why it has failed, where that is not the container's doing; else empty
 */
record PodReport(
        String phase,
        String podIp,
        String hostIp,
        List<ContainerStatus> before,
        ContainerStatus container,
        List<ContainerStatus> others,
        String reason) {

    /** Puts it into the status, and leaves what others have put there. */
    void into(Pod pod) {
        PodStatus status = pod.getStatus();
        if (status.getStartTime() == null) {
            status.setStartTime(ContainerHistory.now());
        }
        status.setPhase(phase);
        status.setReason(reason.isEmpty() ? null : reason);
        status.setHostIP(hostIp);
        status.setPodIP(podIp);
        status.setPodIPs(List.of(new PodIP(podIp)));
        status.setContainerStatuses(
                pod.getSpec().getContainers().stream().map(this::of).toList());
        status.setInitContainerStatuses(before);
        boolean ready = Boolean.TRUE.equals(container.getReady());
        String notReady = switch (phase) {
            case "Succeeded" -> "PodCompleted";
            case "Failed" -> "PodFailed";
            default -> "ContainersNotReady";
        };
        List<PodCondition> conditions = new ArrayList<>(status.getConditions());
        set(conditions, "Initialized", !phase.equals("Pending") || before.isEmpty(), "ContainersNotInitialized");
        set(conditions, "ContainersReady", ready, notReady);
        set(conditions, "Ready", ready, notReady);
        status.setConditions(conditions);
    }

    /** Sidecars are said to fare as the container that is really run. */
    private ContainerStatus of(Container one) {
        return Stream.concat(Stream.of(container), others.stream())
                .filter(status -> status.getName().equals(one.getName()))
                .findFirst()
                .orElseGet(() -> new ContainerStatusBuilder(container)
                        .withName(one.getName())
                        .withImage(one.getImage())
                        .build());
    }

    private static void set(List<PodCondition> conditions, String type, boolean holds, String reason) {
        String value = holds ? "True" : "False";
        if (conditions.stream()
                .anyMatch(condition -> condition.getType().equals(type)
                        && condition.getStatus().equals(value))) {
            return;
        }
        conditions.removeIf(condition -> condition.getType().equals(type));
        conditions.add(new PodConditionBuilder()
                .withType(type)
                .withStatus(value)
                .withReason(holds ? null : reason)
                .withLastTransitionTime(ContainerHistory.now())
                .build());
    }
}
