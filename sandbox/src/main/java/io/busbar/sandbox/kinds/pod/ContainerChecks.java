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
import java.util.Map;
import java.util.Set;
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
    private static final Pattern SUBSCRIPT = Pattern.compile("metadata\\.(labels|annotations)\\['.+'\\]");
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
            Map.entry("restartPolicy", ContainerChecks::restartPolicy),
            Map.entry("target", ContainerChecks::target),
            Map.entry("hostPort", ContainerChecks::hostPort),
            Map.entry("valueFrom", ContainerChecks::valueFrom),
            Map.entry("fieldPath", ContainerChecks::fieldPath),
            Map.entry("envFrom", ContainerChecks::envFrom),
            Map.entry("mounts", ContainerChecks::mounts),
            Map.entry("devices", ContainerChecks::devices),
            Map.entry("subPath", ContainerChecks::subPath),
            Map.entry("headerName", ContainerChecks::headerName),
            Map.entry("resources", ContainerChecks::resources),
            Map.entry("privileged", ContainerChecks::privileged),
            Map.entry("localhostProfile", ContainerChecks::localhostProfile),
            Map.entry("seccompFile", ContainerChecks::seccompFile),
            Map.entry("volumeSource", ContainerChecks::volumeSource),
            Map.entry("hostPathType", ContainerChecks::hostPathType),
            Map.entry("sizeLimit", ContainerChecks::sizeLimit));

    private ContainerChecks() {}

    /** A Pod needs one; a container of a template as well, in any kind that makes Pods of it. */
    private static void image(Place container) {
        Place image = container.field("image");
        if (image.isBlank()) {
            image.required();
        } else if (!image.value().asText().equals(image.value().asText().strip())) {
            image.invalid("must not have leading or trailing whitespace");
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

    private static void fieldPath(Place field) {
        String path = field.value().asText();
        if (!ENV_FIELDS.contains(path) && !SUBSCRIPT.matcher(path).matches()) {
            field.invalid("error converting fieldPath: field label not supported: " + path);
        }
    }

    private static void envFrom(Place source) {
        boolean map = source.value().has("configMapRef");
        boolean secret = source.value().has("secretRef");
        if (map == secret) {
            source.invalid(
                    "\"\"",
                    map
                            ? "may not have more than one field specified at a time"
                            : "must specify one of: `configMapRef` or `secretRef`");
        }
        for (String reference : List.of("configMapRef", "secretRef")) {
            Place name = source.at(reference + ".name");
            if (source.value().has(reference)) {
                name.invalid(
                        GoText.quote(name.value().asText()),
                        Names.dnsSubdomain(name.value().asText()));
            }
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

    /** The real server names the list, and not the mount in it. */
    private static void subPath(Place path) {
        String text = path.value().asText();
        Place told = path.besides(path.path().replaceFirst("\\[\\d+\\]\\.(\\w+)$", ".$1"));
        if (text.startsWith("/")) {
            told.invalid("must be a relative path");
        }
        if (List.of(text.split("/", -1)).contains("..")) {
            told.invalid("must not contain '..'");
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
        amounts(resources.field("limits"));
        amounts(resources.field("requests"));
        for (Place request : resources.each("requests")) {
            String name = request.path().replaceFirst(".*\\[(.*)\\]$", "$1");
            JsonNode limit = limits.path(name);
            if (limit.isTextual() && amount(request.value()).compareTo(amount(limit)) > 0) {
                resources
                        .field("requests")
                        .invalid(
                                request.shown(),
                                "must be less than or equal to " + name + " limit of " + limit.asText());
            }
        }
    }

    private static void amounts(Place amounts) {
        for (Map.Entry<String, JsonNode> entry : amounts.value().properties()) {
            String name = entry.getKey();
            Place amount = amounts.entry(name);
            if (!name.contains("/") && !name.startsWith("hugepages-") && !STANDARD_RESOURCES.contains(name)) {
                amount.invalid(GoText.quote(name), "must be a standard resource type or fully qualified");
                amount.invalid(GoText.quote(name), "must be a standard resource for containers");
            }
            if (amount(entry.getValue()).signum() < 0) {
                amount.invalid("must be greater than or equal to 0");
            }
        }
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

    private static void localhostProfile(Place profile) {
        if (!profile.isBlank()) {
            profile.invalid("can only be set when seccomp type is Localhost");
        }
    }

    private static void seccompFile(Place profile) {
        String path = profile.value().asText();
        if (path.startsWith("/")) {
            profile.invalid("must be a relative path");
        }
        if (List.of(path.split("/", -1)).contains("..")) {
            profile.invalid("must not contain '..'");
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
