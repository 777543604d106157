package io.busbar.sandbox.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Columns of the other kinds that people look at. Any thread. */
final class ClusterColumns {

    private static final String NONE = "<none>";

    /** By plural and group. */
    static final Map<String, List<Column>> ALL = Map.ofEntries(
            Map.entry("namespaces", List.of(Column.NAME, text("Status", "/status/phase"), Column.AGE)),
            Map.entry("nodes", nodes()),
            Map.entry("services", services()),
            Map.entry(
                    "configmaps",
                    List.of(
                            Column.NAME,
                            Column.number("Data", ClusterColumns::entries).as("string"),
                            Column.AGE)),
            Map.entry(
                    "secrets",
                    List.of(
                            Column.NAME,
                            text("Type", "/type"),
                            Column.number("Data", ClusterColumns::entries).as("string"),
                            Column.AGE)),
            Map.entry(
                    "serviceaccounts",
                    List.of(
                            Column.NAME,
                            Column.number("Secrets", account ->
                                            (long) account.path("secrets").size())
                                    .as("string"),
                            Column.AGE)),
            Map.entry("events", events()),
            Map.entry(
                    "leases.coordination.k8s.io",
                    List.of(Column.NAME, text("Holder", "/spec/holderIdentity"), Column.AGE)),
            Map.entry(
                    "controllerrevisions.apps",
                    List.of(
                            Column.NAME,
                            Column.text("Controller", ClusterColumns::controller),
                            text("Revision", "/revision"),
                            Column.AGE)),
            Map.entry(
                    "poddisruptionbudgets.policy",
                    List.of(
                            Column.NAME,
                            Column.text("Min Available", orNotApplicable("/spec/minAvailable")),
                            Column.text("Max Unavailable", orNotApplicable("/spec/maxUnavailable")),
                            Column.number(
                                    "Allowed Disruptions",
                                    budget -> budget.at("/status/disruptionsAllowed")
                                            .asLong()),
                            Column.AGE)),
            Map.entry("mutatingadmissionpolicies.admissionregistration.k8s.io", policies("Mutations", "mutations")),
            Map.entry(
                    "validatingadmissionpolicies.admissionregistration.k8s.io", policies("Validations", "validations")),
            Map.entry("mutatingadmissionpolicybindings.admissionregistration.k8s.io", policyBindings()),
            Map.entry("validatingadmissionpolicybindings.admissionregistration.k8s.io", policyBindings()),
            Map.entry("mutatingwebhookconfigurations.admissionregistration.k8s.io", webhooks()),
            Map.entry("validatingwebhookconfigurations.admissionregistration.k8s.io", webhooks()),
            Map.entry("customresourcedefinitions.apiextensions.k8s.io", List.of(Column.NAME, Column.CREATED_AT)),
            Map.entry("roles.rbac.authorization.k8s.io", List.of(Column.NAME, Column.CREATED_AT)),
            Map.entry("clusterroles.rbac.authorization.k8s.io", List.of(Column.NAME, Column.CREATED_AT)),
            Map.entry("rolebindings.rbac.authorization.k8s.io", bindings()),
            Map.entry("clusterrolebindings.rbac.authorization.k8s.io", bindings()),
            Map.entry(
                    "priorityclasses.scheduling.k8s.io",
                    List.of(
                            Column.NAME,
                            Column.number("Value", type -> type.path("value").asLong()),
                            Column.flag(
                                    "Global-Default",
                                    type -> type.path("globalDefault").asBoolean()),
                            Column.AGE)),
            Map.entry(
                    "storageclasses.storage.k8s.io",
                    List.of(
                            Column.NAME,
                            text("Provisioner", "/provisioner"),
                            text("ReclaimPolicy", "/reclaimPolicy"),
                            text("VolumeBindingMode", "/volumeBindingMode"),
                            Column.flag(
                                            "AllowVolumeExpansion",
                                            type -> type.path("allowVolumeExpansion")
                                                    .asBoolean())
                                    .as("string"),
                            Column.AGE)));

    private ClusterColumns() {}

    private static List<Column> nodes() {
        return List.of(
                Column.NAME,
                Column.text("Status", ClusterColumns::nodeStatus),
                Column.text("Roles", ClusterColumns::roles),
                Column.AGE,
                text("Version", "/status/nodeInfo/kubeletVersion"),
                Column.text("Internal-IP", node -> address(node, "InternalIP")).wide(),
                Column.text("External-IP", node -> address(node, "ExternalIP")).wide(),
                text("OS-Image", "/status/nodeInfo/osImage").wide(),
                text("Kernel-Version", "/status/nodeInfo/kernelVersion").wide(),
                text("Container-Runtime", "/status/nodeInfo/containerRuntimeVersion")
                        .wide());
    }

    private static List<Column> services() {
        return List.of(
                Column.NAME,
                text("Type", "/spec/type"),
                text("Cluster-IP", "/spec/clusterIP"),
                Column.text("External-IP", service -> {
                    String name = service.at("/spec/externalName").asText("");
                    return name.isEmpty() ? NONE : name;
                }),
                Column.text("Port(s)", ClusterColumns::ports),
                Column.AGE,
                Column.text("Selector", service -> WorkloadColumns.labels(service.at("/spec/selector")))
                        .wide());
    }

