package io.busbar.manifests.installed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The controls of the restricted Pod Security Standard, all of the baseline's among them, each under its name there.
 *
 * <p>Immutable. Source: Kubernetes' page on Pod Security Standards, for Linux; exceptions for user namespaces are left
 * out.
 */
public final class RestrictedProfile {

    private static final Set<String> VOLUMES = Set.of(
            "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret");

    private static final Set<String> SYSCTLS = Set.of(
            "kernel.shm_rmid_forced",
            "net.ipv4.ip_local_port_range",
            "net.ipv4.ip_unprivileged_port_start",
            "net.ipv4.tcp_syncookies",
            "net.ipv4.ping_group_range",
            "net.ipv4.ip_local_reserved_ports",
            "net.ipv4.tcp_keepalive_time",
            "net.ipv4.tcp_fin_timeout",
            "net.ipv4.tcp_keepalive_intvl",
            "net.ipv4.tcp_keepalive_probes");

    private static final Set<String> SECCOMP = Set.of("RuntimeDefault", "Localhost");
    private static final Set<String> APP_ARMOR = Set.of("RuntimeDefault", "Localhost");
    private static final Set<String> SELINUX_TYPES =
            Set.of("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t");

    private final List<String> violations = new ArrayList<>();

    private RestrictedProfile() {}

    /** The controls that a Pod template breaks. */
    public static List<String> violations(JsonNode template) {
        RestrictedProfile profile = new RestrictedProfile();
        profile.pod(template.path("spec"));
        return profile.violations;
    }

    private void pod(JsonNode pod) {
        JsonNode shared = pod.path("securityContext");
        for (String host : List.of("hostNetwork", "hostPID", "hostIPC")) {
            deny("Host Namespaces", pod.path(host).asBoolean());
        }
        for (JsonNode volume : pod.path("volumes")) {
            volume.fieldNames().forEachRemaining(field -> {
                deny("HostPath Volumes", field.equals("hostPath"));
                deny("Volume Types", !field.equals("name") && !VOLUMES.contains(field));
            });
        }
        for (JsonNode sysctl : shared.path("sysctls")) {
            deny("Sysctls", !SYSCTLS.contains(sysctl.path("name").asText()));
        }
        context(shared);
        containers(pod).forEach(container -> container(container, shared));
    }

    /** What is the same for a Pod and for a container. */
    private void context(JsonNode context) {
        JsonNode selinux = context.path("seLinuxOptions");
        deny("SELinux", !SELINUX_TYPES.contains(selinux.path("type").asText("")));
        deny("SELinux", selinux.has("user") || selinux.has("role"));
        ifPresent(context.at("/appArmorProfile/type"), type -> deny("AppArmor", !APP_ARMOR.contains(type.asText())));
        ifPresent(context.at("/seccompProfile/type"), type -> deny("Seccomp", !SECCOMP.contains(type.asText())));
        deny("HostProcess", context.at("/windowsOptions/hostProcess").asBoolean());
        ifPresent(context.path("runAsUser"), user -> deny("Running as Non-root user", user.asLong() == 0));
        ifPresent(context.path("runAsNonRoot"), nonRoot -> deny("Running as Non-root", !nonRoot.asBoolean()));
    }

    private void container(JsonNode container, JsonNode shared) {
        JsonNode context = container.path("securityContext");
        context(context);
        deny("Privileged Containers", context.path("privileged").asBoolean());
        deny("Privilege Escalation", context.path("allowPrivilegeEscalation").asBoolean(true));
        deny("/proc Mount Type", !context.path("procMount").asText("Default").equals("Default"));
        deny(
                "Running as Non-root",
                !context.has("runAsNonRoot") && !shared.path("runAsNonRoot").asBoolean());
        deny("Seccomp", !context.has("seccompProfile") && !shared.has("seccompProfile"));
        deny("Capabilities", items(context.at("/capabilities/drop")).noneMatch("ALL"::equals));
        deny(
                "Capabilities",
                items(context.at("/capabilities/add")).anyMatch(added -> !added.equals("NET_BIND_SERVICE")));
        for (JsonNode port : container.path("ports")) {
            deny("Host Ports", port.path("hostPort").asInt() != 0);
        }
        for (String hook : List.of("postStart", "preStop")) {
            probeHost(container.path("lifecycle").path(hook));
        }
        for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            probeHost(container.path(probe));
        }
    }

    private void probeHost(JsonNode probe) {
        deny(
                "Host Probes / Lifecycle Hooks",
                !probe.at("/httpGet/host").asText("").isEmpty());
        deny(
                "Host Probes / Lifecycle Hooks",
                !probe.at("/tcpSocket/host").asText("").isEmpty());
    }

    private static Stream<JsonNode> containers(JsonNode pod) {
        return Stream.of("initContainers", "containers", "ephemeralContainers")
                .flatMap(kind -> StreamSupport.stream(pod.path(kind).spliterator(), false));
    }

    private static Stream<String> items(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText);
    }

    private static void ifPresent(JsonNode node, Consumer<JsonNode> check) {
        if (!node.isMissingNode() && !node.isNull()) {
            check.accept(node);
        }
    }

    private void deny(String control, boolean broken) {
        if (broken) {
            violations.add(control);
        }
    }
}
