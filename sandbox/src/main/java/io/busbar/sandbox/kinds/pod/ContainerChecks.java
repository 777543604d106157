package io.busbar.sandbox.kinds.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.sandbox.rules.Check;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import io.busbar.sandbox.syntax.Quantity;
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

    private static final Set<String> STANDARD_RESOURCES = Set.of("cpu", "memory", "ephemeral-storage");
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
    private static final Set<String> QUOTA_NAMES = Set.of(
            "storage",
            "pods",
            "services",
            "replicationcontrollers",
            "resourcequotas",
            "secrets",
            "configmaps",
            "persistentvolumeclaims",
            "services.nodeports",
            "services.loadbalancers");
    private static final Pattern SUBSCRIPT = Pattern.compile("(.+)\\['(.*)'\\]");
    private static final Pattern SYSCTL =
            Pattern.compile("([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?");
    private static final List<String> HOST_PATH_TYPES = List.of(
            "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket");

    private static final List<String> VOLUME_SOURCES = List.of(
            "emptyDir",
            "hostPath",
            "gitRepo",
            "gcePersistentDisk",
            "awsElasticBlockStore",
            "secret",
            "nfs",
            "iscsi",
            "glusterfs",
            "persistentVolumeClaim",
            "rbd",
            "cinder",
            "cephfs",
            "flocker",
            "downwardAPI",
            "fc",
            "azureFile",
            "configMap",
            "vsphereVolume",
            "quobyte",
            "azureDisk",
            "photonPersistentDisk",
            "projected",
            "portworxVolume",
            "scaleIO",
            "storageos",
            "csi",
            "ephemeral",
            "image");

    static final Map<String, Check> ALL = Map.ofEntries(
            Map.entry("image", ContainerChecks::image),
            Map.entry("one", ContainerChecks::one),
            Map.entry("sysctl", ContainerChecks::sysctl),
            Map.entry("sleep", ContainerChecks::sleep),
            Map.entry("resourceField", ContainerChecks::resourceField),
            Map.entry("bidirectional", ContainerChecks::bidirectional),
            Map.entry("restartPolicy", ContainerChecks::restartPolicy),
            Map.entry("target", ContainerChecks::target),
            Map.entry("hostPort", ContainerChecks::hostPort),
            Map.entry("valueFrom", ContainerChecks::valueFrom),
            Map.entry("fieldPath", ContainerChecks::fieldPath),
            Map.entry("envFrom", ContainerChecks::envFrom),
            Map.entry("mounts", ContainerChecks::mounts),
            Map.entry("devices", ContainerChecks::devices),
            Map.entry("headerName", ContainerChecks::headerName),
            Map.entry("resources", ContainerChecks::resources),
            Map.entry("privileged", ContainerChecks::privileged),
            Map.entry("volumeSource", ContainerChecks::volumeSource),
            Map.entry("hostPathType", ContainerChecks::hostPathType),
            Map.entry("sizeLimit", ContainerChecks::sizeLimit));

    private ContainerChecks() {}

    /** A Pod needs one; a container of a template as well, in any kind that makes Pods of it. */
    private static void image(Place container) {
        Place image = container.field("image");
        if (image.isBlank()) {
            image.required();
        } else if (container.path().matches("spec\\.(init)?[cC]ontainers.*")
                && !image.value().asText().equals(image.value().asText().strip())) {
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

    private static void sysctl(Place name) {
        if (!SYSCTL.matcher(name.value().asText()).matches()) {
            name.invalid("must have at most 253 characters and match regex ^" + SYSCTL + "$");
        }
    }

    private static void resourceField(Place resource) {
        String name = resource.value().asText();
        if (!RESOURCE_FIELDS.contains(name) && !name.matches("(limits|requests)\\.hugepages-.*")) {
            resource.unsupported(RESOURCE_FIELDS);
        }
    }

    private static void bidirectional(Place propagation) {
        Place container = propagation.parent().parent();
        if (!container.get("securityContext").path("privileged").asBoolean()) {
            propagation.forbidden("Bidirectional mount propagation is available only to privileged containers");
        }
    }

    private static void one(Place threshold) {
        if (threshold.value().isNumber() && threshold.value().asInt() != 1) {
            threshold.invalid("must be 1");
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

    private static void hostPort(Place port) {
        int number = port.value().asInt();
        if (number < 0 || number > 65_535) {
            port.invalid("must be between 1 and 65535, inclusive");
        }
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

    /** Told of the list of sources, and not of the one. */
    private static void envFrom(Place source) {
        boolean map = source.value().has("configMapRef");
        if (map == source.value().has("secretRef")) {
            source.besides(source.path().replaceFirst("\\[\\d+\\]$", ""))
                    .invalid(
                            "\"\"",
                            map
                                    ? "may not have more than one field specified at a time"
                                    : "must specify one of: `configMapRef` or `secretRef`");
        }
    }

    private static void mounts(Place mounts) {
        Set<String> volumes = PodChecks.volumes(mounts);
        Set<String> paths = new HashSet<>();
        for (Place mount : mounts.each()) {
            if (!volumes.contains(mount.text("name"))) {
                mount.field("name").notFound();
            }
            Place path = mount.field("mountPath");
            if (!path.isBlank() && !paths.add(path.value().asText())) {
                path.invalid("must be unique");
            }
            if (!mount.field("subPath").isBlank() && !mount.field("subPathExpr").isBlank()) {
                mount.field("subPathExpr").invalid("subPathExpr and subPath are mutually exclusive");
            }
        }
    }

    private static void devices(Place devices) {
        Set<String> volumes = PodChecks.volumes(devices);
        Set<String> paths = new HashSet<>();
        for (Place device : devices.each()) {
            if (!volumes.contains(device.text("name"))) {
                device.field("name").notFound();
            }
            Place path = device.field("devicePath");
            if (!path.isBlank() && !paths.add(path.value().asText())) {
                path.invalid("must be unique");
            }
        }
    }

    private static void headerName(Place name) {
        if (!name.value().asText().matches("[-A-Za-z0-9]+")) {
            name.invalid(
                    "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used"
                            + " for validation is '[-A-Za-z0-9]+')");
        }
    }

    private static void resources(Place resources) {
        JsonNode limits = resources.get("limits");
        boolean ofPod = resources.path().endsWith("spec.resources");
        amounts(resources.field("limits"), ofPod);
        amounts(resources.field("requests"), ofPod);
        for (Place request : resources.each("requests")) {
            String name = request.path().replaceFirst(".*\\[(.*)\\]$", "$1");
            JsonNode limit = limits.path(name);
            int more = amount(request.value()).compareTo(amount(limit));
            boolean exact = name.startsWith("hugepages-") || isExtended(name);
            String words = exact ? "must be equal to " : "must be less than or equal to ";
            if (limit.isTextual() && (more > 0 || (exact && more != 0))) {
                resources.field("requests").invalid(request.shown(), words + name + " limit of " + limit.asText());
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
            boolean huge = name.startsWith("hugepages-");
            List<String> complaints = Names.qualifiedName(name);
            amount.invalid(GoText.quote(name), complaints);
            if (ofPod && !huge && !List.of("cpu", "memory").contains(name)) {
                amount.unsupported(GoText.quote(name), List.of("cpu", "hugepages-", "memory"));
            } else if (!name.contains("/") && !huge && !STANDARD_RESOURCES.contains(name)) {
                if (complaints.isEmpty() && !QUOTA_NAMES.contains(name) && !name.matches("(requests|limits)\\..*")) {
                    amount.invalid(GoText.quote(name), "must be a standard resource type or fully qualified");
                }
                amount.invalid(GoText.quote(name), "must be a standard resource for containers");
            }
            BigDecimal value = amount(entry.getValue());
            if (value.signum() < 0) {
                amount.invalid("must be greater than or equal to 0");
            } else if (isExtended(name) && value.stripTrailingZeros().scale() > 0) {
                amount.invalid("must be an integer");
            }
        }
    }

    /** A resource that is nobody's at Kubernetes: whole ones only. */
    private static boolean isExtended(String name) {
        return name.contains("/") && !name.contains("kubernetes.io/");
    }

    static BigDecimal amount(JsonNode amount) {
        return amount instanceof TextNode text
                ? Quantity.parse(text.textValue()).map(Quantity::value).orElse(BigDecimal.ZERO)
                : BigDecimal.ZERO;
    }

    private static void privileged(Place context) {
        boolean keeps = context.get("allowPrivilegeEscalation").isBoolean()
                && !context.get("allowPrivilegeEscalation").asBoolean();
        if (keeps && context.get("privileged").asBoolean()) {
            context.invalid("cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
        }
    }

    /** Each volume has one source: the second is refused, in the order of the kind's fields. */
    private static void volumeSource(Place volume) {
        int found = 0;
        for (String source : VOLUME_SOURCES) {
            if (volume.value().has(source) && ++found > 1) {
                volume.field(source).forbidden("may not specify more than 1 volume type");
            }
        }
        if (found == 0) {
            volume.required("must specify a volume type");
        }
    }

    private static void hostPathType(Place type) {
        if (!HOST_PATH_TYPES.contains(type.value().asText())) {
            type.unsupported(HOST_PATH_TYPES);
        }
    }

    private static void sizeLimit(Place limit) {
        if (amount(limit.value()).signum() < 0) {
            limit.forbidden("SizeLimit field must be a valid resource quantity");
        }
    }
}
