package io.busbar.sandbox.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.syntax.Names;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks one container of a Pod. One thread, once. */
final class ContainerValidation {

    enum Role {
        MAIN,
        INIT,
        EPHEMERAL
    }

    private static final List<String> HANDLERS = List.of("exec", "httpGet", "tcpSocket", "grpc", "sleep");
    private static final Set<String> STANDARD_RESOURCES = Set.of("cpu", "memory", "ephemeral-storage");
    private static final Pattern PORT_CHARACTERS = Pattern.compile("[-a-z0-9]+");
    private static final Pattern LETTER = Pattern.compile(".*[a-z].*");

    private final Causes causes;
    private final String path;
    private final Set<String> volumes;
    private final Role role;

    ContainerValidation(Causes causes, String path, Set<String> volumes, Role role) {
        this.causes = causes;
        this.path = path;
        this.volumes = volumes;
        this.role = role;
    }

    /** @param names of the containers so far, to which this one's is added */
    void check(JsonNode container, Set<String> names) {
        JsonNode name = container.path("name");
        if (name.asText().isEmpty()) {
            causes.required(path + ".name", "");
        } else {
            causes.invalid(path + ".name", name.asText(), Names.dnsLabel(name.asText()));
            if (!names.add(name.asText())) {
                causes.duplicate(path + ".name", name);
            }
        }
        String image = container.path("image").asText();
        if (image.isEmpty()) {
            causes.required(path + ".image", "");
        } else if (!image.equals(image.strip())) {
            causes.invalid(path + ".image", image, "must not have leading or trailing whitespace");
        }
        handler(path + ".lifecycle.postStart", container.path("lifecycle").path("postStart"));
        handler(path + ".lifecycle.preStop", container.path("lifecycle").path("preStop"));
        probes(container);
        policies(container);
        ports(container.path("ports"));
        environment(container.path("env"));
        mounts(container.path("volumeMounts"));
        resources(container.path("resources"));
    }

    private void policies(JsonNode container) {
        String message = container.path("terminationMessagePolicy").asText();
        if (message.isEmpty()) {
            causes.required(path + ".terminationMessagePolicy", "must be 'File' or 'FallbackToLogsOnError'");
        } else if (!List.of("File", "FallbackToLogsOnError").contains(message)) {
            causes.invalid(path + ".terminationMessagePolicy", message, "must be 'File' or 'FallbackToLogsOnError'");
        }
        PodValidation.oneOf(
                causes,
                path + ".imagePullPolicy",
                container.path("imagePullPolicy"),
                List.of("Always", "IfNotPresent", "Never"));
    }

    private void probes(JsonNode container) {
        boolean sidecar = container.path("restartPolicy").asText().equals("Always");
        for (String name : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            JsonNode probe = container.path(name);
            if (!probe.isMissingNode()) {
                handler(path + "." + name, probe);
                if (role == Role.INIT && !sidecar) {
                    causes.invalid(path + "." + name, probe, "must not be set for init containers");
                }
                if (!name.equals("readinessProbe")
                        && probe.path("successThreshold").asInt(1) != 1) {
                    causes.invalid(
                            path + "." + name + ".successThreshold", probe.path("successThreshold"), "must be 1");
                }
            }
        }
    }

    private void handler(String at, JsonNode handler) {
        if (handler.isMissingNode()) {
            return;
        }
        int found = 0;
        for (String type : HANDLERS) {
            if (handler.has(type) && ++found > 1) {
                causes.forbidden(at + "." + type, "may not specify more than 1 handler type");
            } else if (type.equals("exec")
                    && handler.has(type)
                    && handler.path(type).path("command").isEmpty()) {
                causes.required(at + ".exec.command", "");
            }
        }
        if (found == 0) {
            causes.required(at, "must specify a handler type");
        }
    }

