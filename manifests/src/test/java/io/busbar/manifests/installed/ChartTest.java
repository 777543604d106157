package io.busbar.manifests.installed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.busbar.manifests.yaml.Yaml;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Helm itself says of the chart, and makes of it. */
class ChartTest {

    private static final Helm HELM = new Helm(CheckedIn.CHART);

    @Test
    void passes_lint() {
        LintResult lint = HELM.lint().strict().call();

        assertThat(lint.isFailed()).as("%s", lint.getMessages()).isFalse();
        assertThat(lint.getMessages()).noneMatch(message -> message.contains("[WARNING]"));
    }

    @Test
    void installs_by_default_what_the_file_to_apply_installs() {
        Map<String, ObjectNode> installed = unlabelled(CheckedIn.objects("dist/install.yaml"));
        installed
                .keySet()
                .removeIf(key -> key.startsWith("Namespace ") || key.matches(".*-(admin|editor|viewer)-role"));

        assertThat(unlabelled(template("busbar", "busbar-system", Map.of()))).isEqualTo(installed);
    }

    @Test
    void installs_without_cert_manager_what_the_other_file_installs() {
        Map<String, ObjectNode> installed = unlabelled(CheckedIn.objects("dist/install-self-signed.yaml"));
        installed.keySet().removeIf(key -> key.startsWith("Namespace "));

        assertThat(unlabelled(template(
                        "busbar", "busbar-system", Map.of("certManager.enabled", false, "rbac.helpers.enabled", true))))
                .isEqualTo(installed);
    }

