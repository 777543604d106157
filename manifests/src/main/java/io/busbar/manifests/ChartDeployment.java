package io.busbar.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.manifests.yaml.Yaml;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Deployment of the tree as a template, and what of it becomes values.
 *
 * <p>One thread.
 */
final class ChartDeployment {

    private static final String LEADER_ELECTION = ".Values.manager.leaderElection.enabled";
    static final String SHARD = ".Values.manager.shard.enabled";
    /** The labels by which the release's Pods are found. */
    static final TextNode SELECTED = ChartText.lines("selectorLabels");

    /** What any command in a Pod needs. */
    private static final Set<String> TOKEN_VOLUMES = Set.of("tmp", "api-token");

    private static final Pattern HEAP = Pattern.compile(" *-XX:MaxRAMPercentage=(\\d+)");

    private final OperatorDeclaration operator;
    private final ChartConditions conditions;
    private final ChartText text;
    private final ObjectNode deployment;
    /** Those of each command, not of {@code run} alone. */
    private final JsonNode variables;

    private final Map<String, JsonNode> values = new LinkedHashMap<>();

    /**
     * @param files of the tree
     * @param deployment as it is without patches; is changed
     */
    ChartDeployment(OperatorDeclaration operator, ChartText text, Map<String, String> files, ObjectNode deployment) {
        this.operator = operator;
        this.conditions = new ChartConditions(operator);
        this.text = text;
        this.deployment = deployment;
        ObjectNode container = (ObjectNode) at("/spec/template/spec/containers/0");
        arguments(container);
        variables = environment(container);
        ports(container);
        new TreeMap<>(patches()).forEach((file, condition) -> {
            for (JsonNode operation : Yaml.read(Rendered.file(files, file))) {
                String list = operation.path("path").asText().replaceFirst("/-$", "");
                text.addIf(condition, (ArrayNode) at(list), ofRelease(operation.path("value")));
            }
        });
        ((ObjectNode) at("/spec/selector")).set("matchLabels", SELECTED);
        ((ObjectNode) at("/spec/template/metadata")).set("labels", ChartText.lines("podLabels"));
        ((ObjectNode) at("/spec/template/metadata/annotations"))
                .set(ChartText.MORE, ChartText.values("manager.podAnnotations"));
        clientCa(container);
        fields(container);
    }

    /** What patches the Deployment in the tree, and when it is to in a chart. */
    private Map<String, String> patches() {
        return Map.of(
                "default/manager_webhook_patch.yaml", conditions.mounted(),
                "default/cert_metrics_manager_patch.yaml", ChartConditions.MOUNTED_FOR_METRICS,
                "self-signed/manager_webhook_patch.yaml", conditions.selfSigned());
    }

    /** Each release has Secrets of its own. */
    private static JsonNode ofRelease(JsonNode value) {
        JsonNode secret = value.path("secret");
        if (secret instanceof ObjectNode mounted) {
            boolean webhook = mounted.path("secretName").asText().startsWith("webhook-");
            mounted.put("secretName", ChartText.named(webhook ? "webhookSecret" : "metricsSecret"));
        }
        return value;
    }

    String template() {
        return """
                {{- include "%s.checks" . }}
                """.formatted(operator.name()) + text(deployment);
    }

    private String text(ObjectNode object) {
        return text.of(object)
                .replace("image: __image__", "image: \"{{ include \"" + operator.name() + ".image\" . }}\"")
                .replace(
                        "value: __jvm__",
                        "value: {{ printf \"%s -XX:MaxRAMPercentage=%v\" .Values.manager.jvm.options"
                                + " .Values.manager.jvm.maxRAMPercentage | trim | quote }}");
    }

    /**
     * A Job with the same container, for the command {@code reset-conversion}: a hook before the release is deleted.
     */
    String resetConversion() {
        ObjectNode job = deployment.objectNode().put("apiVersion", "batch/v1").put("kind", "Job");
        ObjectNode metadata = job.putObject("metadata")
                .put("name", ChartText.PREFIX + "reset-conversion")
                .put("namespace", ChartText.NAMESPACE);
        metadata.set("annotations", ChartText.lines("beforeDelete"));
        metadata.set("labels", ChartText.lines("labels"));
        ObjectNode spec =
                job.putObject("spec").put("activeDeadlineSeconds", 300).put("backoffLimit", 3);
        ObjectNode template = spec.putObject("template");
        template.putObject("metadata").set("labels", ChartText.lines("labels"));
        ObjectNode pod = at("/spec/template/spec").deepCopy();
        pod.remove(List.of("affinity", "terminationGracePeriodSeconds", "topologySpreadConstraints"));
        pod.put("restartPolicy", "Never").put("serviceAccountName", ChartText.PREFIX + "reset-conversion");
        pod.set("volumes", ofToken(pod.path("volumes")));
        ObjectNode container = (ObjectNode) pod.at("/containers/0");
        container.remove(List.of("livenessProbe", "ports", "readinessProbe", "startupProbe"));
        container.set("env", variables);
        container.put("name", "reset-conversion").set("volumeMounts", ofToken(container.path("volumeMounts")));
        ArrayNode arguments = container.putArray("args").add("reset-conversion");
        arguments.add("--webhook-service=" + ChartText.PREFIX + "webhook-service");
        text.addIf("$.Values.operators", arguments, "--operators=" + ChartText.joined("operators"));
        template.set("spec", pod);
        return text(job).replace(".beforeDelete\" .", ".beforeDelete\" \"0\"");
    }

