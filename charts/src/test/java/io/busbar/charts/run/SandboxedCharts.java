package io.busbar.charts.run;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.charts.ChartOperator;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.busbar.sandbox.faults.Faults;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.awaitility.core.ThrowingRunnable;

/** An operator for the charts of a file, on a simulated cluster, and what a user does there. One thread. */
final class SandboxedCharts {

    /** The charts of these tests. */
    static final Path TESTED = Path.of("src/test/resources/charts/watches.yaml");

    /** A kind that is not built in, of which some of their objects are. */
    private static final String PARTS = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: parts.parts.example.com}
            spec:
              group: parts.example.com
              names: {kind: Part, plural: parts, singular: part, listKind: PartList}
              scope: Namespaced
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    private final Vertx vertx = Vertx.vertx();
    private final Queue<String> writes = new ConcurrentLinkedQueue<>();
    private final Queue<String> reads = new ConcurrentLinkedQueue<>();
    private final Sandbox sandbox;
    private volatile Consumer<String> meanwhile = write -> {};
    private final KubernetesClient client;
    private Optional<Running> running = Optional.empty();

    private record Running(OperatorDefinition definition, StandaloneOperator operator) {}

    private SandboxedCharts() {
        try {
            sandbox = VertxSandbox.start(vertx, SandboxOptions.defaults()).await(60, SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("the cluster has not started", e);
        }
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(sandbox.kubeconfig()))
                .build();
    }

    private StandaloneOperator operator(OperatorDefinition definition) {
        return new StandaloneOperator(
                definition,
                Config.fromKubeconfig(sandbox.kubeconfig()),
                OperatorOptions.besideCluster(ChartOperator.NAME),
                List.of(new Interceptor() {
                    @Override
                    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                        boolean aside = request.uri().getPath().matches(".*/(leases|events)(/.*)?");
                        if (request.method().equals("GET")) {
                            reads.add(request.uri().getPath());
                        } else if (!aside) {
                            String write =
                                    request.method() + " " + request.uri().getPath();
                            meanwhile.accept(write);
                            writes.add(write);
                        }
                    }
                }));
    }

    /** A cluster on which no operator runs yet. */
    static SandboxedCharts idle() {
        return new SandboxedCharts();
    }

    /** @param before objects that are there before the operator is */
    static SandboxedCharts start(Path watches, Map<String, String> variables, String... before) throws Exception {
        SandboxedCharts charts = idle();
        List.of(before).forEach(charts::write);
        charts.run(ChartOperator.of(watches, variables), () -> {});
        return charts;
    }

    /** Has an operator go on by that file, in place of the one before. */
    void run(Path watches) throws Exception {
        run(watches, () -> {});
    }

    /** @param meanwhile what changes while no operator runs; the kinds of the next one are defined by then */
    void run(Path watches, Runnable meanwhile) throws Exception {
        run(ChartOperator.of(watches, Map.of()), meanwhile);
    }

    private void run(OperatorDefinition definition, Runnable meanwhile) throws Exception {
        stop();
        Installation.install(client, definition);
        meanwhile.run();
        StandaloneOperator operator = operator(definition);
        operator.start();
        running = Optional.of(new Running(definition, operator));
    }

    private void stop() throws Exception {
        if (running.isPresent()) {
            running.get().operator().stop();
            running = Optional.empty();
        }
    }

    /** A chart, and the file that has it as the kind Shifting. */
    static Path chart(Path folder, String template) throws IOException {
        Files.createDirectories(folder.resolve("chart/templates"));
        Files.writeString(folder.resolve("chart/Chart.yaml"), "apiVersion: v2\nname: made\nversion: 1.0.0\n");
        Files.writeString(folder.resolve("chart/templates/all.yaml"), template);
        return Files.writeString(
                folder.resolve("watches.yaml"),
                "- {group: test.example.com, version: v1, kind: Shifting, chart: chart}\n");
    }

    /** Of the charts of these tests, where there is the kind Part. */
    static SandboxedCharts startTested() throws Exception {
        return start(TESTED, Map.of(), PARTS);
    }

    KubernetesClient client() {
        return client;
    }

    /** What goes wrong in the cluster. */
    Faults faults() {
        return sandbox.faults();
    }

    OperatorDefinition definition() {
        return running.orElseThrow().definition();
    }

    /** That the operator has sent, Events and leases aside. */
    Queue<String> writes() {
        return writes;
    }

    /** What happens between the operator's decision for a write, which is told, and that. */
    void meanwhile(Consumer<String> disturbance) {
        meanwhile = disturbance;
    }

    /** Paths that the operator has asked for. */
    Queue<String> reads() {
        return reads;
    }

    long renderings() {
        return definition().bundles().stream()
                .mapToLong(bundle -> ((ChartBundle) bundle).renderings())
                .sum();
    }

    void write(String yaml) {
        client.resource(Serialization.unmarshal(yaml, GenericKubernetesResource.class))
                .patch(new PatchContext.Builder()
                        .withPatchType(PatchType.SERVER_SIDE_APPLY)
                        .withFieldManager("user")
                        .withForce(true)
                        .build());
    }

    /** Missing where there is none. */
    JsonNode get(String apiVersion, String kind, String name) {
        GenericKubernetesResource found = client.genericKubernetesResources(apiVersion, kind)
                .inNamespace("default")
                .withName(name)
                .get();
        return client.getKubernetesSerialization().convertValue(found == null ? Map.of() : found, JsonNode.class);
    }

    /** Status, reason and message of the condition. */
    String ready(String apiVersion, String kind, String name) {
        JsonNode ready = get(apiVersion, kind, name).at("/status/conditions/0");
        return ready.path("status").asText() + " " + ready.path("reason").asText() + " "
                + ready.path("message").asText();
    }

    static void eventually(ThrowingRunnable assertion) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(assertion);
    }

    void close() throws Exception {
        stop();
        client.close();
        sandbox.close();
        vertx.close().await(60, SECONDS);
    }
}
