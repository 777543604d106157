package io.busbar.manifests.scorecard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * {@code olm-bundle-validation}: the layout of a bundle, its ClusterServiceVersion, its CustomResourceDefinitions, and
 * how they fit each other. What operator-sdk gives as a warning is a suggestion.
 *
 * <p>One thread. Source: the documentation of the bundle format, of ClusterServiceVersions and of webhooks at
 * olm.operatorframework.io.
 */
final class BundleValidation {

    private static final String FORMAT = "operators.operatorframework.io.bundle.";
    private static final String CHANNELS = FORMAT + "channels.v1";
    private static final String DEFAULT_CHANNEL = FORMAT + "channel.default.v1";

    private static final Pattern DNS_SUBDOMAIN =
            Pattern.compile("(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private static final Pattern SEMANTIC_VERSION = Pattern.compile(
            "(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(-[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?(\\+[0-9A-Za-z.-]+)?");

    /** That OLM applies beside the ClusterServiceVersion. */
    private static final Set<String> KINDS = Set.of(
            "ClusterServiceVersion",
            "CustomResourceDefinition",
            "Secret",
            "ClusterRole",
            "ClusterRoleBinding",
            "ConfigMap",
            "ServiceAccount",
            "Service",
            "Role",
            "RoleBinding",
            "PrometheusRule",
            "ServiceMonitor",
            "PodDisruptionBudget",
            "PriorityClass",
            "VerticalPodAutoscaler",
            "NetworkPolicy",
            "ConsoleYAMLSample",
            "ConsoleQuickStart",
            "ConsoleCLIDownload",
            "ConsoleLink",
            "ConsolePlugin");

    private static final Set<String> DEPENDENCIES = Set.of("olm.package", "olm.gvk", "olm.label", "olm.constraint");

    private static final List<String> SHOWN_IN_CATALOGS = List.of(
            "/spec/description",
            "/spec/icon",
            "/spec/keywords",
            "/spec/links",
            "/spec/maintainers",
            "/spec/maturity",
            "/spec/minKubeVersion",
            "/spec/provider/name",
            "/spec/version");

    private final BundleFolder bundle;
    private final JsonNode version;
    private final List<String> errors = new ArrayList<>();
    private final List<String> suggestions = new ArrayList<>();

    BundleValidation(BundleFolder bundle) {
        this.bundle = bundle;
        this.version = bundle.serviceVersion().orElse(MissingNode.getInstance());
    }

    TestResult result() {
        errors.addAll(bundle.problems());
        suggestions.addAll(bundle.remarks());
        annotations();
        dependencies();
        objects();
        bundle.definitions().forEach(this::definition);
        if (!version.isMissingNode()) {
            fields();
            names();
            examples();
            installModes();
            ownedKinds();
            webhooks();
        }
        return TestResult.of(
                "olm-bundle-validation",
                List.of("Loaded " + bundle.objects().size() + " manifests and "
                        + bundle.annotations().size() + " annotations"),
                errors.stream().distinct().toList(),
                suggestions.stream().distinct().toList());
    }

    private void annotations() {
        JsonNode annotations = bundle.annotations();
        if (annotations.isMissingNode()) {
            errors.add("Could not find annotations file");
            return;
        }
        for (String name : List.of("mediatype.v1", "manifests.v1", "metadata.v1", "package.v1")) {
            if (!annotations.has(FORMAT + name)) {
                errors.add("Missing annotation \"" + FORMAT + name + "\"");
            }
        }
        String mediaType = annotations.path(FORMAT + "mediatype.v1").asText("registry+v1");
        if (!mediaType.equals("registry+v1")) {
            errors.add("Expecting annotation \"" + FORMAT + "mediatype.v1\" to have value \"registry+v1\" instead of \""
                    + mediaType + "\"");
        }
        String channels = annotations.path(CHANNELS).asText("");
        if (channels.isBlank()) {
            errors.add("Expecting annotation \"" + CHANNELS + "\" to have non-empty value");
        }
        String standard = annotations.path(DEFAULT_CHANNEL).asText("");
        if (!standard.isEmpty() && !List.of(channels.split("\\s*,\\s*")).contains(standard)) {
            errors.add("The default channel \"" + standard + "\" is none of the channels \"" + channels + "\"");
        } else if (standard.isEmpty() && channels.contains(",")) {
            errors.add("Expecting annotation \"" + DEFAULT_CHANNEL + "\" to have non-empty value");
        }
    }

    private void dependencies() {
        for (JsonNode dependency : bundle.dependencies()) {
            String type = dependency.path("type").asText();
            JsonNode value = dependency.path("value");
            if (!DEPENDENCIES.contains(type)) {
                errors.add("Unsupported dependency type " + type);
            } else if (type.equals("olm.package")) {
                require(value, "dependency olm.package", "packageName", "version");
            } else if (type.equals("olm.gvk")) {
                require(value, "dependency olm.gvk", "group", "version", "kind");
            } else if (type.equals("olm.label")) {
                require(value, "dependency olm.label", "label");
            }
        }
    }

