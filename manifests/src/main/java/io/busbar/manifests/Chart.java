package io.busbar.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Roles;
import io.busbar.manifests.yaml.Yaml;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A Helm chart of the same objects. Its values are named as kubebuilder's Helm plugin (v2-alpha) names them.
 *
 * <p>One thread.
 */
final class Chart {

    private static final List<String> PLAIN = List.of(
            ".helmignore",
            "values.schema.json",
            "templates/_helpers.tpl",
            "templates/NOTES.txt",
            "templates/rbac/watched-namespaces.yaml");
    private static final String MONITORED = "and .Values.metrics.enabled .Values.prometheus.enabled";
    private static final String CERT_MANAGER = ".Values.certManager.enabled";
    private static final String WEBHOOKS_ENABLED = ".Values.webhook.enabled";
    private static final String CA = "cert-manager.io/inject-ca-from";

    private static final String CONVERTED = "__converted__";
    private static final Pattern CONVERSION = Pattern.compile("(?m)^  conversion:\\n(?:    .*\\n)+");

    private final OperatorDeclaration operator;
    private final SortedMap<String, String> files;
    private final ChartConditions conditions;
    private final ChartText text;
    private final SortedMap<String, String> chart = new TreeMap<>();

    private Chart(OperatorDeclaration operator, SortedMap<String, String> files) {
        this.operator = operator;
        this.files = files;
        this.conditions = new ChartConditions(operator);
        this.text = new ChartText(operator);
    }

    /**
     * @param files of the tree, in the form of a chart
     */
    static SortedMap<String, String> of(OperatorDeclaration operator, SortedMap<String, String> files) {
        Chart chart = new Chart(operator, files);
        chart.write();
        return chart.chart;
    }

    static Form form(OperatorDeclaration operator) {
        return Form.full(operator, ChartText.PREFIX, ChartText.NAMESPACE);
    }

    private void write() {
        for (String folder : List.of("default", "network-policy", "prometheus")) {
            Rendered.of(files, folder).forEach(this::add);
        }
        Rendered.of(files, "self-signed").stream()
                .filter(object -> name(object).startsWith("certificates-"))
                .forEach(this::add);
        ObjectNode deployment = deploymentOf("manager");
        deployment
                .withObject("/metadata")
                .set("labels", deploymentOf("default").path("metadata").path("labels"));
        ChartDeployment manager = new ChartDeployment(operator, text, files, deployment);
        chart.put("templates/manager/manager.yaml", manager.template());
        PLAIN.forEach(file -> chart.put(file, fill(Templates.read("chart/" + file))));
        chart.put("templates/_operators.tpl", needs());
        chart.put("Chart.yaml", chartYaml());
        chart.put("values.yaml", values(manager));
    }

    private void add(ObjectNode object) {
        String kind = Rendered.kind(object);
        String name = name(object);
        switch (kind) {
            case "Namespace", "Deployment" -> {}
            case "CustomResourceDefinition" -> {
                markConverted(object, ConversionPatches.converted(operator));
                String chosen = conditions.chosen(ChartConditions.defining(
                        type -> HasMetadata.getFullResourceName(type).equals(name)));
                add("crd", "and .Values.crd.enabled " + chosen, object);
                chart.computeIfPresent(
                        "templates/crd/" + name + ".yaml",
                        (file, body) -> body.replaceFirst(
                                "\n",
                                Matcher.quoteReplacement("\n{{- include \"" + operator.name()
                                        + ".checkDefinition\" (dict \"root\" . \"definition\" \"" + name
                                        + "\") }}\n")));
            }
            case "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration" -> {
                // The names that an operator with a CA of its own knows.
                object.withObject("/metadata").put("name", operator.prefix() + name);
                boolean mutating = kind.startsWith("Mutating");
                String chosen = conditions.chosen(ChartConditions.having(webhook -> webhook.mutating() == mutating));
                object.set("webhooks", ofChosen(object.path("webhooks")));
                add("webhook", "and " + conditions.webhooks() + " " + chosen, object);
            }
            case "Certificate" -> {
                ((ObjectNode) object.path("spec"))
                        .put(
                                "secretName",
                                ChartText.named(name.startsWith("metrics-") ? "metricsSecret" : "webhookSecret"));
                add(
                        "cert-manager",
                        name.startsWith("metrics-") ? ChartConditions.METRICS_CERTIFICATE : conditions.certManager(),
                        object);
            }
            case "Issuer" ->
                add(
                        "cert-manager",
                        "and .Values.certManager.enabled (or " + conditions.webhooks()
                                + " (and .Values.metrics.enabled .Values.metrics.secure))",
                        object);
            case "ServiceMonitor" -> {
                ObjectNode endpoint = (ObjectNode) object.at("/spec/endpoints/0");
                endpoint.put("scheme", ChartText.SCHEME).set("tlsConfig", ChartText.lines("metricsTls"));
                ((ObjectNode) object.at("/spec/selector")).set("matchLabels", ChartText.lines("ownLabels"));
                add("prometheus", MONITORED, object);
            }
            case "PrometheusRule" -> add("prometheus", MONITORED, object);
            case "NetworkPolicy" -> {
                ((ObjectNode) object.at("/spec/podSelector")).set("matchLabels", ChartDeployment.SELECTED);
                add("network-policy", "and .Values.networkPolicy.enabled " + part(name), object);
            }
            case "Service" -> {
                ((ObjectNode) object.path("spec")).set("selector", ChartDeployment.SELECTED);
                add(name.contains("metrics") ? "metrics" : "webhook", part(name), object);
            }
            case "PodDisruptionBudget" -> {
                ((ObjectNode) object.at("/spec/selector")).set("matchLabels", ChartDeployment.SELECTED);
                add("manager", ".Values.manager.podDisruptionBudget.enabled", object);
            }
            default -> addRole(object, name);
        }
    }