    private void ports(JsonNode ports) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < Fields.list(ports).size(); i++) {
            JsonNode port = ports.get(i);
            String at = path + ".ports[" + i + "]";
            String name = port.path("name").asText();
            if (!name.isEmpty()) {
                portName(at + ".name", name);
                if (!names.add(name)) {
                    causes.duplicate(at + ".name", port.path("name"));
                }
            }
            int number = port.path("containerPort").asInt();
            if (number == 0) {
                causes.required(at + ".containerPort", "");
            } else if (number < 1 || number > 65_535) {
                causes.invalid(
                        at + ".containerPort", port.path("containerPort"), "must be between 1 and 65535, inclusive");
            }
            PodValidation.oneOf(causes, at + ".protocol", port.path("protocol"), List.of("SCTP", "TCP", "UDP"));
        }
    }

    private void portName(String at, String name) {
        if (name.length() > 15) {
            causes.invalid(at, name, "must be no more than 15 characters");
        }
        if (!PORT_CHARACTERS.matcher(name).matches()) {
            causes.invalid(at, name, "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (!LETTER.matcher(name).matches()) {
            causes.invalid(at, name, "must contain at least one letter or number (a-z, 0-9)");
        }
        if (name.contains("--")) {
            causes.invalid(at, name, "must not contain consecutive hyphens");
        }
        if (name.startsWith("-") || name.endsWith("-")) {
            causes.invalid(at, name, "must not begin or end with a hyphen");
        }
    }

    private void environment(JsonNode variables) {
        for (int i = 0; i < Fields.list(variables).size(); i++) {
            JsonNode variable = variables.get(i);
            String at = path + ".env[" + i + "]";
            String name = variable.path("name").asText();
            if (name.isEmpty()) {
                causes.required(at + ".name", "");
            } else {
                causes.invalid(at + ".name", name, Names.environmentVariable(name));
            }
            JsonNode source = variable.path("valueFrom");
            if (source.isObject() && source.isEmpty()) {
                causes.invalid(
                        at + ".valueFrom",
                        "",
                        "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`");
            } else if (source.isObject() && !variable.path("value").asText().isEmpty()) {
                causes.invalid(at + ".valueFrom", "", "may not be specified when `value` is not empty");
            } else if (source.size() > 1) {
                causes.invalid(at + ".valueFrom", "", "may not have more than one field specified at a time");
            }
        }
    }

    private void mounts(JsonNode mounts) {
        Set<String> paths = new HashSet<>();
        for (int i = 0; i < Fields.list(mounts).size(); i++) {
            String at = path + ".volumeMounts[" + i + "]";
            String name = mounts.get(i).path("name").asText();
            String mountPath = mounts.get(i).path("mountPath").asText();
            if (name.isEmpty()) {
                causes.required(at + ".name", "");
            }
            if (!volumes.contains(name)) {
                causes.notFound(at + ".name", name);
            }
            if (mountPath.isEmpty()) {
                causes.required(at + ".mountPath", "");
            } else if (!paths.add(mountPath)) {
                causes.invalid(at + ".mountPath", mountPath, "must be unique");
            }
        }
    }

    private void resources(JsonNode resources) {
        JsonNode limits = resources.path("limits");
        JsonNode requests = resources.path("requests");
        amounts(path + ".resources.limits", limits);
        for (Map.Entry<String, JsonNode> request : requests.properties()) {
            JsonNode limit = limits.path(request.getKey());
            if (limit.isTextual() && amount(request.getValue()).compareTo(amount(limit)) > 0) {
                causes.invalid(
                        path + ".resources.requests",
                        request.getValue(),
                        "must be less than or equal to " + request.getKey() + " limit");
            }
        }
        amounts(path + ".resources.requests", requests);
    }

    private void amounts(String at, JsonNode amounts) {
        for (Map.Entry<String, JsonNode> entry : amounts.properties()) {
            String field = at + "[" + entry.getKey() + "]";
            if (!entry.getKey().contains("/")
                    && !entry.getKey().startsWith("hugepages-")
                    && !STANDARD_RESOURCES.contains(entry.getKey())) {
                causes.invalid(field, entry.getKey(), "must be a standard resource type or fully qualified");
                causes.invalid(field, entry.getKey(), "must be a standard resource for containers");
            }
            if (amount(entry.getValue()).signum() < 0) {
                causes.invalid(field, entry.getValue(), "must be greater than or equal to 0");
            }
        }
    }

    private static BigDecimal amount(JsonNode amount) {
        return amount instanceof TextNode text
                ? Quantity.parse(text.textValue()).map(Quantity::value).orElse(BigDecimal.ZERO)
                : BigDecimal.ZERO;
    }
}