    @Test
    void leaves_out_what_is_switched_off() {
        Set<String> kinds = kinds(Map.of(
                "crd.enabled", false,
                "webhook.enabled", false,
                "metrics.enabled", false,
                "certManager.enabled", false,
                "manager.podDisruptionBudget.enabled", false));

        assertThat(kinds)
                .containsExactlyInAnyOrder(
                        "ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "Deployment");
    }

    @Test
    void serves_metrics_to_all_only_if_told_to() {
        Map<String, Object> values = Map.of("prometheus.enabled", true, "metrics.secure", false);
        String open = Yaml.writeAll(template("busbar", "busbar-system", values));

        assertThat(open)
                .contains("--metrics-secure=false", "scheme: http\n")
                .doesNotContain("metrics-auth", "--metrics-cert");
        assertThat(Yaml.writeAll(template("busbar", "busbar-system", Map.of("prometheus.enabled", true))))
                .contains("--metrics-cert-path=", "scheme: https\n", "busbar-metrics-auth-role")
                .doesNotContain("--metrics-secure");
    }

    @Test
    void adds_what_is_switched_on() {
        assertThat(kinds(Map.of("prometheus.enabled", true, "networkPolicy.enabled", true)))
                .contains("ServiceMonitor", "PrometheusRule", "NetworkPolicy");
    }

    @Test
    void opens_the_ports_that_the_values_say() {
        List<ObjectNode> objects = template(
                "busbar",
                "busbar-system",
                Map.of("metrics.port", 9100, "webhook.port", 9500, "networkPolicy.enabled", true));
        String all = Yaml.writeAll(objects.stream()
                .filter(object -> Set.of("Deployment", "Service", "NetworkPolicy")
                        .contains(object.path("kind").asText()))
                .toList());

        assertThat(all)
                .contains(
                        "--metrics-bind-address=:9100",
                        "--webhook-port=9500",
                        "containerPort: 9100",
                        "targetPort: 9500")
                .doesNotContain("9443");
    }

    @Test
    void keeps_the_definitions_on_uninstall_unless_told_otherwise() {
        assertThat(annotationsOfDefinitions(Map.of())).containsOnly("keep");
        assertThat(annotationsOfDefinitions(Map.of("crd.keep", false))).containsOnly("");
    }

    @Test
    void converts_no_definition_without_webhooks() {
        List<ObjectNode> definitions = template("busbar", "busbar-system", Map.of("webhook.enabled", false)).stream()
                .filter(object -> object.path("kind").asText().equals("CustomResourceDefinition"))
                .toList();

        assertThat(Yaml.writeAll(definitions))
                .contains("  served: true", "  served: false")
                .doesNotContain("conversion:", "__");
    }

    @Test
    void names_its_objects_after_the_release_and_all_of_them_in_its_namespace() {
        List<ObjectNode> objects = template("blue", "elsewhere", Map.of("prometheus.enabled", true));

        assertThat(objects)
                .filteredOn(object -> object.at("/metadata").has("namespace"))
                .hasSizeGreaterThan(8)
                .allSatisfy(object -> {
                    assertThat(object.at("/metadata/namespace").asText()).isEqualTo("elsewhere");
                    assertThat(object.at("/metadata/name").asText()).startsWith("blue-busbar-");
                });
        assertThat(Yaml.writeAll(objects))
                .doesNotContain("busbar-system")
                .contains("blue-busbar-webhook-service.elsewhere.svc")
                .contains("cert-manager.io/inject-ca-from: elsewhere/blue-busbar-serving-cert")
                .contains("{{ $labels.controller }}");
    }

    @Test
    void shares_nothing_with_another_release_in_its_namespace_but_what_a_cluster_has_once() {
        Map<String, ObjectNode> blue =
                CheckedIn.byKey(template("blue", "shared", Map.of("networkPolicy.enabled", true)));
        Map<String, ObjectNode> green =
                CheckedIn.byKey(template("green", "shared", Map.of("networkPolicy.enabled", true)));
        Set<String> both = new TreeSet<>(blue.keySet());
        both.retainAll(green.keySet());

        assertThat(both)
                .hasSize(10)
                .allMatch(key -> key.matches("(CustomResource|.*Webhook)(Definition|Configuration) .*"));
        assertThat(selectors(blue))
                .hasSize(6)
                .allSatisfy(selector -> assertThat(selector).contains("\"blue\""));
        assertThat(Yaml.writeAll(green.values()))
                .contains(
                        "--leader-election-id=green-busbar-leader-election",
                        "secretName: green-busbar-webhook-server-cert")
                .contains("secretName: green-busbar-metrics-server-cert")
                .doesNotContain("secretName: webhook-server-cert", "secretName: metrics-server-cert", "blue");
        assertThat(Yaml.writeAll(template("green", "shared", Map.of("certManager.enabled", false))))
                .contains(
                        "--webhook-cert-secret=green-busbar-webhook-ca",
                        "--webhook-service=green-busbar-webhook-service");
    }

    /** By which Pods are chosen. */
    private static List<String> selectors(Map<String, ObjectNode> objects) {
        return objects.values().stream()
                .flatMap(object ->
                        Stream.of("/spec/selector", "/spec/podSelector").map(object::at))
                .filter(JsonNode::isObject)
                .map(JsonNode::toString)
                .toList();
    }

    @Test
    void keeps_the_selector_of_a_Deployment_that_was_there_before_releases_had_labels_of_their_own() {
        Map<String, ObjectNode> old =
                CheckedIn.byKey(template("busbar", "busbar-system", Map.of("manager.oldSelector", true)));

        assertThat(selectors(old)).hasSize(4).noneMatch(selector -> selector.contains("instance"));
        assertThat(old.get("Deployment busbar-system/busbar-controller-manager")
                        .at("/spec/template/metadata/labels")
                        .path("app.kubernetes.io/instance")
                        .asText())
                .isEqualTo("busbar");
    }

    @Test
    void runs_the_image_of_its_version_unless_told_otherwise() {
        assertThat(Yaml.writeAll(template("busbar", "busbar-system", Map.of())))
                .containsPattern("image: busbar:[0-9]+\\.");
        assertThat(Yaml.writeAll(template("busbar", "busbar-system", Map.of("manager.image.tag", "7"))))
                .contains("busbar:7");
    }

    @Test
    void has_Prometheus_verify_a_certificate_that_others_can_verify() {
        String verified = monitor(Map.of());
        assertThat(verified)
                .contains("name: metrics-server-cert")
                .contains("serverName: busbar-controller-manager-metrics-service.busbar-system.svc")
                .doesNotContain("insecureSkipVerify");
        assertThat(monitor(Map.of("certManager.enabled", false))).contains("insecureSkipVerify: true");
    }

    private static String monitor(Map<String, Object> values) {
        Map<String, Object> all = new TreeMap<>(values);
        all.put("prometheus.enabled", true);
        return Yaml.writeAll(template("busbar", "busbar-system", all).stream()
                .filter(object -> object.path("kind").asText().equals("ServiceMonitor"))
                .toList());
    }

    @Test
    void takes_what_users_add() {
        JsonNode pod = template(
                        "busbar",
                        "busbar-system",
                        Map.of(
                                "manager.extraArgs[0]", "--operators=sidecarset",
                                "manager.extraEnv[0].name", "HTTPS_PROXY",
                                "manager.envFrom[0].secretRef.name", "more",
                                "manager.log.level", "debug",
                                "manager.jvm.maxRAMPercentage", 50,
                                "manager.nodeSelector.disk", "ssd",
                                "manager.priorityClassName", "important",
                                "manager.image.tag", "7"))
                .stream()
                .filter(object -> object.path("kind").asText().equals("Deployment"))
                .findFirst()
                .orElseThrow()
                .at("/spec/template/spec");

        assertThat(pod.at("/containers/0/args").toString())
                .as("nothing that users add takes away what makes two replicas safe")
                .contains("--operators=sidecarset", "--log-level=debug", "--leader-elect", "--log-format=json");
        assertThat(pod.at("/containers/0/env").findValuesAsText("name"))
                .containsExactly("JAVA_TOOL_OPTIONS", "HTTPS_PROXY");
        assertThat(pod.at("/containers/0/env/0/value").asText())
                .contains("-XX:+ExitOnOutOfMemoryError", "-XX:MaxRAMPercentage=50");
        assertThat(pod.at("/containers/0/envFrom/0/secretRef/name").asText()).isEqualTo("more");
        assertThat(pod.at("/nodeSelector/disk").asText()).isEqualTo("ssd");
        assertThat(pod.path("priorityClassName").asText()).isEqualTo("important");
        assertThat(pod.at("/containers/0/image").asText()).endsWith(":7");
    }

    @Test
    void lets_only_one_replica_do_without_an_election() {
        Map<String, Object> alone = Map.of("manager.leaderElection.enabled", false, "manager.replicas", 1);

        assertThat(Yaml.writeAll(template("busbar", "busbar-system", alone))).doesNotContain("--leader-elect");
        assertThatThrownBy(() -> template("busbar", "busbar-system", Map.of("manager.leaderElection.enabled", false)))
                .hasMessageContaining("manager.leaderElection.enabled: false is not allowed with manager.replicas: 2;"
                        + " allowed: true, or one replica");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            manager.args[0]              | --log-level=debug | args
            manager.replica              | 3                 | replica
            manager.extraArgs[0]         | --leader-elect=false | extraArgs
            manager.extraArgs[0]         | --no-lease        | extraArgs
            manager.extraArgs[0]         | run               | extraArgs
            manager.log.level            | loud              | level
            manager.jvm.maxRAMPercentage | 0                 | maxRAMPercentage
            metrics.port                 | 70000             | port
            webhooks.enabled             | true              | webhooks
            """)
    void refuses_values_that_it_does_not_know(String path, String value, String named) {
        assertThatThrownBy(() -> template("busbar", "busbar-system", Map.of(path, value)))
                .hasMessageContaining("values don't meet the specifications of the schema")
                .hasMessageContaining(named);
    }

    private static Set<String> kinds(Map<String, Object> values) {
        return template("busbar", "busbar-system", values).stream()
                .map(object -> object.path("kind").asText())
                .collect(Collectors.toSet());
    }

    private static List<String> annotationsOfDefinitions(Map<String, Object> values) {
        return template("busbar", "busbar-system", values).stream()
                .filter(object -> object.path("kind").asText().equals("CustomResourceDefinition"))
                .map(object -> object.at("/metadata/annotations")
                        .path("helm.sh/resource-policy")
                        .asText())
                .toList();
    }

    /** Without what only Helm puts on objects, and with flags in one order. */
    private static Map<String, ObjectNode> unlabelled(List<ObjectNode> objects) {
        objects.forEach(object -> {
            ObjectNode metadata = (ObjectNode) object.path("metadata");
            metadata.withObject("/labels")
                    .remove(List.of("app.kubernetes.io/managed-by", "app.kubernetes.io/instance", "helm.sh/chart"));
            for (String labels :
                    List.of("/spec/selector", "/spec/selector/matchLabels", "/spec/template/metadata/labels")) {
                if (object.at(labels) instanceof ObjectNode chosen) {
                    chosen.remove("app.kubernetes.io/instance");
                }
            }
            if (object.at("/spec/template/spec/containers/0") instanceof ObjectNode container) {
                container.put("image", container.path("image").asText().replaceFirst(":.*", ""));
            }
            metadata.withObject("/annotations").remove("helm.sh/resource-policy");
            if (metadata.path("annotations").isEmpty()) {
                metadata.remove("annotations");
            }
            if (object.at("/spec/template/spec/containers/0/args") instanceof ArrayNode flags) {
                List<JsonNode> sorted = new ArrayList<>();
                flags.forEach(sorted::add);
                sorted.sort(Comparator.comparing(JsonNode::asText));
                flags.removeAll().addAll(sorted);
            }
        });
        return new TreeMap<>(CheckedIn.byKey(objects));
    }

    private static List<ObjectNode> template(String release, String namespace, Map<String, Object> values) {
        TemplateCommand command =
                HELM.template().withName(release).withNamespace(namespace).withKubeVersion("1.33.1");
        command.set("lookup.enabled", false); // this library looks for a cluster where Helm's own command does not
        values.forEach(command::set);
        return Yaml.readAll(command.call());
    }
}