    /** With the rules of the chosen operators, where they have any. */
    private void addRole(ObjectNode object, String name) {
        String kind = Rendered.kind(object);
        String rules =
                switch (name.replaceFirst("-role(binding)?$", "") + (kind.startsWith("Cluster") ? " cluster" : "")) {
                    case "manager cluster" -> "clusterRules";
                    case "manager" -> "ownRules";
                    case "certificates cluster" -> "certificateRules";
                    default -> "";
                };
        if (object.has("rules") && !rules.isEmpty()) {
            object.set("rules", ChartText.lines(rules));
        }
        String condition = roleCondition(name);
        String some = rules.isEmpty() ? "" : conditions.included(rules);
        add("rbac", condition.isEmpty() || some.isEmpty() ? condition + some : condition + " " + some, object);
    }

    private String roleCondition(String name) {
        if (name.startsWith("certificates-")) {
            return conditions.selfSigned();
        }
        if (name.startsWith("metrics-")) {
            return "and .Values.metrics.enabled .Values.metrics.secure";
        }
        return name.matches(".*-(admin|editor|viewer)-role")
                ? "and .Values.rbac.helpers.enabled "
                        + conditions.chosen(ChartConditions.defining(kind ->
                                name.startsWith(HasMetadata.getKind(kind).toLowerCase(Locale.ROOT) + "-")))
                : "";
    }

    /** Each under the condition that its operator is chosen. */
    private ArrayNode ofChosen(JsonNode webhooks) {
        ArrayNode chosen = ((ArrayNode) webhooks).arrayNode();
        for (JsonNode webhook : webhooks) {
            text.addIf(
                    conditions.chosen(ChartConditions.having(manifest ->
                            manifest.name().equals(webhook.path("name").asText()))),
                    chosen,
                    webhook);
        }
        return chosen;
    }

    /** Helpers that say what the chosen operators need. */
    private String needs() {
        StringBuilder text = new StringBuilder();
        define(text, "cluster", "what is in no namespace", PartRules::cluster);
        define(text, "events", "Events about what is in no namespace, which stand in default", PartRules::events);
        define(text, "namespaced", "what is in the namespaces that are watched", PartRules::namespaced);
        define(text, "own", "what is in the operator's own namespace", PartRules::ownNamespace);
        define(text, "certificates", "webhooks to be registered with the operator's own CA", PartRules::certificates);
        return text.append(fill(Templates.read("chart/templates/_operators.tpl"))
                        .replace("${anyWebhooks}", conditions.chosen(ChartConditions::hasWebhooks)))
                .toString();
    }

    private void define(
            StringBuilder text, String need, String about, Function<PartRules, List<Permission>> permissions) {
        text.append("{{/* Rules of the chosen operators: ").append(about).append(". */}}\n{{- define \"");
        text.append(operator.name()).append(".needs.").append(need).append("\" -}}\n");
        for (OperatorPart part : operator.parts()) {
            List<PolicyRule> rules = Roles.clusterRole("", permissions.apply(PartRules.of(operator, part)))
                    .getRules();
            if (!rules.isEmpty()) {
                text.append("{{- if ")
                        .append(conditions.chosen(part::equals))
                        .append(" }}\n")
                        .append(Yaml.write(rules))
                        .append("{{- end }}\n");
            }
        }
        text.append("{{- end -}}\n\n");
    }

    private String part(String name) {
        return name.contains("metrics") ? ChartConditions.METRICS : conditions.webhooks();
    }

    private void add(String folder, String condition, ObjectNode object) {
        String part = part(name(object));
        replaceNumber(
                object,
                part.equals(ChartConditions.METRICS) ? metricsPort() : "9443",
                ChartText.value(part.equals(ChartConditions.METRICS) ? "metrics.port" : "webhook.port"));
        String body = withConversion(withAnnotations(object));
        String guarded = condition.isEmpty() ? body : "{{- if " + condition + " }}\n" + body + "{{- end }}\n";
        chart.merge(
                "templates/" + folder + "/" + name(object) + ".yaml",
                guarded,
                (before, after) -> before + "---\n" + after);
    }

