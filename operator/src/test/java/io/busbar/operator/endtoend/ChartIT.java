package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.Release;
import com.marcnuri.helm.UpgradeCommand;
import io.busbar.manifests.installed.ChartRenderings;
import io.busbar.manifests.yaml.Yaml;
import io.busbar.operator.bundled.Bundled;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The chart on a cluster without the operator, a sandbox or that of the property {@code busbar.cluster}: what its API
 * server says of what the chart is rendered to, and what Helm itself installs, changes, brings back and takes away.
 */
@ResourceLock(providers = BesideOthers.class)
class ChartIT {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
    private static final String NAMESPACE = "busbar-system";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String ALONE = "certManager: {enabled: false}\n";

    private static final Vertx VERTX = Vertx.vertx();

    @TempDir
    private static Path folder;

    private static Path kubeconfig;
    private static Path chart;
    private static KubernetesClient client;
    /** A Kubernetes that the chart is not for, but which can show it all the same, without its PodDisruptionBudget. */
    private static boolean old;

    /** Other than releases; goes at the end. */
    private static final List<HasMetadata> MADE = new ArrayList<>();

    private final List<String[]> releases = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        String given = System.getProperty("busbar.cluster", "");
        kubeconfig = given.isEmpty() ? sandbox() : Path.of(given);
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                .build();
        old = Integer.parseInt(client.getKubernetesVersion().getMinor().replaceAll("\\D.*", "")) < 21;
        chart = ChartCopy.of(Path.of("..", "manifests", "chart"), folder.resolve("chart"))
                .folder();
        for (String definition : List.of(
                "Certificate cert-manager.io v1 certificates",
                "Issuer cert-manager.io v1 issuers",
                "ServiceMonitor monitoring.coreos.com v1 servicemonitors",
                "PrometheusRule monitoring.coreos.com v1 prometheusrules")) {
            define(definition.split(" "));
        }
        namespace(NAMESPACE);
    }

    @AfterAll
    static void stop() throws Exception {
        MADE.forEach(object -> client.resource(object).delete());
        client.close();
        VERTX.close().await(60, TimeUnit.SECONDS);
    }

    @AfterEach
    void clean() {
        for (String[] release : releases) {
            Helm.uninstall(release[0])
                    .withNamespace(release[1])
                    .withKubeConfig(kubeconfig)
                    .ignoreNotFound()
                    .noHooks()
                    .call();
        }
        // Definitions outlive releases; those of somebody else are left alone.
        if (!releases.isEmpty()) {
            for (CustomResourceDefinition kind : Bundled.operator().crds()) {
                client.resource(kind).delete();
                await().atMost(PATIENCE).until(() -> client.resource(kind).get() == null);
            }
        }
    }

    @Test
    void is_accepted_by_the_API_server_with_all_kinds_of_values() {
        ChartRenderings renderings = new ChartRenderings(chart);
        Set<JsonNode> seen = new HashSet<>();
        Map<String, List<String>> refused = new TreeMap<>();
        ChartRenderings.COMBINATIONS.forEach((combination, values) ->
                renderings.render("busbar", NAMESPACE, "1.33.1", values).stream()
                        .filter(object -> !old || !object.path("kind").asText().equals("PodDisruptionBudget"))
                        .filter(seen::add)
                        .forEach(object -> problem(object)
                                .ifPresent(problem -> refused.computeIfAbsent(combination, one -> new ArrayList<>())
                                        .add(problem))));

        assertThat(refused).isEmpty();
        assertThat(seen).hasSizeGreaterThan(200);
    }

    private static Optional<String> problem(ObjectNode object) {
        try {
            client.resource(SERIALIZATION.convertValue(object, GenericKubernetesResource.class))
                    .dryRun()
                    .fieldValidation(FieldValidateable.Validation.STRICT)
                    .create();
            return Optional.empty();
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return Optional.empty(); // It is valid, and there: an API server looks at that last.
            }
            return Optional.of(object.path("kind").asText() + " "
                    + object.at("/metadata/name").asText() + ": " + refused.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            all operators         | operators: []                                        | operators: [podset]
            SidecarSet alone      | operators: [sidecarset]                              | operators: [sidecarset, memcached]
            one watched namespace | operators: [mysqlcluster]; watchNamespaces: [default] | operators: [mysqlcluster]
            """)
    void is_installed_changed_brought_back_and_taken_away(String about, String first, String second) {
        assumeNoDefinitions();
        String values = ALONE + first.replace("; ", "\n");
        install("busbar", NAMESPACE, values);
        Map<String, JsonNode> installed = objects("busbar", NAMESPACE, values);
        assertThat(installed).as(about).hasSizeGreaterThan(8);

        String changed = ALONE + second.replace("; ", "\n") + "\nmanager: {replicas: 3, log: {level: debug}}";
        assertThat(upgrade("busbar", NAMESPACE, changed).getRevision()).isEqualTo("2");
        assertThat(deployment("busbar")).contains("\"replicas\":3", "--log-level=debug");
        Set<String> gone = new HashSet<>(installed.keySet());
        gone.removeAll(objects("busbar", NAMESPACE, changed).keySet());
        gone.removeIf(key -> key.startsWith("CustomResourceDefinition "));
        assertThat(gone)
                .allSatisfy(
                        key -> assertThat(stored(installed.get(key))).as(key).isNull());

        upgrade("busbar", NAMESPACE, values);
        Map<String, JsonNode> back = objects("busbar", NAMESPACE, values);
        assertThat(back.keySet()).isEqualTo(installed.keySet());
        assertThat(back)
                .allSatisfy((key, object) -> assertThat(told(object)).as(key).isEqualTo(told(installed.get(key))));

        uninstall("busbar", NAMESPACE);
        assertThat(installed).allSatisfy((key, object) -> {
            boolean kept = key.startsWith("CustomResourceDefinition ");
            await().atMost(PATIENCE).until(() -> (stored(object) != null) == kept);
        });
    }

    /** As {@code helm rollback} does it, of which the library has no command. */
    @Test
    void is_rolled_back_by_Helm_from_what_is_not_ready_in_time() {
        assumeNoDefinitions();
        String values = ALONE + "operators: [sidecarset]";
        install("busbar", NAMESPACE, values);
        Map<String, JsonNode> installed = objects("busbar", NAMESPACE, values);

        String unready = ALONE + "operators: [podset]\nmanager: {log: {level: debug}}\nextraObjects:\n"
                + "- {apiVersion: v1, kind: Service, metadata: {name: for-ever}, spec: {type: LoadBalancer, ports: [{port: 80}]}}";
        assertThatThrownBy(() -> upgrading("busbar", NAMESPACE, unready)
                        .atomic()
                        .withTimeout(5)
                        .call())
                .as("which tells, where no image is run, that the operator's Pods do not become ready either")
                .hasMessageMatching(".*(rolled back|rolling back the release).*")
                .hasMessageContaining("deadline exceeded");

        Map<String, JsonNode> back = objects("busbar", NAMESPACE, values);
        assertThat(back.keySet()).isEqualTo(installed.keySet());
        assertThat(back)
                .allSatisfy((key, object) -> assertThat(told(object)).as(key).isEqualTo(told(installed.get(key))));

        upgrade("busbar", NAMESPACE, ALONE + "operators: [podset]");
        assertThat(stored(installed.get("CustomResourceDefinition /sidecarsets.apps.kruise.io"))
                        .at("/spec/conversion/strategy")
                        .asText())
                .as("nobody is there to convert, and what is stored can still be read")
                .isEqualTo("None");
        uninstall("busbar", NAMESPACE);
    }

    @ParameterizedTest
    @CsvSource({"busbar-system, busbar-system", "busbar-system, busbar-other"})
    void is_installed_twice(String blue, String green) {
        assumeNoDefinitions();
        namespace(green);
        install("blue", blue, ALONE + "operators: [sidecarset]");
        install("green", green, ALONE + "operators: [podset]");
        Map<String, JsonNode> greens = objects("green", green, ALONE + "operators: [podset]");

        upgrade("blue", blue, ALONE + "operators: [sidecarset]\nmanager: {replicas: 1}");
        uninstall("blue", blue);

        Map<String, JsonNode> left = objects("green", green, ALONE + "operators: [podset]");
        assertThat(left).isNotEmpty();
        assertThat(left)
                .allSatisfy((key, object) -> assertThat(told(object)).as(key).isEqualTo(told(greens.get(key))));
        uninstall("green", green);
    }

    @Test
    void refuses_a_second_release_that_would_do_the_work_of_the_first() {
        assumeNoDefinitions();
        install("blue", NAMESPACE, ALONE + "operators: [sidecarset]");

        assertThatThrownBy(() -> install("green", NAMESPACE, ALONE + "operators: [sidecarset]"))
                .hasMessageContaining("is not allowed")
                .hasMessageContaining("release blue in namespace busbar-system");
    }

    @Test
    void takes_the_definitions_away_where_it_is_told_to() {
        assumeNoDefinitions();
        install("busbar", NAMESPACE, ALONE + "crd: {keep: false}");
        uninstall("busbar", NAMESPACE);

        await().atMost(PATIENCE)
                .until(() -> Bundled.operator().crds().stream()
                        .allMatch(kind -> client.resource(kind).get() == null));
    }

    private void install(String release, String namespace, String values) {
        releases.add(new String[] {release, namespace});
        Release installed = new Helm(chart)
                .install()
                .withName(release)
                .withNamespace(namespace)
                .withKubeConfig(kubeconfig)
                .withValuesFile(values(values))
                .call();
        assertThat(installed.getStatus()).isEqualTo("deployed");
        assertThat(installed.getOutput()).contains("helm -n " + namespace + " test " + release, "kubectl explain ");
    }

    private Release upgrade(String release, String namespace, String values) {
        return upgrading(release, namespace, values).call();
    }

    private UpgradeCommand upgrading(String release, String namespace, String values) {
        return new Helm(chart)
                .upgrade()
                .withName(release)
                .withNamespace(namespace)
                .withKubeConfig(kubeconfig)
                .resetValues()
                .withValuesFile(values(values));
    }

    private static void uninstall(String release, String namespace) {
        Helm.uninstall(release)
                .withNamespace(namespace)
                .withKubeConfig(kubeconfig)
                .noHooks() // nobody runs a hook's Pod here
                .call();
    }

    private static Path values(String values) {
        try {
            String text = old ? merged(values) : values;
            return Files.writeString(Files.createTempFile(folder, "values", ".yaml"), text);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    private static String merged(String values) {
        ObjectNode more = (ObjectNode) Yaml.read(values);
        more.withObject("/manager/podDisruptionBudget").put("enabled", false);
        return Yaml.write(more);
    }

    /** What a release has on the cluster, by kind and name; each has to be there. */
    private static Map<String, JsonNode> objects(String release, String namespace, String values) {
        return new ChartRenderings(chart)
                .render(release, namespace, "1.33.1", Yaml.read(old ? merged(values) : values)).stream()
                        .filter(object -> !object.at("/metadata/annotations").has("helm.sh/hook"))
                        .collect(Collectors.toMap(
                                object -> object.path("kind").asText() + " "
                                        + object.at("/metadata/namespace").asText() + "/"
                                        + object.at("/metadata/name").asText(),
                                object -> {
                                    JsonNode stored = stored(object);
                                    assertThat(stored)
                                            .as("%s", object.at("/metadata"))
                                            .isNotNull();
                                    return stored;
                                }));
    }

    private static @Nullable JsonNode stored(JsonNode object) {
        HasMetadata found = client.resource(SERIALIZATION.convertValue(object, GenericKubernetesResource.class))
                .get();
        return found == null ? null : SERIALIZATION.convertValue(found, JsonNode.class);
    }

    /** What users have said of an object, without what the API server and controllers add. */
    private static JsonNode told(JsonNode object) {
        ObjectNode copy = object.deepCopy();
        copy.remove("status");
        ((ObjectNode) copy.path("metadata"))
                .remove(List.of("managedFields", "resourceVersion", "generation", "uid", "creationTimestamp"));
        if (copy.at("/metadata/annotations") instanceof ObjectNode annotations) {
            annotations.remove("deployment.kubernetes.io/revision");
        }
        if (copy.at("/spec") instanceof ObjectNode spec) {
            spec.remove(List.of("clusterIP", "clusterIPs"));
        }
        copy.remove("secrets");
        return copy;
    }

    private static String deployment(String release) {
        return SERIALIZATION.asJson(client.apps()
                .deployments()
                .inNamespace(NAMESPACE)
                .withName(release + "-controller-manager")
                .require());
    }

    /** A cluster whose definitions are somebody else's is left alone. */
    private static void assumeNoDefinitions() {
        assumeThat(Bundled.operator().crds().stream()
                        .filter(kind -> client.resource(kind).get() != null))
                .as("definitions that are not of a release")
                .isEmpty();
    }

    private static void make(HasMetadata object) {
        if (client.resource(object).get() == null) {
            MADE.add(client.resource(object).create());
        }
    }

    private static void namespace(String name) {
        Namespaces.ensure(client, name, Map.of()).ifPresent(MADE::add);
    }

    /** Of others, whose fields are not looked at. */
    private static void define(String... kind) {
        CustomResourceDefinition definition =
                SERIALIZATION.unmarshal("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: %4$s.%2$s, annotations: {api-approved.kubernetes.io: unapproved}}
                spec:
                  group: %2$s
                  scope: Namespaced
                  names: {kind: %1$s, listKind: %1$sList, plural: %4$s, singular: x%4$s}
                  versions:
                  - name: %3$s
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """.formatted((Object[]) kind), CustomResourceDefinition.class);
        make(definition);
        await().atMost(PATIENCE)
                .ignoreException(KubernetesClientException.class) // until it is served
                .until(() -> client.genericKubernetesResources(kind[1] + "/" + kind[2], kind[0])
                                .inNamespace("default")
                                .list()
                        != null);
    }

    private static Path sandbox() throws Exception {
        String written = VertxSandbox.start(VERTX, SandboxOptions.defaults().withRbac(true))
                .await(60, TimeUnit.SECONDS)
                .kubeconfig();
        return Files.writeString(Files.createTempFile("chart", ".kubeconfig"), written);
    }
}
