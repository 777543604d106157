package io.busbar.operator.sidecarset.validation;

import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What containers must be for a Pod to have them.
 *
 * <p>Pure functions, any thread. Source: core/v1's validation of Pods, as far as a SidecarSet alone can be judged.
 */
final class ContainerRules {

    private ContainerRules() {}

    static void check(Field spec, SidecarSetSpec set) {
        Map<String, Volume> volumes = new HashMap<>();
        set.volumes().forEach(volume -> volumes.put(String.valueOf(volume.getName()), volume));
        Set<String> names = new HashSet<>();
        Set<Object> hostPorts = new HashSet<>();
        spec.<SidecarContainer>each("containers", set.containers(), (at, container) -> {
            check(at, container, names, volumes);
            hostPorts(at, container, hostPorts);
            SidecarRules.container(at, container);
            handlers(at, container);
        });
        spec.<SidecarContainer>each("initContainers", set.initContainers(), (at, container) -> {
            check(at, container, names, volumes);
            at.child("restartPolicy").optionalOneOf(container.getRestartPolicy(), "Always");
            SidecarRules.initContainer(at, container);
            if (container.runsAsNativeSidecar()) {
                handlers(at, container);
            } else {
                noHandlers(at, container);
            }
        });
    }

    private static void check(Field at, Container container, Set<String> names, Map<String, Volume> volumes) {
        at.child("name").text(container.getName(), Names::dnsLabel);
        if (!names.add(String.valueOf(container.getName()))) {
            at.child("name").duplicate(String.valueOf(container.getName()));
        }
        at.child("image")
                .text(
                        container.getImage(),
                        image -> image.equals(image.strip())
                                ? Optional.empty()
                                : Optional.of("must not have leading or trailing whitespace"));
        at.child("terminationMessagePolicy")
                .oneOf(container.getTerminationMessagePolicy(), "File", "FallbackToLogsOnError");
        at.child("imagePullPolicy").oneOf(container.getImagePullPolicy(), "Always", "IfNotPresent", "Never");
        ports(at, container);
        EnvironmentRules.check(at, container);
        MountRules.check(at, container, volumes);
        ResourceRules.check(at, container);
        SecurityRules.check(at.child("securityContext"), container.getSecurityContext());
    }

    private static void ports(Field at, Container container) {
        Set<String> names = new HashSet<>();
        at.<ContainerPort>each("ports", container.getPorts(), (item, port) -> {
            item.child("name").optionalText(port.getName(), Names::port);
            if (port.getName() != null && !port.getName().isEmpty() && !names.add(port.getName())) {
                item.child("name").duplicate(port.getName());
            }
            if (port.getContainerPort() == null) {
                item.child("containerPort").required("");
            }
            item.child("containerPort").between(port.getContainerPort(), 1, 65535);
            item.child("hostPort").between(port.getHostPort(), 1, 65535);
            item.child("protocol").oneOf(port.getProtocol(), "TCP", "UDP", "SCTP");
        });
    }

    /** A port of the host is for one container. */
    private static void hostPorts(Field at, Container container, Set<Object> taken) {
        at.<ContainerPort>each("ports", container.getPorts(), (item, port) -> {
            if (port.getHostPort() != null
                    && !taken.add(port.getHostPort() + "/" + port.getProtocol() + "/"
                            + Objects.requireNonNullElse(port.getHostIP(), ""))) {
                item.child("hostPort").duplicate(port.getHostPort());
            }
        });
    }

    private static void handlers(Field at, Container container) {
        ProbeRules.liveness(at.child("livenessProbe"), container.getLivenessProbe());
        ProbeRules.readiness(at.child("readinessProbe"), container.getReadinessProbe());
        ProbeRules.liveness(at.child("startupProbe"), container.getStartupProbe());
        ProbeRules.lifecycle(at.child("lifecycle"), container.getLifecycle());
    }

    private static void noHandlers(Field at, Container container) {
        Map<String, Optional<?>> handlers = Map.of(
                "lifecycle", Optional.ofNullable(container.getLifecycle()),
                "livenessProbe", Optional.ofNullable(container.getLivenessProbe()),
                "readinessProbe", Optional.ofNullable(container.getReadinessProbe()),
                "startupProbe", Optional.ofNullable(container.getStartupProbe()));
        handlers.entrySet().stream()
                .filter(handler -> handler.getValue().isPresent())
                .map(Map.Entry::getKey)
                .sorted()
                .forEach(field ->
                        at.child(field).forbidden("may not be set for init containers without restartPolicy=Always"));
    }
}