    /** Without what the operator alone has to read. */
    private ArrayNode ofToken(JsonNode volumes) {
        ArrayNode kept = deployment.arrayNode();
        for (JsonNode volume : volumes) {
            if (TOKEN_VOLUMES.contains(volume.path("name").asText())) {
                kept.add(volume);
            }
        }
        return kept;
    }

    /** By their path below {@code manager}. */
    Map<String, JsonNode> values() {
        return values;
    }

    /** Those that follow from other values stay; the rest are the user's. */
    private void arguments(ObjectNode container) {
        ArrayNode free = deployment.arrayNode();
        ArrayNode arguments = deployment.arrayNode();
        for (JsonNode argument : container.path("args")) {
            String flag = argument.asText();
            if (flag.startsWith("--metrics-bind-address=")) {
                text.addIf(
                        ChartConditions.METRICS,
                        arguments,
                        "--metrics-bind-address=:" + ChartText.value("metrics.port"));
                text.addIf(
                        "and " + ChartConditions.METRICS + " (not .Values.metrics.secure)",
                        arguments,
                        "--metrics-secure=false");
            } else if (flag.startsWith("--webhook-port=")) {
                text.addIf(conditions.webhooks(), arguments, "--webhook-port=" + ChartText.value("webhook.port"));
                text.addIf("not " + conditions.webhooks(), arguments, "--webhook-certs=none");
            } else if (flag.equals("--leader-elect")) {
                text.addIf("and " + LEADER_ELECTION + " (not " + SHARD + ")", arguments, flag);
                text.addIf(SHARD, arguments, "--shard");
            } else if (flag.startsWith("--log-format=")) {
                arguments.add("--log-format=" + ChartText.value("manager.log.format"));
                text.addIf(
                        "ne .Values.manager.log.level \"info\"",
                        arguments,
                        "--log-level=" + ChartText.value("manager.log.level"));
            } else if (flag.startsWith("--health-probe-")) {
                arguments.add("--health-probe-bind-address=:" + ChartText.value("manager.healthProbePort"));
            } else if (flag.startsWith("--shutdown-delay-")) {
                arguments.add("--shutdown-delay-duration=" + ChartText.value("manager.shutdownDelay"));
            } else if (!flag.startsWith("--")) {
                arguments.add(argument);
            } else {
                free.add(argument);
            }
        }
        // The names that the operator knows are those of a release of its own name.
        String renamed = "ne (include \"%1$s.fullname\" .) \"%1$s\"".formatted(operator.name());
        text.addIf(renamed, arguments, "--leader-election-id=" + ChartText.PREFIX + "leader-election");
        text.addIf(
                conditions.selfSigned() + " (" + renamed + ")",
                arguments,
                "--webhook-cert-secret=" + ChartText.PREFIX + "webhook-ca");
        text.addIf("$.Values.operators", arguments, "--operators=" + ChartText.joined("operators"));
        text.addIf(ChartConditions.LIVE, arguments, "--live-bind-address=:" + ChartText.value("live.port"));
        text.addIf(ChartConditions.WATCHED, arguments, "--watch-namespaces=" + ChartText.joined("watchNamespaces"));
        arguments.add(ChartText.values("manager.extraArgs"));
        container.set("args", arguments);
        values.put("extraArgs", free);
    }

