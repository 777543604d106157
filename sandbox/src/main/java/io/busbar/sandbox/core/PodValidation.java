package io.busbar.sandbox.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.syntax.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks the spec of a Pod, or of a template. Any thread. */
final class PodValidation {

    private PodValidation() {}

    static void spec(Causes causes, String path, JsonNode spec) {
        Set<String> volumes = volumes(causes, path + ".volumes", spec.path("volumes"));
        Set<String> names = new HashSet<>();
        if (spec.path("containers").isEmpty()) {
            causes.required(path + ".containers", "");
        }
        containers(
                causes, path + ".containers", spec.path("containers"), volumes, names, ContainerValidation.Role.MAIN);
        containers(
                causes,
                path + ".initContainers",
                spec.path("initContainers"),
                volumes,
                names,
                ContainerValidation.Role.INIT);
        targets(causes, path + ".ephemeralContainers", spec.path("ephemeralContainers"), names);
        containers(
                causes,
                path + ".ephemeralContainers",
                spec.path("ephemeralContainers"),
                volumes,
                names,
                ContainerValidation.Role.EPHEMERAL);
        oneOf(causes, path + ".restartPolicy", spec.path("restartPolicy"), List.of("Always", "OnFailure", "Never"));
        oneOf(
                causes,
                path + ".dnsPolicy",
                spec.path("dnsPolicy"),
                List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"));
        MetadataValidation.labels(causes, path + ".nodeSelector", spec.path("nodeSelector"));
        name(
                causes,
                path + ".serviceAccountName",
                spec.path("serviceAccountName").asText());
        name(causes, path + ".nodeName", spec.path("nodeName").asText());
        JsonNode deadline = spec.path("activeDeadlineSeconds");
        if (deadline.isNumber() && (deadline.asLong() < 1 || deadline.asLong() > Integer.MAX_VALUE)) {
            causes.invalid(path + ".activeDeadlineSeconds", deadline, "must be between 1 and 2147483647, inclusive");
        }
        tolerations(causes, path + ".tolerations", spec.path("tolerations"));
        gates(causes, path + ".readinessGates", spec.path("readinessGates"));
    }

    private static void containers(
            Causes causes,
            String path,
            JsonNode containers,
            Set<String> volumes,
            Set<String> names,
            ContainerValidation.Role role) {
        for (int i = 0; i < Fields.list(containers).size(); i++) {
            new ContainerValidation(causes, path + "[" + i + "]", volumes, role).check(containers.get(i), names);
        }
    }

    /** A container can share the processes of one that is there. */
    private static void targets(Causes causes, String path, JsonNode ephemeral, Set<String> names) {
        for (int i = 0; i < Fields.list(ephemeral).size(); i++) {
            String target = ephemeral.get(i).path("targetContainerName").asText();
            if (!target.isEmpty() && !names.contains(target)) {
                causes.notFound(path + "[" + i + "].targetContainerName", target);
            }
        }
    }

    private static Set<String> volumes(Causes causes, String path, JsonNode volumes) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < Fields.list(volumes).size(); i++) {
            JsonNode volume = volumes.get(i);
            String field = path + "[" + i + "].name";
            String name = volume.path("name").asText();
            if (name.isEmpty()) {
                causes.required(field, "");
            } else {
                causes.invalid(field, name, Names.dnsLabel(name));
            }
            if (!name.isEmpty() && !names.add(name)) {
                causes.duplicate(field, volume.path("name"));
            }
            if (volume.size() > 2) {
                causes.forbidden(path + "[" + i + "]", "may not specify more than 1 volume type");
            }
        }
        return names;
    }

    private static void name(Causes causes, String path, String name) {
        if (!name.isEmpty()) {
            causes.invalid(path, name, Names.dnsSubdomain(name));
        }
    }

    static void oneOf(Causes causes, String path, JsonNode value, List<String> allowed) {
        if (value.asText().isEmpty()) {
            causes.required(path, "");
        } else if (!allowed.contains(value.asText())) {
            causes.unsupported(path, value, allowed);
        }
    }

    private static void tolerations(Causes causes, String path, JsonNode tolerations) {
        for (int i = 0; i < Fields.list(tolerations).size(); i++) {
            JsonNode toleration = tolerations.get(i);
            String at = path + "[" + i + "]";
            String key = toleration.path("key").asText();
            String operator = toleration.path("operator").asText();
            if (!key.isEmpty()) {
                causes.invalid(at + ".key", key, Names.qualifiedName(key));
            } else if (!operator.equals("Exists")) {
                causes.invalid(
                        at + ".operator",
                        toleration.path("operator").asText(),
                        "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
            }
            if (!operator.isEmpty() && !List.of("Equal", "Exists").contains(operator)) {
                causes.unsupported(at + ".operator", toleration.path("operator"), List.of("Equal", "Exists"));
            }
            String effect = toleration.path("effect").asText();
            List<String> effects = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");
            if (!effect.isEmpty() && !effects.contains(effect)) {
                causes.unsupported(at + ".effect", toleration.path("effect"), effects);
            }
        }
    }

    private static void gates(Causes causes, String path, JsonNode gates) {
        for (int i = 0; i < Fields.list(gates).size(); i++) {
            String type = gates.get(i).path("conditionType").asText();
            causes.invalid(path + "[" + i + "].conditionType", type, Names.qualifiedName(type));
        }
    }
}
