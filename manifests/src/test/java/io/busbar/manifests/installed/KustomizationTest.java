package io.busbar.manifests.installed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.installed.Tool.Outcome;
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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What kustomize makes of the tree, with kubectl's. */
class KustomizationTest {

    private static final Tool KUBECTL = new Tool("kubectl");
    /** 1.0 is written as 1. */
    private static final Comparator<JsonNode> NUMBERS_BY_VALUE = (one, other) -> one.isNumber() && other.isNumber()
            ? one.decimalValue().compareTo(other.decimalValue())
            : one.equals(other) ? 0 : 1;

    private static final Pattern KUSTOMIZE = Pattern.compile("Kustomize Version: v(\\d+)");

    @TempDir
    private Path own;

    @ParameterizedTest
    @CsvSource({"default, dist/install.yaml", "self-signed, dist/install-self-signed.yaml"})
    void is_the_same_as_the_file_to_apply(String folder, String file) {
        Map<String, ObjectNode> kustomized = CheckedIn.byKey(kustomized(folder));

        Map<String, ObjectNode> installed = CheckedIn.byKey(CheckedIn.objects(file));
        assertThat(kustomized.keySet()).hasSizeGreaterThan(20).isEqualTo(installed.keySet());
        assertThat(kustomized)
                .allSatisfy((key, object) -> assertThat(object.equals(NUMBERS_BY_VALUE, installed.get(key)))
                        .as("%s is as in %s", key, file)
                        .isTrue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"crd", "prometheus", "network-policy", "grafana"})
    void can_be_built_folder_by_folder(String folder) {
        assertThat(kustomized(folder)).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({"cert-manager, dist/install.yaml", "self-signed, dist/install-self-signed.yaml"})
    void has_components_of_which_all_together_install_what_the_file_to_apply_installs(String last, String file)
            throws IOException {
        Map<String, ObjectNode> installed = CheckedIn.byKey(CheckedIn.objects(file));
        Map<String, ObjectNode> composed =
                CheckedIn.byKey(composed(Stream.concat(Grants.OPERATORS.stream(), Stream.of(last))));

        assertThat(Grants.of(composed.values())).isEqualTo(Grants.of(installed.values()));
        assertThat(flags(composed))
                .containsAll(flags(installed))
                .containsAll(
                        Grants.OPERATORS.stream().map("--operators="::concat).toList())
                .hasSize(flags(installed).size() + Grants.OPERATORS.size());
        for (Map<String, ObjectNode> objects : List.of(installed, composed)) {
            objects.keySet()
                    .removeIf(key -> key.matches(
                            "Deployment .*|(Cluster)?Role(Binding)? .*-(manager|certificates|watched|events)-.*"));
        }
        assertThat(composed.keySet()).isEqualTo(installed.keySet());
        assertThat(composed)
                .allSatisfy((key, object) -> assertThat(object.equals(NUMBERS_BY_VALUE, installed.get(key)))
                        .as("%s is as in %s", key, file)
                        .isTrue());
    }

    @ParameterizedTest
    @CsvSource({
        "sidecarset, cert-manager",
        "sidecarset, self-signed",
        "memcached, self-signed",
        "guestbook, no-webhooks",
        "podset, no-webhooks",
        "podbugger, cert-manager",
        "mysqlcluster, self-signed"
    })
    void has_for_each_operator_a_component_that_installs_what_the_chart_does(String operator, String last)
            throws IOException {
        Map<String, ObjectNode> composed = CheckedIn.byKey(composed(Stream.of(operator, last)));
        Map<String, ObjectNode> charted = CheckedIn.byKey(ChartTest.template(
                "busbar",
                "busbar-system",
                Map.of(
                        "operators[0]",
                        operator,
                        "certManager.enabled",
                        last.equals("cert-manager"),
                        "rbac.helpers.enabled",
                        true)));

        assertThat(Grants.of(composed.values())).isEqualTo(Grants.of(charted.values()));
        assertThat(flags(composed))
                .filteredOn(flag -> !last.equals("no-webhooks") || !flag.startsWith("--webhook-port="))
                .containsExactlyInAnyOrderElementsOf(flags(charted));
        for (String kind : List.of("CustomResourceDefinition", "ClusterRole", "Certificate", "Service")) {
            assertThat(names(composed, kind)).isEqualTo(names(charted, kind));
        }
        assertThat(webhooks(composed)).isEqualTo(webhooks(charted));
    }

    @Test
    void has_a_component_by_which_webhooks_answer_only_clients_with_a_certificate() throws IOException {
        for (String last : List.of("cert-manager", "self-signed")) {
            String before = Yaml.writeAll(composed(Stream.of("sidecarset", last)));
            String after = Yaml.writeAll(composed(Stream.of("sidecarset", "webhook-client-ca", last)));

            assertThat(before).doesNotContain("client-ca");
            assertThat(after)
                    .contains(
                            "--webhook-client-ca=/tmp/k8s-webhook-server/client-ca/ca.crt",
                            "mountPath: /tmp/k8s-webhook-server/client-ca\n",
                            "      - configMap:\n          name: webhook-client-ca\n        name: webhook-client-ca\n");
        }
    }

    @Test
    void has_a_component_by_which_replicas_share_the_work() throws IOException {
        for (String last : List.of("cert-manager", "self-signed")) {
            Map<String, ObjectNode> before = CheckedIn.byKey(composed(Stream.of("sidecarset", last)));
            Map<String, ObjectNode> after = CheckedIn.byKey(composed(Stream.of("sidecarset", "shard", last)));

            assertThat(flags(before)).contains("--leader-elect").doesNotContain("--shard");
            assertThat(flags(after)).contains("--shard").doesNotContain("--leader-elect");
            assertThat(Yaml.writeAll(List.copyOf(after.values())))
                    .contains("BUSBAR_SHARD_TEMPLATE", "metadata.labels['pod-template-hash']");
            String role = "Role busbar-system/busbar-leader-election-role";
            assertThat(after.get(role).path("rules"))
                    .hasSize(before.get(role).path("rules").size() + 1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "sidecarset, cert-manager",
        "memcached, self-signed",
        "guestbook, no-webhooks",
        "podset, no-webhooks",
        "podbugger, self-signed",
        "mysqlcluster, self-signed"
    })
    void has_a_component_by_which_an_operator_is_allowed_in_some_namespaces_what_the_chart_allows_it_there(
            String operator, String last) throws IOException {
        List<ObjectNode> composed = new ArrayList<>(composed(Stream.of(operator, last, "watched-namespaces")));
        for (String namespace : List.of("blue", "green")) {
            composed.addAll(watched(namespace));
        }

        assertThat(Grants.of(composed)).isEqualTo(Grants.of(watching("blue", "green", operator, last)));
    }

    private List<ObjectNode> watched(String namespace) throws IOException {
        String tree = own.toAbsolutePath().relativize(CheckedIn.CONFIG.toAbsolutePath()) + "/";
        Files.writeString(
                own.resolve("kustomization.yaml"),
                "namespace: " + namespace + "\nresources:\n- " + tree + "watched-namespace\n");
        return kustomized(own.toAbsolutePath().toString());
    }

    private static List<ObjectNode> watching(String one, String other, String operator, String last) {
        return ChartTest.template(
                "busbar",
                "busbar-system",
                Map.of(
                        "operators[0]", operator,
                        "watchNamespaces[0]", one,
                        "watchNamespaces[1]", other,
                        "certManager.enabled", last.equals("cert-manager")));
    }

    @Test
    void builds_what_the_README_has_a_user_write_for_some_namespaces() {
        List<ObjectNode> written = kustomized(Path.of("src/test/resources/watched-namespaces")
                .toAbsolutePath()
                .toString());

        assertThat(Grants.of(written))
                .isEqualTo(Grants.of(watching("shop", "warehouse", "mysqlcluster", "self-signed")));
        assertThat(flags(CheckedIn.byKey(written))).contains("--watch-namespaces=shop,warehouse");
    }

    @Test
    void builds_what_the_README_has_a_user_write() throws IOException {
        List<ObjectNode> written = kustomized(
                Path.of("src/test/resources/sidecarset-alone").toAbsolutePath().toString());

        assertThat(written).isNotEmpty().isEqualTo(composed(Stream.of("sidecarset", "self-signed")));
    }

    private static List<String> flags(Map<String, ObjectNode> objects) {
        List<String> flags = new ArrayList<>();
        objects.get("Deployment busbar-system/busbar-controller-manager")
                .at("/spec/template/spec/containers/0/args")
                .forEach(flag -> flags.add(flag.asText()));
        return flags;
    }

    private static Set<String> names(Map<String, ObjectNode> objects, String kind) {
        // Where a component gives an operator its own part of a role, the chart has one role for all; where it has
        // roles of
        // their own for what may be bound in some namespaces alone, the chart has that in one with the rest, or in
        // Roles.
        return objects.keySet().stream()
                .filter(key -> key.startsWith(kind + " ") && !key.matches(".*/busbar-(watched|events)-role"))
                .map(key -> key.replaceFirst("busbar-[a-z]+-certificates-role$", "busbar-certificates-role"))
                .collect(Collectors.toSet());
    }

    private static Map<String, JsonNode> webhooks(Map<String, ObjectNode> objects) {
        Map<String, JsonNode> webhooks = new TreeMap<>();
        objects.values()
                .forEach(object -> object.path("webhooks")
                        .forEach(webhook -> webhooks.put(webhook.path("name").asText(), webhook)));
        return webhooks;
    }

    /** As a user has it who writes a kustomization: the base, and components. */
    private List<ObjectNode> composed(Stream<String> components) throws IOException {
        String tree = own.toAbsolutePath().relativize(CheckedIn.CONFIG.toAbsolutePath()) + "/";
        Files.writeString(
                own.resolve("kustomization.yaml"),
                "resources:\n- " + tree + "base\ncomponents:\n"
                        + components
                                .map(component -> "- " + tree + "components/" + component + "\n")
                                .collect(Collectors.joining()));
        return kustomized(own.toAbsolutePath().toString());
    }

    @Test
    void has_as_many_samples_by_kustomize_as_by_file() throws Exception {
        Path samples = CheckedIn.CONFIG.resolve("samples");
        int files;
        try (var listed = Files.list(samples)) {
            files = (int) listed.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> !CheckedIn.objects(file.toString())
                            .get(0)
                            .path("kind")
                            .asText()
                            .equals("Kustomization"))
                    .count();
        }

        assertThat(samples.resolve("kustomization.yaml")).doesNotExist();
        assertThat(kustomized("samples")).hasSize(files);
    }

    private static List<ObjectNode> kustomized(String folder) {
        Outcome version = KUBECTL.run(Path.of("."), "version", "--client");
        assumeThat(KUSTOMIZE.matcher(version.output()).results().map(KustomizationTest::major))
                .as("kubectl 1.27 or later: %s", version.output())
                .anyMatch(major -> major >= 5);
        Outcome built = KUBECTL.run(CheckedIn.CONFIG, "kustomize", folder);
        assertThat(built.exitCode()).as(built.output()).isZero();
        return Yaml.readAll(built.output());
    }

    private static int major(MatchResult version) {
        return Integer.parseInt(version.group(1));
    }
}
