package io.busbar.manifests.installed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Of the chart with all kinds of values; the end-to-end suite has an API server look at the same. */
class ChartRenderingsTest {

    private static final ChartRenderings CHART = new ChartRenderings(CheckedIn.CHART);
    private static final List<String> LABELS =
            List.of("name", "instance", "version", "component", "part-of", "managed-by");

    static Set<String> combinations() {
        return ChartRenderings.COMBINATIONS.keySet();
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void are_of_the_restricted_profile_and_labelled(String combination) {
        JsonNode values = ChartRenderings.COMBINATIONS.get(combination);
        List<ObjectNode> objects = render(values);

        assertThat(objects).hasSizeGreaterThan(10);
        assertThat(objects)
                .filteredOn(object -> !object.at("/metadata/name").asText().endsWith("-more"))
                .allSatisfy(object -> assertThat(labels(object)).containsAll(LABELS));
        // What users ask for by this value is of neither of the standards.
        boolean exposed = values.at("/manager/hostNetwork").asBoolean();
        for (ObjectNode object : objects) {
            JsonNode template = object.path("kind").asText().equals("Pod") ? object : object.at("/spec/template");
            if (template.path("spec").has("containers")) {
                boolean operator = object.path("kind").asText().equals("Deployment");
                assertThat(RestrictedProfile.violations(template))
                        .as("%s", object.at("/metadata/name"))
                        .hasSameElementsAs(exposed && operator ? Set.of("Host Namespaces") : Set.of());
            }
        }
    }

    @Test
    void turn_each_value() throws IOException {
        JsonNode schema = Yaml.read(Files.readString(CheckedIn.CHART.resolve("values.schema.json")));
        Set<String> turned = new TreeSet<>();
        ChartRenderings.COMBINATIONS.values().forEach(values -> paths("", values, schema, schema, turned));
        Set<String> all = new TreeSet<>();
        paths(
                "",
                CheckedIn.objects(CheckedIn.CHART.resolve("values.yaml").toString())
                        .get(0),
                schema,
                schema,
                all);

        assertThat(all).hasSizeGreaterThan(80);
        assertThat(turned).containsAll(all);
        assertThat(ChartRenderings.COMBINATIONS).hasSizeGreaterThan(30);
    }

    /** Of the values that the schema knows, and no deeper. */
    private static void paths(String prefix, JsonNode values, JsonNode node, JsonNode schema, Set<String> paths) {
        values.properties().forEach(value -> {
            JsonNode known = node.path("properties").path(value.getKey());
            if (known.has("$ref")) {
                known = schema.at(known.path("$ref").asText().substring(1));
            }
            boolean group = known.has("properties")
                    && known.path("additionalProperties").isBoolean();
            if (group && value.getValue().isObject() && !isWhole(value.getKey())) {
                paths(prefix + value.getKey() + ".", value.getValue(), known, schema, paths);
            } else {
                paths.add(prefix + value.getKey());
            }
        });
    }

    /** A value as a whole, though its fields are known. */
    private static boolean isWhole(String key) {
        return Set.of("overrides", "resources", "issuerRef", "dnsConfig", "strategy")
                        .contains(key)
                || key.endsWith("Probe");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            manager: {hostNetwork: "yes"}                               | manager/hostNetwork
            manager: {dnsPolicy: Cluster}                               | manager/dnsPolicy
            manager: {livenessProbe: {httpGet: {path: /}}}              | manager/livenessProbe
            manager: {readinessProbe: {periodSeconds: 0}}               | manager/readinessProbe/periodSeconds
            manager: {healthProbePort: 0}                               | manager/healthProbePort
            manager: {image: {digest: latest}}                          | manager/image/digest
            manager: {podDisruptionBudget: {maxUnavailable: half}}      | manager/podDisruptionBudget/maxUnavailable
            manager: {podDisruptionBudget: {unhealthyPodEvictionPolicy: Never}} | manager/podDisruptionBudget/unhealthyPodEvictionPolicy
            manager: {resources: {limit: {cpu: 1}}}                     | manager/resources
            manager: {podLabels: {app.kubernetes.io/name: other}}       | manager/podLabels/app.kubernetes.io~1name
            manager: {extraArgs: [--webhook-client-ca=/ca.crt]}         | manager/extraArgs/0
            commonLabels: {team: "a b"}                                 | commonLabels/team
            commonLabels: {helm.sh/chart: mine}                         | commonLabels/helm.sh~1chart
            commonAnnotations: {helm.sh/resource-policy: keep}          | commonAnnotations/helm.sh~1resource-policy
            commonAnnotations: {a: 1}                                   | commonAnnotations/a
            serviceAccount: {name: Me}                                  | serviceAccount/name
            certManager: {issuerRef: {kind: Issuer}}                    | certManager/issuerRef
            certManager: {duration: 90d}                                | certManager/duration
            webhook: {failurePolicy: Warn}                              | webhook/failurePolicy
            webhook: {timeoutSeconds: 31}                               | webhook/timeoutSeconds
            webhook: {overrides: {mpods.kb.io: {}}}                     | webhook/overrides
            webhook: {overrides: {mpod.kb.io: {policy: Fail}}}          | webhook/overrides/mpod.kb.io
            webhook: {certificate: {caBundle: bm8=}}                    | webhook/certificate/caBundle
            webhook: {clientCA: {key: a/b}}                             | webhook/clientCA/key
            prometheus: {serviceMonitor: {interval: often}}             | prometheus/serviceMonitor/interval
            networkPolicy: {egress: {apiServer: {ports: []}}}           | networkPolicy/egress/apiServer/ports
            dashboards: {folder: a}                                     | dashboards
            extraObjects: [1]                                           | extraObjects/0
            """)
    void refuse_values_and_name_them(String values, String named) {
        assertThatThrownBy(() -> render(Yaml.read(values)))
                .hasMessageContaining("values don't meet the specifications of the schema")
                .hasMessageContaining("at '/" + named + "'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            serviceAccount: {create: false}      | serviceAccount.name: "" is not allowed with serviceAccount.create: false; allowed: the name of an account that is there
            webhook: {clientCA: {secretName: a, configMapName: b}} | webhook.clientCA.configMapName: b is not allowed with webhook.clientCA.secretName: a; allowed: one of them
            webhook: {certificate: {caBundle: -----BEGIN CERTIFICATE-----}} | webhook.certificate.caBundle is not allowed without webhook.certificate.secretName; allowed: both
            """)
    void refuse_values_that_do_not_go_together(String values, String message) {
        assertThatThrownBy(() -> render(Yaml.read(values))).hasMessageContaining(message);
    }

    @Test
    void narrow_what_a_webhook_is_asked_about_and_widen_nothing() {
        JsonNode webhook = only(render(ChartRenderings.COMBINATIONS.get("webhooks, each on its own")), "mpod.kb.io");
        JsonNode declared = only(render(Yaml.read("{}")), "mpod.kb.io");

        assertThat(webhook.path("failurePolicy").asText()).isEqualTo("Ignore");
        assertThat(webhook.path("timeoutSeconds").isInt()).isTrue();
        assertThat(webhook.path("timeoutSeconds").asInt()).isEqualTo(2);
        assertThat(webhook.at("/namespaceSelector/matchLabels/inject").asText()).isEqualTo("yes");
        assertThat(webhook.at("/namespaceSelector/matchExpressions"))
                .hasSize(3)
                .containsAll(declared.at("/namespaceSelector/matchExpressions"));
        assertThat(declared.path("failurePolicy").asText()).isEqualTo("Fail");
        assertThat(declared.path("timeoutSeconds").asInt()).isEqualTo(10);
    }

    @Test
    void make_no_certificate_where_there_is_one_and_tell_the_API_server_of_its_CA() {
        List<ObjectNode> objects = render(ChartRenderings.COMBINATIONS.get("an own certificate, with its CA"));
        String all = Yaml.writeAll(objects);

        assertThat(all)
                .doesNotContain("kind: Certificate\n", "kind: Issuer\n", "inject-ca-from", "certificates-role")
                .contains("secretName: webhooks\n", "secretName: metrics\n", "--webhook-certs=mounted");
        assertThat(objects.stream().flatMap(object -> object.findValues("clientConfig").stream()))
                .hasSizeGreaterThan(6)
                .allSatisfy(
                        client -> assertThat(client.path("caBundle").asText()).startsWith("LS0tLS1CRUdJTi"));
    }

    @Test
    void mount_the_CA_of_clients() {
        String all = Yaml.writeAll(
                render(ChartRenderings.COMBINATIONS.get("clients with a certificate, of a ConfigMap, own CA")));

        assertThat(all)
                .contains(
                        "--webhook-client-ca=/tmp/k8s-webhook-server/client-ca/ca-bundle.crt",
                        "      - configMap:\n          name: api-server-ca\n        name: webhook-client-ca\n",
                        "mountPath: /tmp/k8s-webhook-server/client-ca\n");
    }

    private static JsonNode only(List<ObjectNode> objects, String webhook) {
        return objects.stream()
                .flatMap(object -> StreamSupport.stream(object.path("webhooks").spliterator(), false))
                .filter(one -> one.path("name").asText().equals(webhook))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> labels(ObjectNode object) {
        return object.at("/metadata/labels").properties().stream()
                .map(label -> label.getKey().replace("app.kubernetes.io/", ""))
                .toList();
    }

    private static List<ObjectNode> render(JsonNode values) {
        return CHART.render("busbar", "busbar-system", "1.33.1", values);
    }
}
