package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import io.busbar.manifests.installed.ChartRenderings;
import io.busbar.manifests.yaml.Yaml;
import io.busbar.operator.bundled.Bundled;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The chart and the jar of an earlier commit, with objects of every kind, then today's, then the earlier ones again, on
 * a sandbox or the cluster of the property {@code busbar.cluster}. The earlier commit is a checkout with its jar built,
 * in the folder of the property {@code busbar.previous}; without it, nothing runs.
 *
 * <p>Helm installs and upgrades. This test is the kubelet and the Service in front of the replicas: processes of the
 * jar with the flags of the installed Deployment, which may do what their release's account may, and are replaced one
 * by one as a Deployment's Pods are.
 */
@ResourceLock(providers = BesideOthers.class)
@Order(EndToEnd.LONG)
class UpgradeIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    /** What the replicas and the webhooks had to say. */
    private static final Path REPORT = Path.of("target", "upgrade");

    private static final String NAMESPACE = "busbar-system";
    private static final String OBJECTS = "upgrade-it";
    private static final String RELEASE = "busbar";
    private static final String DEFINITION = "sidecarsets.apps.kruise.io";

    private final Vertx vertx = Vertx.vertx();
    private final List<HasMetadata> made = new ArrayList<>();
    private final List<String> created = new ArrayList<>();

    @TempDir
    private Path folder;

    private Path previous;
    private Path kubeconfig;
    private KubernetesClient client;
    private ObjectsOfEveryKind objects;
    private ReadyReplicas service;
    private Refusals refusals;
    private Duration period;
    private boolean installed;

    /** What is installed: a chart and the jar that goes with it. */
    private record Version(String name, ChartCopy chart, Path jar) {}

    @BeforeEach
    void start() throws Exception {
        String checkout = System.getProperty("busbar.previous", "");
        assumeThat(checkout)
                .as("the checkout of an earlier commit, -Dbusbar.previous")
                .isNotEmpty();
        previous = Path.of(checkout);
        String given = System.getProperty("busbar.cluster", "");
        kubeconfig = given.isEmpty() ? sandbox() : Path.of(given);
        client = client(false);
        assumeThat(Bundled.operator().crds().stream()
                        .filter(kind -> client.resource(kind).get() != null))
                .as("definitions that are not of a release")
                .isEmpty();
        // By this label the webhooks leave the operator's own Pods alone, on any Kubernetes.
        namespace(NAMESPACE, Map.of("control-plane", "controller-manager"));
        namespace(OBJECTS, Map.of());
        objects = new ObjectsOfEveryKind(client, OBJECTS);
    }

    @AfterEach
    void stop() throws Exception {
        if (client == null) {
            return;
        }
        if (refusals != null) {
            refusals.stop();
        }
        created.forEach(objects::remove);
        if (installed) {
            await().atMost(PATIENCE)
                    .until(() -> client.genericKubernetesResources("cache.example.com/v1alpha1", "Memcached")
                            .inNamespace(OBJECTS)
                            .list()
                            .getItems()
                            .isEmpty());
            Helm.uninstall(RELEASE)
                    .withNamespace(NAMESPACE)
                    .withKubeConfig(kubeconfig)
                    .noHooks()
                    .call();
            for (CustomResourceDefinition kind : Bundled.operator().crds()) {
                client.resource(kind).delete();
                await().atMost(PATIENCE).until(() -> client.resource(kind).get() == null);
            }
        }
        if (service != null) {
            service.close();
        }
        made.forEach(object -> client.resource(object).delete());
        client.close();
        vertx.close().await(60, TimeUnit.SECONDS);
    }

    @Test
    void neither_an_upgrade_nor_the_way_back_restarts_or_loses_anything() throws Exception {
        emptyReport();
        Probe probe = readinessProbe();
        period = Duration.ofSeconds(Objects.requireNonNull(probe.getPeriodSeconds()));
        service = new ReadyReplicas(period, Duration.ofSeconds(Objects.requireNonNull(probe.getTimeoutSeconds())));
        Version before = version("previous", previous);
        Version today = version("today", Path.of(".."));

        helmInstall(before);
        startReplica(before);
        startReplica(before);
        awaitStored();
        createAll("first");
        Map<String, String> first = objects.snapshot();
        refusals = questions();
        refusals.start();

        SoftAssertions judged = new SoftAssertions();
        judged.assertThat(upgraded(today)).as("upgraded to today's").containsAllEntriesOf(first);
        createAll("second");
        Map<String, String> second = objects.snapshot();
        judged.assertThat(upgraded(before)).as("back to the previous").containsAllEntriesOf(second);
        createAll("third");
        judged.assertThat(objects.snapshot()).as("at the end").containsAllEntriesOf(second);

        judged.assertThat(refusals.longest())
                .as("ticks in the longest stretch of refusals")
                .allSatisfy((question, ticks) -> assertThat(ticks).isLessThanOrEqualTo(ReadyReplicas.TICKS));
        judged.assertAll();
    }

    private void createAll(String name) {
        created.add(name);
        objects.create(name);
        eventually(() -> assertThat(injected(client, name)).isTrue());
        objects.createPod(name);
        eventually(() -> objects.assertSettled(name));
    }

    private Map<String, String> upgraded(Version version) throws Exception {
        new Helm(version.chart().folder())
                .upgrade()
                .withName(RELEASE)
                .withNamespace(NAMESPACE)
                .withKubeConfig(kubeconfig)
                .resetValues()
                .withValuesFile(values())
                .call();
        for (ReadyReplicas.Replica old : service.alive()) {
            startReplica(version);
            old.terminate();
            eventually(() -> assertThat(old.isAlive()).isFalse());
        }
        awaitStored();
        Files.writeString(
                REPORT.resolve("refusals.txt"),
                "to " + version.name() + ": " + refusals.told() + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        return objects.snapshot();
    }

    /** Until no object is stored in another version than the definition says now. */
    private void awaitStored() {
        eventually(() -> {
            CustomResourceDefinition definition = client.apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName(DEFINITION)
                    .require();
            assertThat(definition.getStatus().getStoredVersions())
                    .containsExactlyElementsOf(definition.getSpec().getVersions().stream()
                            .filter(CustomResourceDefinitionVersion::getStorage)
                            .map(CustomResourceDefinitionVersion::getName)
                            .toList());
        });
    }

    private void helmInstall(Version version) throws IOException {
        new Helm(version.chart().folder())
                .install()
                .withName(RELEASE)
                .withNamespace(NAMESPACE)
                .withKubeConfig(kubeconfig)
                .withValuesFile(values())
                .call();
        installed = true;
    }

    private Path values() throws IOException {
        // An API server before 1.21 does not know the budget.
        return Files.writeString(folder.resolve("values.yaml"), """
                certManager: {enabled: false}
                manager: {podDisruptionBudget: {enabled: false}}
                """);
    }

    private Version version(String name, Path checkout) throws IOException {
        ChartCopy chart = ChartCopy.of(checkout.resolve(Path.of("manifests", "chart")), folder.resolve(name));
        return new Version(
                name, chart.asked(service.url()), checkout.resolve(Path.of("operator", "target", "busbar.jar")));
    }

    /** One that is ready when this returns. */
    private void startReplica(Version version) throws IOException {
        Deployment deployment = deployment();
        int webhook = OperatorProcess.freePort();
        int health = OperatorProcess.freePort();
        List<String> flags = new ArrayList<>(deployment
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0)
                .getArgs());
        flags.removeIf(flag -> flag.matches("run|--(health-probe-bind-address|metrics-bind-address|webhook-port)=.*"));
        flags.addAll(List.of(
                "--health-probe-bind-address=127.0.0.1:" + health,
                "--metrics-bind-address=0",
                "--webhook-bind-address=127.0.0.1",
                "--webhook-port=" + webhook,
                "--webhook-url=" + service.url(),
                "--pod-addressing=PodIP"));
        Path account = OperatorAccount.kubeconfig(
                client, NAMESPACE, deployment.getSpec().getTemplate().getSpec().getServiceAccountName(), kubeconfig);
        String name = version.name() + "-" + webhook;
        Process process = OperatorProcess.startJar(version.jar(), name, account, REPORT.resolve(name + ".log"), flags);
        ReadyReplicas.Replica replica = new ReadyReplicas.Replica(process, webhook, health);
        service.add(replica);
        eventually(() -> assertThat(replica.isReady()).as("%s is ready", name).isTrue());
    }

    private Probe readinessProbe() throws IOException {
        JsonNode deployment = new ChartRenderings(Path.of("..", "manifests", "chart"))
                .render(RELEASE, NAMESPACE, "1.33.1", Yaml.read("{}")).stream()
                        .filter(object -> object.path("kind").asText().equals("Deployment"))
                        .findFirst()
                        .orElseThrow();
        return client.getKubernetesSerialization()
                .convertValue(deployment.at("/spec/template/spec/containers/0/readinessProbe"), Probe.class);
    }

    private Deployment deployment() {
        return client.apps()
                .deployments()
                .inNamespace(NAMESPACE)
                .withName(RELEASE + "-controller-manager")
                .require();
    }

    private Refusals questions() {
        KubernetesClient impatient = client(true);
        Refusals asked = new Refusals(service::ticks);
        asked.add("a Pod is injected", () -> injected(impatient, "first"));
        asked.add(
                "a SidecarSet is defaulted",
                () -> made(impatient, objects.document("SidecarSet", "v1alpha1", "asked"))
                        .at("/spec/updateStrategy")
                        .isObject());
        asked.add(
                "a SidecarSet v1beta1 is defaulted",
                () -> made(impatient, objects.document("SidecarSet", "v1beta1", "asked"))
                        .at("/spec/updateStrategy")
                        .isObject());
        asked.add(
                "a Memcached is defaulted",
                () -> made(impatient, objects.document("Memcached", "v1alpha1", "asked"))
                        .at("/spec/containerPort")
                        .isNumber());
        for (String version : List.of("v1alpha1", "v1beta1")) {
            asked.add(
                    "SidecarSets are listed as " + version,
                    () ->
                            impatient
                                    .genericKubernetesResources("apps.kruise.io/" + version, "SidecarSet")
                                    .list()
                                    .getItems()
                                    .stream()
                                    .map(set -> set.getMetadata().getName())
                                    .toList()
                                    .containsAll(List.of("first-alpha", "first-beta")));
        }
        return asked;
    }

    private boolean injected(KubernetesClient asking, String name) {
        return ObjectsOfEveryKind.names(made(asking, objects.pod(name).replace("-pod", "-asked"))
                        .at("/spec/containers"))
                .containsAll(List.of("alpha", "beta"));
    }

    /** What would be stored. */
    private JsonNode made(KubernetesClient asking, String yaml) {
        return asking.getKubernetesSerialization()
                .convertValue(asking.resource(yaml).dryRun().create(), JsonNode.class);
    }

    /** @param impatient asks each question once */
    private KubernetesClient client(boolean impatient) {
        Config config = Config.fromKubeconfig(kubeconfig.toFile());
        if (impatient) {
            config.setRequestRetryBackoffLimit(0);
        }
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private void namespace(String name, Map<String, String> labels) {
        Namespaces.ensure(client, name, labels).ifPresent(made::add);
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(PATIENCE)
                .pollInterval(Cluster.LOOK)
                .ignoreExceptionsMatching(Cluster::isRefusal)
                .untilAsserted(assertion);
    }

    private static void emptyReport() throws IOException {
        Files.createDirectories(REPORT);
        try (Stream<Path> before = Files.list(REPORT)) {
            for (Path file : before.toList()) {
                Files.delete(file);
            }
        }
    }

    private Path sandbox() throws Exception {
        String written = VertxSandbox.start(vertx, SandboxOptions.defaults().withRbac(true))
                .await(60, TimeUnit.SECONDS)
                .kubeconfig();
        return Files.writeString(folder.resolve("kubeconfig"), written);
    }
}