    private static List<Column> events() {
        return List.of(
                Column.age("Last Seen", event -> seen(event, "/lastTimestamp", "/deprecatedLastTimestamp")),
                text("Type", "/type"),
                text("Reason", "/reason"),
                Column.text("Object", ClusterColumns::regarding),
                Column.text(
                                "Subobject",
                                event -> event.at("/involvedObject/fieldPath").asText(""))
                        .wide(),
                Column.text(
                                "Source",
                                event -> first(
                                        event, "/source/component", "/reportingComponent", "/reportingController"))
                        .wide(),
                Column.text("Message", event -> first(event, "/message", "/note")),
                Column.age("First Seen", event -> seen(event, "/firstTimestamp", "/deprecatedFirstTimestamp"))
                        .wide(),
                Column.number("Count", event -> Math.max(1, event.path("count").asLong(1)))
                        .as("string")
                        .wide(),
                Column.NAME.wide());
    }

    private static List<Column> policies(String counted, String field) {
        return List.of(
                Column.NAME,
                Column.number(counted, policy ->
                        (long) policy.path("spec").path(field).size()),
                Column.text(
                        "ParamKind",
                        policy -> policy.path("spec").has("paramKind")
                                ? policy.at("/spec/paramKind/apiVersion").asText() + "/"
                                        + policy.at("/spec/paramKind/kind").asText()
                                : "<unset>"),
                Column.AGE);
    }

    private static List<Column> policyBindings() {
        return List.of(
                Column.NAME,
                text("PolicyName", "/spec/policyName"),
                Column.text("ParamRef", ClusterColumns::parameter),
                Column.AGE);
    }

    private static String parameter(ObjectNode binding) {
        JsonNode reference = binding.path("spec").path("paramRef");
        if (!reference.isObject()) {
            return "<unset>";
        }
        String name = reference.has("selector") ? "*" : reference.path("name").asText("<unset>");
        return reference.path("namespace").asText("*") + "/" + name;
    }

    private static List<Column> webhooks() {
        return List.of(
                Column.NAME,
                Column.number("Webhooks", configuration ->
                        (long) configuration.path("webhooks").size()),
                Column.AGE);
    }

    private static List<Column> bindings() {
        return List.of(
                Column.NAME,
                Column.text(
                        "Role",
                        binding -> binding.at("/roleRef/kind").asText() + "/"
                                + binding.at("/roleRef/name").asText()),
                Column.AGE);
    }

    private static Column text(String name, String pointer) {
        return Column.text(name, object -> object.at(pointer).asText(""));
    }

    private static Function<ObjectNode, String> orNotApplicable(String pointer) {
        return object ->
                object.at(pointer).isMissingNode() ? "N/A" : object.at(pointer).asText();
    }

    private static long entries(ObjectNode object) {
        return (long) object.path("data").size() + object.path("binaryData").size();
    }

    private static String nodeStatus(ObjectNode node) {
        String ready = "Unknown";
        for (JsonNode condition : node.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                ready = condition.path("status").asText().equals("True") ? "Ready" : "NotReady";
            }
        }
        return node.path("spec").path("unschedulable").asBoolean() ? ready + ",SchedulingDisabled" : ready;
    }

    private static String roles(ObjectNode node) {
        String prefix = "node-role.kubernetes.io/";
        List<String> roles = new ArrayList<>();
        node.at("/metadata/labels").fieldNames().forEachRemaining(label -> {
            if (label.startsWith(prefix)) {
                roles.add(label.substring(prefix.length()));
            }
        });
        return roles.isEmpty() ? NONE : String.join(",", roles);
    }

    private static String address(ObjectNode node, String type) {
        for (JsonNode address : node.at("/status/addresses")) {
            if (address.path("type").asText().equals(type)) {
                return address.path("address").asText();
            }
        }
        return NONE;
    }

    private static String ports(ObjectNode service) {
        List<String> ports = new ArrayList<>();
        for (JsonNode port : service.at("/spec/ports")) {
            String node = port.has("nodePort") ? ":" + port.path("nodePort").asText() : "";
            ports.add(port.path("port").asText() + node + "/"
                    + port.path("protocol").asText("TCP"));
        }
        return ports.isEmpty() ? NONE : String.join(",", ports);
    }

    private static String regarding(ObjectNode event) {
        JsonNode object = event.has("involvedObject") ? event.path("involvedObject") : event.path("regarding");
        return object.path("kind").asText().toLowerCase(Locale.ROOT) + "/"
                + object.path("name").asText();
    }

    private static JsonNode seen(ObjectNode event, String... pointers) {
        for (String pointer : pointers) {
            if (event.at(pointer).isTextual()) {
                return event.at(pointer);
            }
        }
        return event.path("eventTime");
    }

    private static String first(ObjectNode event, String... pointers) {
        for (String pointer : pointers) {
            String text = event.at(pointer).asText("");
            if (!text.isEmpty()) {
                return text;
            }
        }
        return "";
    }

    private static String controller(ObjectNode object) {
        for (JsonNode owner : object.at("/metadata/ownerReferences")) {
            if (owner.path("controller").asBoolean()) {
                return owner.path("kind").asText().toLowerCase(Locale.ROOT) + "/"
                        + owner.path("name").asText();
            }
        }
        return NONE;
    }
}
