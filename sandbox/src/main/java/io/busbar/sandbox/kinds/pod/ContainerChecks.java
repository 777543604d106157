package io.busbar.sandbox.kinds.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.cel.Quantity;
import io.busbar.sandbox.rules.Check;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.ResourceNames;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is valid of containers and volumes beyond the single field. Any thread. */
final class ContainerChecks {

    private static final Set<String> ENV_FIELDS = Set.of(
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.serviceAccountName",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs");
    private static final Set<String> VOLUME_FIELDS =
            Set.of("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid");
    private static final Set<String> OTHER_FIELDS = Set.of("spec.restartPolicy", "spec.schedulerName", "status.phase");
    private static final List<String> RESOURCE_FIELDS = List.of(
            "limits.cpu",
            "limits.ephemeral-storage",
            "limits.memory",
            "requests.cpu",
            "requests.ephemeral-storage",
            "requests.memory");
    private static final Pattern SUBSCRIPT = Pattern.compile("(.+)\\['(.*)'\\]");
    static final Map<String, Check> ALL = Map.ofEntries(
            Map.entry("image", ContainerChecks::image),
            Map.entry("sleep", ContainerChecks::sleep),
            Map.entry("resourceField", ContainerChecks::resourceField),
            Map.entry("backsteps", ContainerChecks::backsteps),
            Map.entry("divisor", ContainerChecks::divisor),
            Map.entry("bidirectional", ContainerChecks::bidirectional),
            Map.entry("restartPolicy", ContainerChecks::restartPolicy),
            Map.entry("target", ContainerChecks::target),
            Map.entry("valueFrom", ContainerChecks::valueFrom),
            Map.entry("fieldPath", ContainerChecks::fieldPath),
            Map.entry("mounts", mounts -> volumes(mounts, "mountPath")),
            Map.entry("devices", devices -> volumes(devices, "devicePath")),
            Map.entry("resources", ContainerChecks::resources),
            Map.entry("sizeLimit", ContainerChecks::sizeLimit));

    private ContainerChecks() {}

    /** A Pod needs one; a container of a template as well, in any kind that makes Pods of it. */
    private static void image(Place container) {
        Place image = container.field("image");
        if (image.isBlank()) {
            image.required();
        } else if (!image.value().asText().equals(image.value().asText().strip())
                && container.path().matches("spec\\.(init)?[cC]ontainers.*")) {
            image.invalid("must not have leading or trailing whitespace");
        }
    }

    private static void sleep(Place seconds) {
        Place spec = seconds.within(PodChecks.SPEC);
        long most = spec == null ? 0 : spec.get("terminationGracePeriodSeconds").asLong();
        if (seconds.value().asLong() < 0 || seconds.value().asLong() > most) {
            seconds.invalid("must be non-negative and less than terminationGracePeriodSeconds (" + most + ")");
        }
    }

    private static void resourceField(Place resource) {
        String name = resource.value().asText();
        if (!RESOURCE_FIELDS.contains(name) && !name.matches("(limits|requests)\\.hugepages-.*")) {
            resource.unsupported(RESOURCE_FIELDS);
        }
    }

    private static void backsteps(Place path) {
        if (List.of(path.value().asText().split("/", -1)).contains("..")) {
            path.invalid("can not contain backsteps ('..')");
        }
    }

    private static void divisor(Place resource) {
        String name = resource.value().asText();
        String divisor = resource.parent().text("divisor");
        boolean cpu = name.endsWith(".cpu");
        if (!divisor.equals("0") && !divisor.matches(cpu ? "1m?" : "1([kMGTPE]|[KMGTPE]i)?")) {
            String kind = name.contains("ephemeral") ? "local ephemeral storage" : name.replaceFirst("^[a-z]+\\.", "");
            resource.parent()
                    .field("divisor")
                    .invalid(
                            GoText.quote(name),
                            "only divisor's values "
                                    + (cpu ? "1m and 1" : "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei")
                                    + " are supported with the " + kind + " resource");
        }
    }

    private static void bidirectional(Place propagation) {
        Place container = propagation.parent().parent();
        if (!container.get("securityContext").path("privileged").asBoolean()) {
            propagation.forbidden("Bidirectional mount propagation is available only to privileged containers");
        }
    }

    /** An init container that is started again is a sidecar, and may be probed; others may not. */
    private static void restartPolicy(Place container) {
        if (!container.path().contains("initContainers[")
                || container.text("restartPolicy").equals("Always")) {
            return;
        }
        for (String field : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")) {
            if (!container.field(field).isBlank()) {
                container.field(field).forbidden("may not be set for init containers without restartPolicy=Always");
            }
        }
    }

    /** An ephemeral container can share the processes of one that is there. */
    private static void target(Place target) {
        Place spec = target.within(PodChecks.SPEC);
        if (target.isBlank() || spec == null) {
            return;
        }
        for (String list : List.of("containers", "initContainers")) {
            for (JsonNode container : spec.get(list)) {
                if (container.path("name").equals(target.value())) {
                    return;
                }
            }
        }
        target.notFound();
    }

