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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** Labels that only a release has. */
    private static final List<String> OF_HELM = List.of(
            "app.kubernetes.io/component",
            "app.kubernetes.io/instance",
            "app.kubernetes.io/managed-by",
            "app.kubernetes.io/part-of",
            "app.kubernetes.io/version",
            "helm.sh/chart");

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
    void serves_the_live_page_with_what_it_needs_to_ask_who_may_see_it() {
        List<ObjectNode> live = template(
                "busbar", "busbar-system", Map.of("live.enabled", true, "live.port", 9444, "metrics.enabled", false));

        assertThat(Yaml.writeAll(live))
                .containsOnlyOnce("--live-bind-address=:9444")
                .contains("containerPort: 9444");
        assertThat(names(live, "ClusterRole")).contains("busbar-live-reader", "busbar-metrics-auth-role");
        assertThat(names(live, "ClusterRoleBinding")).contains("busbar-metrics-auth-rolebinding");
        assertThat(Yaml.writeAll(template("busbar", "busbar-system", Map.of()))).doesNotContain("--live-bind-address");
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
    void sets_conversion_back_before_an_uninstall_with_no_more_rights_than_that() throws IOException {
        Map<String, ObjectNode> hooks = CheckedIn.byKey(hooks("blue", "shared", only("sidecarset")));
        String name = "blue-busbar-reset-conversion";

        assertThat(hooks)
                .containsOnlyKeys(
                        "ServiceAccount shared/" + name,
                        "ClusterRole /" + name,
                        "ClusterRoleBinding /" + name,
                        "Job shared/" + name);
        assertThat(hooks.values()).allSatisfy(hook -> {
            JsonNode annotations = hook.at("/metadata/annotations");
            assertThat(annotations.path("hook").asText()).isEqualTo("pre-delete");
            assertThat(annotations.path("hook-delete-policy").asText())
                    .isEqualTo("before-hook-creation,hook-succeeded");
            assertThat(annotations.path("hook-weight").asText())
                    .isEqualTo(hook.path("kind").asText().equals("Job") ? "0" : "-5");
        });
        assertThat(Grants.of(List.copyOf(hooks.values())))
                .containsExactlyInAnyOrder(
                        "everywhere: get customresourcedefinitions.apiextensions.k8s.io sidecarsets.apps.kruise.io",
                        "everywhere: patch customresourcedefinitions.apiextensions.k8s.io sidecarsets.apps.kruise.io");
        JsonNode template = hooks.get("Job shared/" + name).at("/spec/template");
        assertThat(RestrictedProfile.violations(template)).isEmpty();
        JsonNode pod = template.path("spec");
        JsonNode manager = CheckedIn.byKey(template("blue", "shared", only("sidecarset")))
                .get("Deployment shared/blue-busbar-controller-manager")
                .at("/spec/template/spec");
        assertThat(pod.path("serviceAccountName").asText()).isEqualTo(name);
        assertThat(pod.at("/containers/0/args"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        "reset-conversion", "--webhook-service=blue-busbar-webhook-service", "--operators=sidecarset");
        for (String same : List.of(
                "/securityContext",
                "/automountServiceAccountToken",
                "/containers/0/securityContext",
                "/containers/0/image",
                "/containers/0/resources")) {
            assertThat(pod.at(same)).as(same).isEqualTo(manager.at(same));
        }
        assertThat(Yaml.writeAll(hooks.values()))
                .as("is no Pod that Services or policies choose")
                .doesNotContain("control-plane");
    }

    @Test
    void sets_no_conversion_back_where_there_is_none_or_where_it_is_told_not_to() throws IOException {
        assertThat(hooks("busbar", "busbar-system", only("podset"))).isEmpty();
        assertThat(hooks("busbar", "busbar-system", Map.of("webhook.enabled", false)))
                .isEmpty();
        assertThat(hooks("busbar", "busbar-system", Map.of("crd.resetConversion", false)))
                .isEmpty();
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
                .hasSize(13)
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

    @Test
    void installs_of_a_chosen_operator_its_definitions_rules_and_webhooks_alone() {
        List<ObjectNode> objects = template("busbar", "busbar-system", only("sidecarset"));

        assertThat(names(objects, "CustomResourceDefinition")).containsExactly("sidecarsets.apps.kruise.io");
        assertThat(webhooks(objects)).containsExactly("mpod.kb.io", "msidecarset.kb.io", "vsidecarset.kb.io");
        assertThat(Yaml.writeAll(objects)).contains("--operators=sidecarset").doesNotContain("mysql", "my.domain");
        assertThat(Grants.of(objects))
                .isNotEmpty()
                .noneMatch(grant -> grant.contains(" secrets "))
                .contains("everywhere: patch pods/status", "busbar-system: list configmaps kruise-configuration")
                .doesNotContain("everywhere: get secrets", "everywhere: list configmaps");
    }

    @Test
    void installs_no_webhooks_for_an_operator_that_has_none() {
        Map<String, Object> values = only("podset");
        List<ObjectNode> objects = template("busbar", "busbar-system", values);
        String all = Yaml.writeAll(objects);

        assertThat(names(objects, "CustomResourceDefinition")).containsExactly("podsets.apps.jicki.cn");
        assertThat(webhooks(objects)).isEmpty();
        assertThat(all)
                .contains("--operators=podset", "--webhook-certs=none")
                .doesNotContain("webhook-service", "WebhookConfiguration", "serving-cert");
        values.put("certManager.enabled", false);
        assertThat(Yaml.writeAll(template("busbar", "busbar-system", values)))
                .doesNotContain("certificates-role", "Certificate", "--webhook-certs=self-signed");
    }

    @Test
    void allows_as_much_for_all_operators_as_for_each_of_them_together() {
        Set<String> union = new TreeSet<>();
        List<Set<String>> each = new ArrayList<>();
        for (String operator : Grants.OPERATORS) {
            Map<String, Object> values = only(operator);
            values.put("certManager.enabled", false);
            each.add(Grants.of(template("busbar", "busbar-system", values)));
            union.addAll(each.get(each.size() - 1));
        }

        assertThat(union)
                .isEqualTo(Grants.of(template("busbar", "busbar-system", Map.of("certManager.enabled", false))));
        assertThat(each).noneMatch(union::equals);
        assertThat(Grants.of(template(
                        "busbar", "busbar-system", Map.of("operators[0]", "podset", "operators[1]", "guestbook"))))
                .containsAll(Grants.of(template("busbar", "busbar-system", only("podset"))))
                .contains("everywhere: watch guestbooks.webapp.my.domain");
    }

    @Test
    void allows_only_in_the_watched_namespaces_what_is_in_namespaces() {
        Map<String, Object> values = new TreeMap<>(Map.of("watchNamespaces[0]", "blue", "watchNamespaces[1]", "green"));
        Set<String> everywhere = Grants.of(template("busbar", "busbar-system", Map.of()));
        Set<String> grants = Grants.of(template("busbar", "busbar-system", values));

        assertThat(grants.stream().filter(grant -> grant.startsWith("everywhere: ")))
                .containsExactlyInAnyOrder(
                        "everywhere: create subjectaccessreviews.authorization.k8s.io",
                        "everywhere: create tokenreviews.authentication.k8s.io",
                        "everywhere: get customresourcedefinitions.apiextensions.k8s.io sidecarsets.apps.kruise.io",
                        "everywhere: get sidecarsets.apps.kruise.io",
                        "everywhere: list namespaces",
                        "everywhere: list sidecarsets.apps.kruise.io",
                        "everywhere: patch customresourcedefinitions/status.apiextensions.k8s.io sidecarsets.apps.kruise.io",
                        "everywhere: patch sidecarsets/status.apps.kruise.io",
                        "everywhere: update sidecarsets/finalizers.apps.kruise.io",
                        "everywhere: watch namespaces",
                        "everywhere: watch sidecarsets.apps.kruise.io");
        assertThat(grants)
                .contains("default: create events.events.k8s.io", "blue: create secrets", "green: create secrets");
        assertThat(grants.stream().map(grant -> grant.replaceFirst("^(default|blue|green): ", "everywhere: ")))
                .as("nothing is lost, and nothing is added")
                .hasSameElementsAs(everywhere);
        assertThat(Yaml.writeAll(template("busbar", "busbar-system", values)))
                .contains("--watch-namespaces=blue,green");

        values.put("operators[0]", "podset");
        assertThat(names(template("busbar", "busbar-system", values), "ClusterRole"))
                .containsExactly(
                        "busbar-live-reader",
                        "busbar-metrics-auth-role",
                        "busbar-metrics-reader",
                        "busbar-zpages-reader");
    }

    @Test
    void watches_its_own_namespace_too() {
        List<ObjectNode> objects = template("busbar", "busbar-system", Map.of("watchNamespaces[0]", "busbar-system"));

        assertThat(CheckedIn.byKey(objects))
                .containsKeys(
                        "Role busbar-system/busbar-watched-role",
                        "Role busbar-system/busbar-manager-role",
                        "RoleBinding busbar-system/busbar-watched-rolebinding");
    }

    @Test
    void allows_leases_and_secrets_by_name_where_names_are_known() {
        Map<String, Object> values = only("sidecarset");
        values.put("certManager.enabled", false);

        assertThat(Grants.of(template("busbar", "busbar-system", values)))
                .filteredOn(grant -> grant.matches(".* (secrets|leases)[. ]?.*"))
                .containsExactlyInAnyOrder(
                        "busbar-system: create leases.coordination.k8s.io",
                        "busbar-system: get leases.coordination.k8s.io busbar-leader-election",
                        "busbar-system: update leases.coordination.k8s.io busbar-leader-election",
                        "busbar-system: create secrets",
                        "busbar-system: get secrets busbar-webhook-ca",
                        "busbar-system: update secrets busbar-webhook-ca");
        assertThat(Grants.of(template("green", "shared", values)))
                .contains(
                        "shared: get leases.coordination.k8s.io green-busbar-leader-election",
                        "shared: get secrets green-busbar-webhook-ca");
    }

    @Test
    void refuses_an_operator_that_it_does_not_have_and_names_those_that_it_has() {
        assertThatThrownBy(() -> template("busbar", "busbar-system", Map.of("operators[0]", "sidecarsets")))
                .hasMessageContainingAll("operators", "sidecarset", "podset", "mysqlcluster");
    }

    private static Map<String, Object> only(String operator) {
        return new TreeMap<>(Map.of("operators[0]", operator));
    }

    private static List<String> names(List<ObjectNode> objects, String kind) {
        return objects.stream()
                .filter(object -> object.path("kind").asText().equals(kind))
                .map(object -> object.at("/metadata/name").asText())
                .sorted()
                .toList();
    }

    private static List<String> webhooks(List<ObjectNode> objects) {
        return objects.stream()
                .flatMap(object -> object.path("webhooks").findValuesAsText("name").stream())
                .filter(name -> name.endsWith(".kb.io"))
                .sorted()
                .toList();
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
                                "manager.extraArgs[0]", "--kube-api-qps=50",
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
                .contains("--kube-api-qps=50", "--log-level=debug", "--leader-elect", "--log-format=json");
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

    @Test
    void lets_replicas_share_the_work() {
        Map<String, Object> shared =
                Map.of("manager.shard.enabled", true, "manager.leaderElection.enabled", false, "manager.replicas", 3);
        String all = Yaml.writeAll(template("busbar", "busbar-system", shared));

        assertThat(all)
                .doesNotContain("--leader-elect\"", "- --leader-elect\n")
                .contains("--shard", "BUSBAR_SHARD_TEMPLATE", "metadata.labels['pod-template-hash']", "- watch");
        assertThat(Yaml.writeAll(template("busbar", "busbar-system", Map.of())))
                .contains("--leader-elect")
                .doesNotContain("--shard", "SHARD_TEMPLATE");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            manager.args[0]              | --log-level=debug | args
            manager.replica              | 3                 | replica
            manager.extraArgs[0]         | --leader-elect=false | extraArgs
            manager.extraArgs[0]         | --no-lease        | extraArgs
            manager.extraArgs[0]         | run               | extraArgs
            manager.extraArgs[0]         | --operators=podset | extraArgs
            manager.extraArgs[0]         | --watch-namespaces=a | extraArgs
            watchNamespaces[0]           | Blue              | watchNamespaces
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

    /** Without what only Helm puts on objects, with flags in one order, and with rules verb by verb. */
    private static Map<String, ObjectNode> unlabelled(List<ObjectNode> objects) {
        objects.forEach(object -> {
            ObjectNode metadata = (ObjectNode) object.path("metadata");
            if (object.path("rules") instanceof ArrayNode rules) {
                Set<String> sorted = new TreeSet<>();
                rules.forEach(rule -> sorted.addAll(Grants.of(rule)));
                rules.removeAll();
                sorted.forEach(rules::add);
            }
            metadata.withObject("/labels").remove(OF_HELM);
            for (String labels :
                    List.of("/spec/selector", "/spec/selector/matchLabels", "/spec/template/metadata/labels")) {
                if (object.at(labels) instanceof ObjectNode chosen) {
                    chosen.remove(OF_HELM);
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

    /** What is there while a release is deleted: Helm renders no hooks, so that these are none here. */
    private static List<ObjectNode> hooks(String release, String namespace, Map<String, Object> values)
            throws IOException {
        Path chart = Files.createTempDirectory("chart");
        try (Stream<Path> files = Files.walk(CheckedIn.CHART)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = chart.resolve(CheckedIn.CHART.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.writeString(copy, Files.readString(file).replace("helm.sh/hook", "hook"));
            }
        }
        return render(new Helm(chart), release, namespace, values).stream()
                .filter(object ->
                        object.at("/metadata/annotations/hook").asText().equals("pre-delete"))
                .toList();
    }

    static List<ObjectNode> template(String release, String namespace, Map<String, Object> values) {
        return render(HELM, release, namespace, values);
    }

    private static List<ObjectNode> render(Helm helm, String release, String namespace, Map<String, Object> values) {
        TemplateCommand command =
                helm.template().withName(release).withNamespace(namespace).withKubeVersion("1.33.1");
        command.set("lookup.enabled", false); // this library looks for a cluster where Helm's own command does not
        values.forEach(command::set);
        return Yaml.readAll(command.call());
    }
}
