package io.busbar.manifests;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.manifests.rbac.Roles;
import io.busbar.manifests.yaml.Yaml;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The bundle that the Operator Lifecycle Manager installs: a ClusterServiceVersion, the CRDs and what else it can apply
 * as it is.
 *
 * <p>OLM makes the ServiceAccount, bindings, the webhooks' Service and certificate itself; it lets webhooks select
 * objects but not namespaces, so that the operator's own Pods are kept from its webhooks by their label.
 *
 * <p>One thread.
 */
final class OlmBundle {

    private static final String PACKAGE = "operators.operatorframework.io.bundle.package.v1";
    private static final String CHANNEL = "operators.operatorframework.io.bundle.channels.v1";
    private static final String CHANNEL_NAME = "stable";
    private static final String SCORECARD_IMAGE = "quay.io/operator-framework/scorecard-test:v1.42.0";
    private static final SortedMap<String, String> SCORECARD_TESTS = new TreeMap<>(Map.of(
            "basic-check-spec", "basic",
            "olm-bundle-validation", "olm",
            "olm-crds-have-resources", "olm",
            "olm-crds-have-validation", "olm",
            "olm-spec-descriptors", "olm",
            "olm-status-descriptors", "olm"));
    private static final Set<String> AS_THEY_ARE = Set.of("CustomResourceDefinition", "PodDisruptionBudget");

    private final OperatorDeclaration operator;
    private final Map<String, String> files;
    private final List<ObjectNode> objects;
    private final SortedMap<String, String> bundle = new TreeMap<>();

    private OlmBundle(OperatorDeclaration operator, Map<String, String> files) {
        this.operator = operator;
        this.files = files;
        this.objects = Rendered.of(files, "default");
    }

    /**
     * @param files of the tree, with final names
     */
    static SortedMap<String, String> of(OperatorDeclaration operator, Map<String, String> files) {
        OlmBundle bundle = new OlmBundle(operator, files);
        bundle.write();
        return bundle.bundle;
    }

    private void write() {
        put("manifests/" + operator.name() + ".clusterserviceversion.yaml", serviceVersion());
        objects.stream().filter(this::isApplied).forEach(object -> {
            ObjectNode unplaced = object.deepCopy();
            unplaced.withObject("/metadata").remove("namespace");
            if (!object.at("/spec/conversion").isMissingNode()) {
                // Its CA is OLM's to fill in.
                unplaced.withObject("/metadata").remove("annotations");
            }
            String kind = Rendered.kind(object).equals("CustomResourceDefinition") ? "" : "_" + Rendered.kind(object);
            put(
                    "manifests/" + object.at("/metadata/name").asText() + kind.toLowerCase(Locale.ROOT) + ".yaml",
                    unplaced);
        });
        ObjectNode metadata = new ObjectMapper().createObjectNode();
        labels().forEach(metadata.putObject("annotations")::put);
        put("metadata/annotations.yaml", metadata);
        put("tests/scorecard/config.yaml", scorecard());
        bundle.put("bundle.Dockerfile", dockerfile());
    }

    /** Which tests operator-sdk's scorecard runs. */
    private static ObjectNode scorecard() {
        ObjectNode configuration = new ObjectMapper()
                .createObjectNode()
                .put("apiVersion", "scorecard.operatorframework.io/v1alpha3")
                .put("kind", "Configuration");
        configuration.putObject("metadata").put("name", "config");
        ObjectNode stage = configuration.putArray("stages").addObject().put("parallel", true);
        SCORECARD_TESTS.forEach((test, suite) -> {
            ObjectNode entry = stage.withArray("/tests").addObject().put("image", SCORECARD_IMAGE);
            entry.putArray("entrypoint").add("scorecard-test").add(test);
            entry.putObject("labels").put("suite", suite).put("test", test + "-test");
        });
        return configuration;
    }

    private boolean isApplied(ObjectNode object) {
        String name = object.at("/metadata/name").asText();
        return AS_THEY_ARE.contains(Rendered.kind(object))
                || name.matches(".*-(admin|editor|viewer)-role")
                || name.endsWith("metrics-service")
                || name.endsWith("metrics-reader")
                || name.endsWith("zpages-reader")
                || name.endsWith("live-reader")
                || name.endsWith("events-poster");
    }