    private void require(JsonNode value, String what, String... fields) {
        for (String field : fields) {
            if (value.path(field).asText().isEmpty()) {
                errors.add(what + ": " + field + " is missing");
            }
        }
    }

    private void objects() {
        Set<String> accounts = new HashSet<>();
        version.at("/spec/install/spec/deployments")
                .forEach(deployment -> accounts.add(
                        deployment.at("/spec/template/spec/serviceAccountName").asText("default")));
        for (ObjectNode object : bundle.objects()) {
            String kind = object.path("kind").asText();
            String name = object.at("/metadata/name").asText();
            if (!KINDS.contains(kind)) {
                suggestions.add(kind + " " + name + ": OLM does not apply objects of this kind");
            }
            if (kind.equals("ServiceAccount") && accounts.contains(name)) {
                errors.add("invalid service account found in bundle. sa name cannot match service account defined for"
                        + " deployment spec in CSV: " + name);
            }
        }
    }

    /** What the API server would refuse of it. */
    private void definition(ObjectNode definition) {
        String name = definition.at("/metadata/name").asText();
        String wanted = definition.at("/spec/names/plural").asText() + "."
                + definition.at("/spec/group").asText();
        if (!name.equals(wanted)) {
            errors.add("CRD " + name + ": metadata.name must be spec.names.plural+\".\"+spec.group: " + wanted);
        }
        if (definition.at("/spec/names/kind").asText().isEmpty()) {
            errors.add("CRD " + name + ": spec.names.kind is missing");
        }
        boolean current = definition.path("apiVersion").asText().equals("apiextensions.k8s.io/v1");
        if (!current) {
            suggestions.add("CRD " + name + ": " + definition.path("apiVersion").asText()
                    + " is not served since Kubernetes 1.22: make it apiextensions.k8s.io/v1");
        }
        List<JsonNode> versions = BundleFolder.versions(definition);
        long stored =
                versions.stream().filter(one -> one.path("storage").asBoolean()).count();
        if (stored != 1) {
            errors.add("CRD " + name + ": exactly one version must be marked as storage version, " + stored + " are");
        }
        Set<String> seen = new HashSet<>();
        for (JsonNode one : versions) {
            String named = one.path("name").asText();
            if (!seen.add(named)) {
                errors.add("CRD " + name + ": version " + named + " is there twice");
            }
            if (current && BundleFolder.schema(definition, one).isMissingNode()) {
                errors.add("CRD " + name + ": version " + named + " has no schema, which v1 requires");
            }
        }
        JsonNode conversion = definition.at("/spec/conversion");
        if (conversion.path("strategy").asText().equals("Webhook")
                && conversion.findPath("conversionReviewVersions").isEmpty()) {
            errors.add("CRD " + name + ": spec.conversion.webhook.conversionReviewVersions is missing");
        }
    }

    private void fields() {
        for (String field : List.of("/metadata/name", "/spec/displayName", "/spec/install/strategy")) {
            if (isEmpty(version.at(field))) {
                errors.add("Required field is missing: " + dotted(field));
            }
        }
        SHOWN_IN_CATALOGS.stream()
                .filter(field -> isEmpty(version.at(field)))
                .forEach(field -> suggestions.add("Optional field is missing: " + dotted(field)));
        version.at("/metadata/annotations").fieldNames().forEachRemaining(key -> {
            if (key.equalsIgnoreCase("olm.skipRange") && !key.equals("olm.skipRange")) {
                errors.add("provided annotation " + key + " uses wrong case and should be olm.skipRange instead");
            }
        });
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isContainerNode() ? value.isEmpty() : value.asText("").isEmpty();
    }

    private static String dotted(String pointer) {
        return pointer.substring(1).replace('/', '.');
    }

    private void names() {
        named("metadata.name", version.at("/metadata/name").asText());
        if (version.at("/spec").has("replaces")) {
            named("spec.replaces", version.at("/spec/replaces").asText());
        }
    }

    private void named(String field, String name) {
        String[] parts = name.split("\\.", 2);
        if (!DNS_SUBDOMAIN.matcher(name).matches()) {
            errors.add(field + " \"" + name + "\" is invalid: lower case letters, digits, '-' and '.' are allowed");
        } else if (parts.length < 2) {
            errors.add(field + " \"" + name + "\" must have format: {operator name}.(v)X.Y.Z");
        } else if (!SEMANTIC_VERSION.matcher(parts[1].replaceFirst("^v", "")).matches()) {
            errors.add(field + " \"" + name + "\" contains an invalid semver \"" + parts[1] + "\"");
        }
    }

