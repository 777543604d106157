package io.busbar.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Roles;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.manifests.yaml.Yaml;
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
            "templates/_helpers.tpl",
            "templates/NOTES.txt",
            "templates/extra-objects.yaml",
            "templates/grafana/dashboard.yaml",
            "templates/network-policy/allow-egress-traffic.yaml",
            "templates/rbac/watched-namespaces.yaml",
            "templates/tests/connection.yaml");
    private static final String MONITORED = "and .Values.metrics.enabled .Values.prometheus.enabled";
    private static final String CERT_MANAGER =
            "(and $.Values.certManager.enabled " + ChartConditions.NO_CERTIFICATE + ")";
    private static final String WEBHOOKS_ENABLED = ".Values.webhook.enabled";
    private static final String CA = "cert-manager.io/inject-ca-from";

    private static final String CONVERTED = "__converted__";
    private static final String CA_BUNDLE = "__caBundle__";
    private static final Pattern BUNDLE = Pattern.compile("(?m)^( *)caBundle: " + CA_BUNDLE + "$");
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
        for (ObjectNode object : Accounts.of(files)) {
            add(Accounts.FOLDER, conditions.chosen(part -> isOf(object, part)), object);
        }
        ObjectNode deployment = deploymentOf("manager");
        deployment
                .withObject("/metadata")
                .set("labels", deploymentOf("default").path("metadata").path("labels"));
        ChartDeployment manager = new ChartDeployment(operator, text, files, deployment);
        chart.put("templates/manager/manager.yaml", manager.template());
        PLAIN.forEach(file -> chart.put(file, fill(Templates.read("chart/" + file))));
        if (!operator.converted().isEmpty()) {
            String reset = "templates/crd/reset-conversion.yaml";
            chart.put(reset, fill(Templates.read("chart/" + reset)).replace("${job}", manager.resetConversion()));
        }
        chart.put("templates/_operators.tpl", needs());
        chart.put("Chart.yaml", chartYaml());
        chart.put("dashboards/operator.json", Dashboard.of(operator));
        String values = values(manager);
        String schema = schema();
        chart.put("values.yaml", values);
        chart.put("values.schema.json", schema);
        chart.put("README.md", fill(Templates.read("chart/README.md")) + ChartValues.table(values, schema));
    }

    private void add(ObjectNode object) {
        String kind = Rendered.kind(object);
        String name = name(object);
        switch (kind) {
            case "Namespace", "Deployment" -> {}
            case "CustomResourceDefinition" -> define(name, object);
            case "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration" -> {
                // The names that an operator with a CA of its own knows.
                object.withObject("/metadata").put("name", operator.prefix() + name);
                boolean mutating = kind.startsWith("Mutating");
                String chosen = conditions.chosen(ChartConditions.having(webhook -> webhook.mutating() == mutating));
                object.set("webhooks", ofChosen(object.path("webhooks")));
                add("webhook", "and " + conditions.webhooks() + " " + chosen, object);
            }
            case "Certificate" -> {
                ObjectNode spec = (ObjectNode) object.path("spec");
                spec.put(
                        "secretName", ChartText.named(name.startsWith("metrics-") ? "metricsSecret" : "webhookSecret"));
                spec.set("issuerRef", ChartText.lines("issuerRef"));
                spec.set("duration", ChartText.values("certManager.duration"));
                spec.set("renewBefore", ChartText.values("certManager.renewBefore"));
                add(
                        "cert-manager",
                        name.startsWith("metrics-") ? ChartConditions.METRICS_CERTIFICATE : conditions.certManager(),
                        object);
            }
            case "Issuer" ->
                add(
                        "cert-manager",
                        "and (not .Values.certManager.issuerRef) (or (" + conditions.certManager() + ") ("
                                + ChartConditions.METRICS_CERTIFICATE + "))",
                        object);
            case "ServiceMonitor" -> {
                ObjectNode endpoint = (ObjectNode) object.at("/spec/endpoints/0");
                endpoint.put("scheme", ChartText.SCHEME).set("tlsConfig", ChartText.lines("metricsTls"));
                endpoint.set("interval", ChartText.values("prometheus.serviceMonitor.interval"));
                endpoint.set("scrapeTimeout", ChartText.values("prometheus.serviceMonitor.scrapeTimeout"));
                label(object, "prometheus.serviceMonitor.labels");
                ((ObjectNode) object.at("/spec/selector")).set("matchLabels", ChartText.lines("ownLabels"));
                add("prometheus", MONITORED, object);
            }
            case "PrometheusRule" -> {
                String interval = ".Values.prometheus.rules.interval";
                object.at("/spec/groups")
                        .forEach(group -> ((ObjectNode) group)
                                .set(
                                        ChartText.MORE,
                                        text.valuesOf("(ternary dict (dict \"interval\" " + interval + ") (empty "
                                                + interval + "))")));
                label(object, "prometheus.rules.labels");
                add("prometheus", MONITORED + " .Values.prometheus.rules.enabled", object);
            }
            case "NetworkPolicy" -> {
                ((ObjectNode) object.at("/spec/podSelector")).set("matchLabels", ChartDeployment.SELECTED);
                ObjectNode rule = (ObjectNode) object.at("/spec/ingress/0");
                rule.remove("from");
                rule.set(
                        ChartText.MORE,
                        ChartText.values("networkPolicy." + (name.contains("metrics") ? "metrics" : "webhook")));
                add("network-policy", "and .Values.networkPolicy.enabled " + part(name), object);
            }
            case "Service" -> {
                ((ObjectNode) object.path("spec")).set("selector", ChartDeployment.SELECTED);
                add(name.contains("metrics") ? "metrics" : "webhook", part(name), object);
            }
            case "PodDisruptionBudget" -> {
                ((ObjectNode) object.at("/spec/selector")).set("matchLabels", ChartDeployment.SELECTED);
                ((ObjectNode) object.path("spec")).remove("maxUnavailable");
                ((ObjectNode) object.path("spec")).set(ChartText.MORE, ChartText.lines("disruptions"));
                add("manager", ".Values.manager.podDisruptionBudget.enabled", object);
            }
            case "ServiceAccount" -> {
                add("rbac", ".Values.serviceAccount.create", object);
                chart.computeIfPresent(
                        "templates/rbac/" + name + ".yaml",
                        (file, body) -> body.replace(
                                "name: " + fullName(name),
                                "name: {{ include \"" + operator.name() + ".serviceAccountName\" . }}"));
            }
            default -> addRole(object, name);
        }
    }

    /** Whether an account, its role or its binding is there for a part. */
    private static boolean isOf(ObjectNode object, OperatorPart part) {
        String name = name(object);
        return part.accounts().keySet().stream()
                .anyMatch(account -> name.equals(account) || name.matches("account-" + account + "-role(binding)?"));
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
        for (JsonNode subject : object.path("subjects")) {
            if (subject.path("kind").asText().equals("ServiceAccount")) {
                ((ObjectNode) subject).put("name", ChartText.named("serviceAccountName"));
            }
        }
        if (object.has("rules") && !rules.isEmpty()) {
            object.set("rules", ChartText.lines(rules));
        }
        if (name.equals("leader-election-role")) {
            JsonNode rule = Yaml.read(Yaml.write(
                            Roles.clusterRole("", List.of(Generated.SHARDS)).getRules()))
                    .path(0);
            text.addIf(ChartDeployment.SHARD, (ArrayNode) object.path("rules"), rule);
        }
        String condition = roleCondition(name);
        String some = rules.isEmpty() ? "" : conditions.included(rules);
        add("rbac", condition.isEmpty() || some.isEmpty() ? condition + some : condition + " " + some, object);
    }

    private String roleCondition(String name) {
        if (name.startsWith("certificates-")) {
            return conditions.selfSigned();
        }
        String secureMetrics = "and .Values.metrics.enabled .Values.metrics.secure";
        if (name.matches("(metrics-auth|live)-.*")) {
            return "or " + ChartConditions.LIVE + " (" + secureMetrics + ")";
        }
        if (name.matches("(metrics|zpages)-.*")) {
            return secureMetrics;
        }
        return name.matches(".*-(admin|editor|viewer)-role")
                ? "and .Values.rbac.helpers.enabled "
                        + conditions.chosen(ChartConditions.defining(
                                kind -> name.startsWith(kind.kind().toLowerCase(Locale.ROOT) + "-")))
                : "";
    }

    /** Each under the condition that its operator is chosen. */
    private ArrayNode ofChosen(JsonNode webhooks) {
        ArrayNode chosen = ((ArrayNode) webhooks).arrayNode();
        for (JsonNode webhook : webhooks) {
            override((ObjectNode) webhook);
            text.addIf(
                    conditions.chosen(ChartConditions.having(manifest ->
                            manifest.name().equals(webhook.path("name").asText()))),
                    chosen,
                    webhook);
        }
        return chosen;
    }

    /** Has the values say what a webhook does not have to leave as it was declared; selectors are narrowed by them. */
    private void override(ObjectNode webhook) {
        String own = "(get $.Values.webhook.overrides \"" + webhook.path("name").asText() + "\" | default dict)";
        for (String field : List.of("failurePolicy", "timeoutSeconds")) {
            String declared = webhook.path(field).isNumber()
                    ? webhook.path(field).asText()
                    : '"' + webhook.path(field).asText() + '"';
            webhook.put(
                    field,
                    text.valueOf(
                            own + "." + field + " | default $.Values.webhook." + field + " | default " + declared));
        }
        narrow(webhook, "objectSelector", own);
        if (webhook.at("/rules/0/scope").asText().equals("Namespaced") || webhook.has("namespaceSelector")) {
            narrow(webhook, "namespaceSelector", own);
        }
        ((ObjectNode) webhook.path("clientConfig")).put("caBundle", CA_BUNDLE);
    }

    private void narrow(ObjectNode webhook, String selector, String own) {
        String more = own + "." + selector;
        if (!(webhook.get(selector) instanceof ObjectNode declared)) {
            webhook.set(selector, text.valuesOf(more));
            return;
        }
        ArrayNode expressions = declared.withArrayProperty("matchExpressions");
        declared.path("matchLabels")
                .properties()
                .forEach(label -> expressions
                        .addObject()
                        .put("key", label.getKey())
                        .put("operator", "In")
                        .putArray("values")
                        .add(label.getValue()));
        expressions.add(text.valuesOf("(" + more + " | default dict).matchExpressions"));
        declared.set("matchLabels", text.valuesOf("(" + more + " | default dict).matchLabels"));
    }

    private static void label(ObjectNode object, String values) {
        object.withObject("/metadata").withObject("/labels").set(ChartText.MORE, ChartText.values(values));
    }

    /** Helpers that say what the chosen operators need. */
    private String needs() {
        StringBuilder text = new StringBuilder();
        define(text, "cluster", "what is in no namespace", PartRules::cluster);
        define(text, "events", "Events about what is in no namespace, which stand in default", PartRules::events);
        define(text, "namespaced", "what is in the namespaces that are watched", PartRules::namespaced);
        define(text, "own", "what is in the operator's own namespace", PartRules::ownNamespace);
        define(text, "certificates", "webhooks to be registered with the operator's own CA", PartRules::certificates);
        define(text, "conversions", "conversions to be set back", PartRules::conversions);
        return text.append(fill(Templates.read("chart/templates/_operators.tpl"))
                        .replace("${anyWebhooks}", conditions.chosen(ChartConditions::hasWebhooks)))
                .toString();
    }

    /**
     * It is there for a chosen operator. One that is kept when its operator is chosen no more stays part of the
     * release, as Helm can't roll back to a definition that is there and not its own; nothing is converted then.
     */
    private void define(String name, ObjectNode definition) {
        markConverted(definition, ConversionPatches.converted(operator));
        if (definition.at("/spec/conversion/webhook/clientConfig") instanceof ObjectNode client) {
            client.put("caBundle", CA_BUNDLE);
        }
        String chosen = conditions.chosen(
                ChartConditions.defining(kind -> kind.toString().equals(name)));
        String here = "(dict \"root\" . \"definition\" \"" + name + "\")";
        String kept = "(include \"" + operator.name() + ".keepsDefinition\" " + here + ")";
        add("crd", "and .Values.crd.enabled (or " + chosen + " " + kept + ")", definition);
        chart.computeIfPresent(
                "templates/crd/" + name + ".yaml",
                (file, body) -> body.replace("if " + WEBHOOKS_ENABLED, "if and " + WEBHOOKS_ENABLED + " " + chosen)
                        .replace("served: {{ " + WEBHOOKS_ENABLED, "served: {{ and " + WEBHOOKS_ENABLED + " " + chosen)
                        .replaceFirst(
                                "\n",
                                Matcher.quoteReplacement("\n{{- include \"" + operator.name() + ".checkDefinition\" "
                                        + here + " }}\n")));
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
        String body = BUNDLE.matcher(withConversion(withAnnotations(object)))
                .replaceAll(
                        "$1{{- if and .Values.webhook.certificate.secretName .Values.webhook.certificate.caBundle }}\n"
                                + "$1caBundle: {{ b64enc .Values.webhook.certificate.caBundle }}\n$1{{- end }}");
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

    /** With annotations that are there under a condition, or that users give. */
    private String withAnnotations(ObjectNode object) {
        SortedMap<String, String> annotations = new TreeMap<>();
        annotations.put(".Values.commonAnnotations", given(".Values.commonAnnotations"));
        switch (Rendered.kind(object)) {
            case "CustomResourceDefinition" -> annotations.put(".Values.crd.keep", "helm.sh/resource-policy: keep");
            case "ServiceAccount" ->
                annotations.put(".Values.serviceAccount.annotations", given(".Values.serviceAccount.annotations"));
            default -> {}
        }
        ObjectNode present = object.withObject("/metadata").withObject("/annotations");
        JsonNode authority = present.remove(CA);
        if (authority != null) {
            annotations.put(
                    CERT_MANAGER,
                    text.of(object.objectNode().put(CA, authority.textValue())).strip());
        }
        present.properties()
                .forEach(one -> annotations.merge(
                        "true",
                        Yaml.write(object.objectNode().set(one.getKey(), one.getValue()))
                                .strip(),
                        (before, after) -> before + "\n    " + after));
        object.withObject("/metadata").remove("annotations");
        return text.of(object)
                .replaceFirst("(?m)^metadata:$", Matcher.quoteReplacement("metadata:\n" + block(annotations)));
    }

    private static String given(String values) {
        return "{{- toYaml " + values + " | nindent 4 }}";
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
        String overrides =
                webhookNames().stream().map(name -> "\n    " + name + ": {}").collect(Collectors.joining());
        return fill(unset.replace("${metrics.port}", metricsPort())
                .replace(" ${webhooks}", overrides.isEmpty() ? " {}" : overrides));
    }

    /** Below a key that is indented by two. */
    private static String block(JsonNode value) {
        String yaml = Yaml.write(value).stripTrailing();
        return value.isContainerNode() && !value.isEmpty()
                ? yaml.lines().map(line -> "\n    " + line).collect(Collectors.joining())
                : " " + yaml;
    }

    /** With the names of operators, and of webhooks, that values may speak of. */
    private String schema() {
        String overrides = webhookNames().stream()
                .map(name -> '"' + name + "\": {\"$ref\": \"#/definitions/webhook\"}")
                .collect(Collectors.joining(",\n            "));
        return fill(Templates.read("chart/values.schema.json")).replace("${webhooks}", overrides);
    }

    private List<String> webhookNames() {
        return operator.all(OperatorPart::webhooks).stream()
                .map(WebhookManifest::name)
                .toList();
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
                .replace("${next}\n", next())
                .replace("${operators}", String.join(", ", names))
                .replace(
                        "${operators.enum}",
                        names.stream().map(name -> '"' + name + '"').collect(Collectors.joining(",\n          ")));
    }

    /** For the notes: what to look at, kind by kind of the chosen operators. */
    private String next() {
        StringBuilder text = new StringBuilder();
        for (OperatorPart part : operator.parts()) {
            if (!part.kinds().isEmpty()) {
                text.append("{{- if ").append(conditions.chosen(part::equals)).append(" }}\n");
                part.kinds().stream()
                        .map(ResourceType::toString)
                        .distinct()
                        .forEach(kind -> text.append("\n  kubectl explain ")
                                .append(kind.substring(0, kind.indexOf('.')))
                                .append(".spec\n  kubectl get ")
                                .append(kind)
                                .append(" --all-namespaces"));
                text.append("\n{{- end }}\n");
            }
        }
        return text.toString();
    }

    private String fullName(String name) {
        return "{{ include \"" + operator.name() + ".fullname\" . }}-" + name;
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