    private ObjectNode serviceVersion() {
        About about = operator.about();
        ObjectNode csv = new ObjectMapper().createObjectNode();
        csv.put("apiVersion", "operators.coreos.com/v1alpha1").put("kind", "ClusterServiceVersion");
        ObjectNode metadata = csv.putObject("metadata");
        metadata.put("name", operator.name() + ".v" + about.version());
        metadata.putObject("annotations")
                .put("alm-examples", examples())
                .put("capabilities", "Seamless Upgrades")
                .put("containerImage", operator.image())
                .put("description", about.summary())
                // Any version before can be upgraded to this one at once.
                .put("olm.skipRange", "<" + about.version())
                .put("operatorframework.io/suggested-namespace", operator.namespace());
        ObjectNode spec = csv.putObject("spec");
        spec.put("displayName", about.displayName())
                .put("description", about.description())
                .put("version", about.version())
                .put("maturity", "alpha")
                .put("minKubeVersion", "1.21.0");
        spec.putObject("provider").put("name", about.provider());
        ArrayNode keywords = spec.putArray("keywords");
        about.keywords().forEach(keywords::add);
        catalog(spec, about);
        images(spec.putArray("relatedImages"));
        for (String mode : List.of("OwnNamespace", "SingleNamespace", "MultiNamespace", "AllNamespaces")) {
            spec.withArray("/installModes")
                    .addObject()
                    .put("type", mode)
                    .put("supported", mode.equals("AllNamespaces"));
        }
        spec.putObject("customresourcedefinitions").set("owned", Descriptors.of(objects, related()));
        spec.set("install", install());
        spec.set("webhookdefinitions", webhooks());
        return csv;
    }