    private static void valueFrom(Place source) {
        if (!source.value().isObject()) {
            return;
        }
        if (source.value().isEmpty()) {
            source.invalid(
                    "\"\"",
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`");
        } else if (!source.parent().text("value").isEmpty()) {
            source.invalid("\"\"", "may not be specified when `value` is not empty");
        } else if (source.value().size() > 1) {
            source.invalid("\"\"", "may not have more than one field specified at a time");
        }
    }

    /** The server first knows a field at all, and then whether it can be had here. */
    private static void fieldPath(Place field) {
        String path = field.value().asText();
        Place reference = field.parent();
        Set<String> here = field.path().contains("volumes[") ? VOLUME_FIELDS : ENV_FIELDS;
        Matcher subscript = SUBSCRIPT.matcher(path);
        String error = null;
        if (!reference.text("apiVersion").equals("v1")) {
            error = "unsupported pod version: " + reference.text("apiVersion");
        } else if (subscript.matches()) {
            boolean labels = subscript.group(1).equals("metadata.labels");
            if (labels || subscript.group(1).equals("metadata.annotations")) {
                String key = labels ? subscript.group(2) : subscript.group(2).toLowerCase(Locale.ROOT);
                reference.invalid(GoText.quote(key), Names.qualifiedName(key));
            } else {
                error = "field label does not support subscript: " + path;
            }
        } else if (!ENV_FIELDS.contains(path) && !VOLUME_FIELDS.contains(path) && !OTHER_FIELDS.contains(path)) {
            error = "field label not supported: " + path;
        } else if (!here.contains(path)) {
            field.unsupported(new TreeSet<>(here));
        }
        if (error != null) {
            field.invalid("error converting fieldPath: " + error);
        }
    }

    /** Each is of a volume of the Pod, at a place of its own. */
    private static void volumes(Place uses, String at) {
        Set<String> volumes = PodChecks.volumes(uses);
        Set<String> paths = new HashSet<>();
        Set<String> names = new HashSet<>();
        for (Place use : uses.each()) {
            if (at.equals("devicePath") && !names.add(use.text("name"))) {
                use.field("name").invalid("must be unique");
            }
            if (!volumes.contains(use.text("name"))) {
                use.field("name").notFound();
            }
            Place path = use.field(at);
            if (!path.isBlank() && !paths.add(path.value().asText())) {
                path.invalid("must be unique");
            }
            String other = at.equals("mountPath") ? "volumeDevices" : "volumeMounts";
            for (Place device : uses.parent().each(other)) {
                if (device.text("name").equals(use.text("name"))) {
                    use.field("name").invalid("must not already exist in " + other);
                }
                if (device.text(at.equals("mountPath") ? "devicePath" : "mountPath")
                        .equals(use.text(at))) {
                    path.invalid("must not already exist as a path in " + other);
                }
            }
        }
    }

    private static void resources(Place resources) {
        JsonNode limits = resources.get("limits");
        boolean ofPod = resources.path().endsWith("spec.resources");
        Place requests = resources.field("requests");
        amounts(resources.field("limits"), ofPod);
        amounts(requests, ofPod);
        for (Map.Entry<String, JsonNode> entry : requests.value().properties()) {
            String name = entry.getKey();
            Place request = requests.entry(name);
            JsonNode limit = limits.path(name);
            int more = amount(request.value()).compareTo(amount(limit));
            boolean exact = !ResourceNames.mayBeOvercommitted(name);
            String words = exact ? "must be equal to " : "must be less than or equal to ";
            if (limit.isTextual() && (more > 0 || (exact && more != 0))) {
                requests.invalid(request.shown(), words + name + " limit of " + limit.asText());
            } else if (exact && !limit.isTextual()) {
                resources.field("limits").required("Limit must be set for non overcommitable resources");
            }
        }
        String all = limits.toString() + resources.get("requests");
        if (all.contains("\"hugepages-") && !all.contains("\"cpu\"") && !all.contains("\"memory\"")) {
            resources.forbidden("HugePages require cpu or memory");
        }
    }

    private static void amounts(Place amounts, boolean ofPod) {
        for (Map.Entry<String, JsonNode> entry : amounts.value().properties()) {
            String name = entry.getKey();
            Place amount = amounts.entry(name);
            if (ofPod
                    && !ResourceNames.isHugePages(name)
                    && !List.of("cpu", "memory").contains(name)) {
                amount.invalid(GoText.quote(name), Names.qualifiedName(name));
                amount.unsupported(GoText.quote(name), List.of("cpu", "hugepages-", "memory"));
            } else {
                ResourceNames.checkOfContainer(amount, name);
            }
            BigDecimal value = amount(entry.getValue());
            if (value.signum() < 0) {
                amount.invalid("must be greater than or equal to 0");
            } else if (ResourceNames.isExtended(name)
                    && value.stripTrailingZeros().scale() > 0) {
                amount.invalid("must be an integer");
            }
        }
    }

    static BigDecimal amount(JsonNode amount) {
        return amount instanceof TextNode text
                ? Quantity.parse(text.textValue()).map(Quantity::value).orElse(BigDecimal.ZERO)
                : BigDecimal.ZERO;
    }

    private static void sizeLimit(Place limit) {
        if (amount(limit.value()).signum() < 0) {
            limit.forbidden("SizeLimit field must be a valid resource quantity");
        }
    }
}