    private void examples() {
        if (!version.at("/metadata/annotations").has("alm-examples")) {
            suggestions.add("example annotations not found");
            return;
        }
        bundle.unreadableExamples().ifPresent(errors::add);
        Set<String> owned = bundle.owned().stream().map(BundleValidation::key).collect(Collectors.toSet());
        Set<String> shown = bundle.examples().stream()
                .map(example -> key(
                        example.path("apiVersion").asText(),
                        example.path("kind").asText()))
                .collect(Collectors.toCollection(TreeSet::new));
        shown.stream()
                .filter(example -> !owned.contains(example))
                .forEach(example -> errors.add("example must have a provided API: " + example));
        owned.stream()
                .filter(kind -> !shown.contains(kind))
                .sorted()
                .forEach(kind -> suggestions.add("provided API should have an example annotation: " + kind));
    }

    /** Of an owned kind, as an object of it would have it. */
    private static String key(JsonNode owned) {
        String group = owned.path("name").asText().replaceFirst("[^.]*\\.?", "");
        return key(
                group + "/" + owned.path("version").asText(), owned.path("kind").asText());
    }

    private static String key(String apiVersion, String kind) {
        return apiVersion + " " + kind;
    }

    private void installModes() {
        List<JsonNode> modes = BundleFolder.list(version.at("/spec/installModes"));
        if (modes.isEmpty()) {
            errors.add("install modes not found");
            return;
        }
        Set<String> types = new HashSet<>();
        if (!modes.stream().allMatch(mode -> types.add(mode.path("type").asText()))) {
            errors.add("duplicate install modes present");
        }
        if (modes.stream().noneMatch(mode -> mode.path("supported").asBoolean())) {
            errors.add("none of InstallModeTypes are supported");
        }
    }

    private void ownedKinds() {
        Set<String> brought = new TreeSet<>();
        for (ObjectNode definition : bundle.definitions()) {
            for (JsonNode one : BundleFolder.versions(definition)) {
                String key = key(
                        definition.at("/spec/group").asText() + "/"
                                + one.path("name").asText(),
                        definition.at("/spec/names/kind").asText());
                if (!brought.add(key)) {
                    errors.add("duplicate CRD " + key + " in bundle");
                }
            }
        }
        Set<String> groupsAndKinds = new HashSet<>();
        for (JsonNode owned : bundle.owned()) {
            String key = key(owned);
            if (brought.remove(key)) {
                groupsAndKinds.add(withoutVersion(key));
            } else {
                errors.add("owned CRD " + key + " not found in bundle");
            }
        }
        brought.stream()
                .filter(key -> !groupsAndKinds.contains(withoutVersion(key)))
                .forEach(key -> suggestions.add("CRD " + key + " is present in bundle but not defined in CSV"));
    }

    private static String withoutVersion(String key) {
        return key.replaceFirst("/\\S*", "");
    }

    private void webhooks() {
        List<String> deployments = bundle.deployments();
        for (JsonNode webhook : version.at("/spec/webhookdefinitions")) {
            String name = "webhook " + webhook.path("generateName").asText();
            if (!deployments.contains(webhook.path("deploymentName").asText())) {
                errors.add(name + ": there is no deployment "
                        + webhook.path("deploymentName").asText());
            }
            webhook.path("rules").forEach(rule -> scope(name, rule));
            if (webhook.path("type").asText().equals("ConversionWebhook")) {
                conversion(name, webhook);
            }
        }
    }

    /** A webhook that OLM installs must not keep OLM or itself from being installed. */
    private void scope(String name, JsonNode rule) {
        List<String> groups = texts(rule.path("apiGroups"));
        List<String> resources = texts(rule.path("resources"));
        if (groups.contains("*") || groups.contains("operators.coreos.com")) {
            errors.add(name + ": OLM refuses webhooks for the groups " + groups);
        }
        if (groups.contains("admissionregistration.k8s.io")
                && resources.stream().anyMatch(one -> one.matches("\\*|(mutating|validating)webhookconfigurations"))) {
            errors.add(name + ": OLM refuses webhooks for the resources " + resources);
        }
    }

    private void conversion(String name, JsonNode webhook) {
        List<String> owned =
                bundle.owned().stream().map(kind -> kind.path("name").asText()).toList();
        texts(webhook.path("conversionCRDs")).stream()
                .filter(converted -> !owned.contains(converted))
                .forEach(converted -> errors.add(name + ": converts " + converted + ", which is not owned"));
        boolean everywhere = BundleFolder.list(version.at("/spec/installModes")).stream()
                .filter(mode -> mode.path("supported").asBoolean())
                .allMatch(mode -> mode.path("type").asText().equals("AllNamespaces"));
        if (!everywhere) {
            errors.add(name + ": an operator that converts may support no install mode but AllNamespaces");
        }
    }

    private static List<String> texts(JsonNode array) {
        return BundleFolder.list(array).stream().map(JsonNode::asText).toList();
    }
}