    private void catalog(ObjectNode spec, About about) {
        ArrayNode links = spec.arrayNode();
        about.home().ifPresent(home -> links.addObject().put("name", "Home").put("url", home.toString()));
        about.catalog()
                .links()
                .forEach((name, url) -> links.addObject().put("name", name).put("url", url.toString()));
        if (!links.isEmpty()) {
            spec.set("links", links);
        }
        for (Catalog.Maintainer maintainer : about.catalog().maintainers()) {
            ObjectNode listed = spec.withArray("/maintainers").addObject().put("name", maintainer.name());
            maintainer.email().ifPresent(email -> listed.put("email", email));
        }
        about.catalog()
                .icon()
                .ifPresent(svg -> spec.putArray("icon")
                        .addObject()
                        .put("base64data", Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8)))
                        .put("mediatype", "image/svg+xml"));
        about.catalog().replaces().ifPresent(version -> spec.put("replaces", operator.name() + ".v" + version));
    }

    /** All that may have to be in a registry that a cluster without the internet can reach. */
    private void images(ArrayNode related) {
        SortedMap<String, String> images = new TreeMap<>();
        operator.parts().forEach(part -> images.putAll(part.images()));
        related.addObject().put("name", operator.name()).put("image", operator.image());
        images.forEach((name, image) -> related.addObject().put("name", name).put("image", image));
    }

    private Map<String, List<ResourceType>> related() {
        Map<String, List<ResourceType>> related = new TreeMap<>();
        operator.parts().forEach(part -> related.putAll(part.related()));
        return related;
    }

    /** The samples, as the JSON that a console offers to start from. */
    private String examples() {
        ArrayNode examples = new ObjectMapper().createArrayNode();
        operator.all(OperatorPart::samples).forEach(sample -> examples.addAll(Yaml.readAll(sample.yaml())));
        return examples.toPrettyString();
    }

    private ObjectNode install() {
        ObjectNode install = new ObjectMapper().createObjectNode().put("strategy", "deployment");
        ObjectNode spec = install.putObject("spec");
        ObjectNode deployment = Rendered.of(files, "manager").stream()
                .filter(object -> Rendered.kind(object).equals("Deployment"))
                .findFirst()
                .orElseThrow();
        // The volume of the certificate is OLM's to add, at the path that is the flag's default.
        ((ArrayNode) deployment.at("/spec/template/spec/containers/0/args")).add("--webhook-certs=mounted");
        String account = deployment.at("/spec/template/spec/serviceAccountName").asText();
        ArrayNode clusterPermissions = spec.putArray("clusterPermissions");
        permissions(clusterPermissions, account, "ClusterRole");
        accounts(clusterPermissions);
        permissions(spec.putArray("permissions"), account, "Role");
        ObjectNode listed = spec.putArray("deployments").addObject();
        listed.put("name", deployment.at("/metadata/name").asText());
        listed.set("label", deployment.at("/metadata/labels"));
        listed.set("spec", deployment.get("spec"));
        return install;
    }

    /** OLM makes each account that is named here. */
    private void accounts(ArrayNode permissions) {
        operator.accounts()
                .forEach((account, allowed) -> permissions
                        .addObject()
                        .put("serviceAccountName", account)
                        .set(
                                "rules",
                                Yaml.read(Yaml.write(Roles.clusterRole(account, allowed)))
                                        .path("rules")));
    }

    /** The rules of all roles of a kind that are bound to the operator. */
    private void permissions(ArrayNode permissions, String account, String kind) {
        ArrayNode rules = permissions.arrayNode();
        objects.stream()
                .filter(object -> Rendered.kind(object).equals(kind))
                .filter(role -> isBound(role.at("/metadata/name").asText(), kind))
                .forEach(role -> role.path("rules").forEach(rules::add));
        permissions.addObject().put("serviceAccountName", account).set("rules", rules);
    }

    private boolean isBound(String role, String kind) {
        return objects.stream()
                .filter(object -> Rendered.kind(object).equals(kind + "Binding"))
                .anyMatch(binding -> binding.at("/roleRef/name").asText().equals(role));
    }

    private ArrayNode webhooks() {
        ArrayNode definitions = new ObjectMapper().createArrayNode();
        for (ObjectNode configuration : objects) {
            boolean mutating = Rendered.kind(configuration).equals("MutatingWebhookConfiguration");
            if (mutating || Rendered.kind(configuration).equals("ValidatingWebhookConfiguration")) {
                configuration
                        .path("webhooks")
                        .forEach(webhook -> definitions.add(webhook(mutating, (ObjectNode) webhook)));
            }
        }
        if (!operator.converted().isEmpty()) {
            definitions.add(conversion(definitions.objectNode()));
        }
        return definitions;
    }

    private ObjectNode conversion(ObjectNode definition) {
        definition
                .put("type", "ConversionWebhook")
                .put("generateName", "convert." + operator.name() + ".io")
                .put("deploymentName", operator.prefix() + "controller-manager")
                .put("containerPort", 443)
                .put("targetPort", 9443)
                .put("webhookPath", "/convert")
                .put("sideEffects", "None");
        definition.putArray("admissionReviewVersions").add("v1");
        operator.converted().forEach(definition.putArray("conversionCRDs")::add);
        return definition;
    }

    private ObjectNode webhook(boolean mutating, ObjectNode webhook) {
        ObjectNode definition = webhook.objectNode();
        definition
                .put("type", (mutating ? "Mutating" : "Validating") + "AdmissionWebhook")
                .put("generateName", webhook.path("name").asText())
                .put("deploymentName", operator.prefix() + "controller-manager")
                .put("containerPort", 443)
                .put("targetPort", 9443)
                .put("webhookPath", webhook.at("/clientConfig/service/path").asText());
        for (String field : List.of(
                "admissionReviewVersions",
                "failurePolicy",
                "matchPolicy",
                "objectSelector",
                "reinvocationPolicy",
                "rules",
                "sideEffects",
                "timeoutSeconds")) {
            if (webhook.has(field)) {
                definition.set(field, webhook.get(field));
            }
        }
        if (webhook.has("namespaceSelector")) {
            ObjectNode others = definition
                    .withObject("/objectSelector")
                    .withArray("/matchExpressions")
                    .addObject();
            others.put("key", "control-plane")
                    .put("operator", "NotIn")
                    .putArray("values")
                    .add("controller-manager");
        }
        return definition;
    }

    /** Said twice, to registries in the image and to tools in a file. */
    private Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>();
        labels.put("operators.operatorframework.io.bundle.mediatype.v1", "registry+v1");
        labels.put("operators.operatorframework.io.bundle.manifests.v1", "manifests/");
        labels.put("operators.operatorframework.io.bundle.metadata.v1", "metadata/");
        labels.put(PACKAGE, operator.name());
        labels.put(CHANNEL, CHANNEL_NAME);
        labels.put("operators.operatorframework.io.bundle.channel.default.v1", CHANNEL_NAME);
        labels.put("operators.operatorframework.io.test.mediatype.v1", "scorecard+v1");
        labels.put("operators.operatorframework.io.test.config.v1", "tests/scorecard/");
        return labels;
    }

    private String dockerfile() {
        StringBuilder text = new StringBuilder("FROM scratch\n\n");
        labels().forEach((key, value) ->
                text.append("LABEL ").append(key).append('=').append(value).append('\n'));
        return text.append("""

                        COPY manifests /manifests/
                        COPY metadata /metadata/
                        COPY tests/scorecard /tests/scorecard/
                        """).toString();
    }

    private void put(String file, ObjectNode object) {
        bundle.put(file, Yaml.write(object));
    }
}