    /** Gives those of each command. */
    private JsonNode environment(ObjectNode container) {
        ObjectNode jvm = (ObjectNode) container.at("/env/0");
        Matcher heap = HEAP.matcher(jvm.path("value").asText());
        heap.find();
        values.put("maxRAMPercentage", IntNode.valueOf(Integer.parseInt(heap.group(1))));
        values.put("jvmOptions", TextNode.valueOf(heap.replaceFirst("")));
        jvm.put("value", "__jvm__");
        container.set("envFrom", ChartText.values("manager.envFrom"));
        ArrayNode all = container.withArrayProperty("env");
        ArrayNode ofCommands = all.deepCopy().add(ChartText.values("manager.extraEnv"));
        text.addIf(SHARD, all, Generated.shardTemplate(operator));
        all.add(ChartText.values("manager.extraEnv"));
        return ofCommands;
    }

    private void ports(ObjectNode container) {
        ArrayNode ports = deployment.arrayNode();
        for (JsonNode port : container.path("ports")) {
            switch (port.path("name").asText()) {
                case "webhook-server" ->
                    text.addIf(
                            conditions.webhooks(),
                            ports,
                            ((ObjectNode) port).put("containerPort", ChartText.value("webhook.port")));
                case "metrics" ->
                    text.addIf(
                            ChartConditions.METRICS,
                            ports,
                            ((ObjectNode) port).put("containerPort", ChartText.value("metrics.port")));
                default ->
                    ports.add(((ObjectNode) port).put("containerPort", ChartText.value("manager.healthProbePort")));
            }
        }
        ObjectNode live = deployment.objectNode().put("containerPort", ChartText.value("live.port"));
        text.addIf(ChartConditions.LIVE, ports, live.put("name", "live").put("protocol", "TCP"));
        container.set("ports", ports);
    }

    private void fields(ObjectNode container) {
        ObjectNode spec = (ObjectNode) at("/spec");
        ObjectNode pod = (ObjectNode) at("/spec/template/spec");
        scalar(spec, "replicas");
        scalar(pod, "terminationGracePeriodSeconds");
        container.put("image", "__image__");
        container.put("imagePullPolicy", ChartText.value("manager.image.pullPolicy"));
        field(spec, "strategy", "strategy");
        field(container, "resources", "resources");
        field(container, "securityContext", "securityContext");
        field(pod, "securityContext", "podSecurityContext");
        for (String name :
                new String[] {"topologySpreadConstraints", "affinity", "nodeSelector", "tolerations", "imagePullSecrets"
                }) {
            field(pod, name, name);
        }
        for (String name : new String[] {"priorityClassName", "hostNetwork", "dnsConfig"}) {
            field(pod, name, name);
        }
        pod.set("dnsPolicy", text.valuesOf("(include \"" + operator.name() + ".dnsPolicy\" .)"));
        pod.put("serviceAccountName", ChartText.named("serviceAccountName"));
        field(spec, "revisionHistoryLimit", "revisionHistoryLimit");
        for (String probe : new String[] {"livenessProbe", "readinessProbe", "startupProbe"}) {
            ObjectNode times = (ObjectNode) container.path(probe);
            container
                    .putObject(probe)
                    .<ObjectNode>set("httpGet", times.remove("httpGet"))
                    .set(ChartText.MORE, ChartText.values("manager." + probe));
            values.put(probe, times);
        }
        ((ArrayNode) pod.get("volumes")).add(ChartText.values("manager.extraVolumes"));
        ((ArrayNode) container.get("volumeMounts")).add(ChartText.values("manager.extraVolumeMounts"));
    }

    private void clientCa(ObjectNode container) {
        String folder = "/tmp/k8s-webhook-server/client-ca";
        String condition = conditions.clientCa();
        text.addIf(
                condition,
                (ArrayNode) container.get("args"),
                "--webhook-client-ca=" + folder + "/" + ChartText.value("webhook.clientCA.key"));
        ObjectNode mount = deployment.objectNode();
        mount.put("name", "webhook-client-ca").put("mountPath", folder).put("readOnly", true);
        text.addIf(condition, (ArrayNode) container.get("volumeMounts"), mount);
        for (String kind : new String[] {"secret", "configMap"}) {
            ObjectNode volume = deployment.objectNode().put("name", "webhook-client-ca");
            volume.putObject(kind)
                    .put(
                            kind.equals("secret") ? "secretName" : "name",
                            ChartText.value("webhook.clientCA." + kind + "Name"));
            text.addIf(conditions.clientCa(kind), (ArrayNode) at("/spec/template/spec/volumes"), volume);
        }
    }

    private void scalar(ObjectNode parent, String name) {
        values.put(name, parent.get(name));
        parent.put(name, ChartText.value("manager." + name));
    }

    private void field(ObjectNode parent, String name, String value) {
        if (parent.has(name)) {
            values.put(value, parent.get(name));
        }
        parent.set(name, ChartText.values("manager." + value));
    }

    private JsonNode at(String pointer) {
        return deployment.at(pointer);
    }
}