    /** What needs webhooks is there only with them. */
    private static String withConversion(String body) {
        String part = CONVERSION.matcher(body).replaceAll("  {{- if " + WEBHOOKS_ENABLED + " }}\n$0  {{- end }}\n");
        return part.replace("served: " + CONVERTED, "served: {{ " + WEBHOOKS_ENABLED + " }}");
    }

    /** Puts a mark in place of what the patches of the tree have added to a definition. */
    private static void markConverted(ObjectNode object, Set<String> converted) {
        String name = object.at("/metadata/name").asText();
        for (JsonNode version : object.at("/spec/versions")) {
            if (converted.contains(name + "/" + version.path("name").asText())) {
                ((ObjectNode) version).put("served", CONVERTED);
            }
        }
    }

    /** With annotations that are there under a condition. */
    private String withAnnotations(ObjectNode object) {
        SortedMap<String, String> annotations = new TreeMap<>();
        if (Rendered.kind(object).equals("CustomResourceDefinition")) {
            annotations.put(".Values.crd.keep", "helm.sh/resource-policy: keep");
        }
        ObjectNode present = object.withObject("/metadata").withObject("/annotations");
        JsonNode authority = present.remove(CA);
        if (authority != null) {
            annotations.put(
                    CERT_MANAGER,
                    text.of(object.objectNode().put(CA, authority.textValue())).strip());
        }
        if (present.isEmpty()) {
            object.withObject("/metadata").remove("annotations");
        }
        String body = text.of(object);
        return annotations.isEmpty() ? body : body.replaceFirst("(?m)^metadata:$", "metadata:\n" + block(annotations));
    }

    /** By their conditions. */
    private static String block(SortedMap<String, String> annotations) {
        String any = annotations.size() == 1 ? annotations.firstKey() : "or " + String.join(" ", annotations.keySet());
        String lines = annotations.entrySet().stream()
                .map(line -> annotations.size() == 1
                        ? "    " + line.getValue()
                        : "    {{- if " + line.getKey() + " }}\n    " + line.getValue() + "\n    {{- end }}")
                .collect(Collectors.joining("\n"));
        return "  {{- if " + any + " }}\n  annotations:\n" + lines + "\n  {{- end }}";
    }

    private String values(ChartDeployment manager) {
        String values = Templates.read("chart/values.yaml");
        for (Map.Entry<String, JsonNode> value : manager.values().entrySet()) {
            values = values.replace(" ${manager." + value.getKey() + "}", block(value.getValue()));
        }
        String unset = values.replaceAll(" \\$\\{manager\\.[A-Za-z]+}", " {}");
        return fill(unset.replace("${metrics.port}", metricsPort()));
    }

    /** Below a key that is indented by two. */
    private static String block(JsonNode value) {
        String yaml = Yaml.write(value).stripTrailing();
        return value.isContainerNode() && !value.isEmpty()
                ? yaml.lines().map(line -> "\n    " + line).collect(Collectors.joining())
                : " " + yaml;
    }

    private String chartYaml() {
        StringBuilder yaml = new StringBuilder(fill(Templates.read("chart/Chart.yaml"))
                .replace("${summary}", Yaml.write(operator.about().summary()).strip())
                .replace("${version}", operator.about().version())
                .replace("${appVersion}", operator.about().version()));
        operator.about()
                .home()
                .ifPresent(home -> yaml.append("home: ").append(home).append('\n'));
        ObjectNode more = Yaml.readAll("keywords: []").get(0);
        operator.about().keywords().forEach(more.withArray("/keywords")::add);
        more.withArray("/maintainers").addObject().put("name", operator.about().provider());
        return yaml.append(Yaml.write(more)).toString();
    }

    private String fill(String template) {
        List<String> names = operator.parts().stream().map(OperatorPart::name).toList();
        return Form.installed(operator)
                .fill(template)
                .replace("${operators}", String.join(", ", names))
                .replace(
                        "${operators.enum}",
                        names.stream().map(name -> '"' + name + '"').collect(Collectors.joining(",\n          ")));
    }

    private String metricsPort() {
        return Rendered.of(files, "manager").stream()
                .filter(object -> Rendered.kind(object).equals("Service"))
                .map(service -> service.at("/spec/ports/0/port").asText())
                .findFirst()
                .orElseThrow();
    }

    private ObjectNode deploymentOf(String folder) {
        return Rendered.of(files, folder).stream()
                .filter(object -> Rendered.kind(object).equals("Deployment"))
                .findFirst()
                .orElseThrow();
    }

    /** Without the prefix of all. */
    private static String name(ObjectNode object) {
        String name = object.at("/metadata/name").asText();
        return name.startsWith(ChartText.PREFIX) ? name.substring(ChartText.PREFIX.length()) : name;
    }

    private static void replaceNumber(JsonNode node, String number, String replacement) {
        if (node instanceof ObjectNode object) {
            for (String field : List.of("port", "targetPort")) {
                if (object.path(field).isNumber() && object.path(field).asText().equals(number)) {
                    object.put(field, replacement);
                }
            }
        }
        node.forEach(child -> replaceNumber(child, number, replacement));
    }
}
