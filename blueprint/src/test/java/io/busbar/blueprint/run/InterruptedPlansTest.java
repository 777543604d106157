package io.busbar.blueprint.run;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.definition.Definition;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.common.trace.Tracing;
import io.busbar.common.traffic.RequestGate;
import io.busbar.manifests.crd.CrdGenerator;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.Operator;
import io.busbar.runtime.assembly.OperatorEnvironment;
import io.busbar.runtime.client.ApiClients;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.telemetry.Telemetry;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * A process that ends after any of its writes, as one does that is killed, is followed by one that goes on: the plans of
 * an instance are carried out once each, from its first one to the one before it goes.
 */
@TestInstance(Lifecycle.PER_CLASS)
class InterruptedPlansTest {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
    private static final int AT_ONCE = 12;

    private static final CheckedBlueprint BLUEPRINT =
            Blueprints.checked(Blueprints.with("""
                    spec:
                      text: string | default=first
                    status:
                      text: ${words.data.text}
                    """, """
                    - id: words
                      template:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: words}
                        data: {text: "${schema.spec.text}"}
                    """).replace("kind: Test", "kind: Held") + """
              plans:
                - name: deploy
                  phases:
                    - name: all
                      steps:
                        - name: mark
                          apply: {apiVersion: v1, kind: ConfigMap, metadata: {name: mark}, data: {by: "${run.name}"}}
                        - name: work
                          job:
                            spec:
                              template:
                                metadata: {annotations: {fake-kubelet/exit-code: "0"}}
                                spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}
                        - name: unmark
                          delete: {apiVersion: v1, kind: ConfigMap, metadata: {name: mark}}
                - name: count
                  trigger: ${self.spec.text != oldSelf.spec.text}
                  parameters: {before: "${oldSelf.spec.text}"}
                  phases:
                    - name: all
                      steps:
                        - name: note
                          patch:
                            apiVersion: v1
                            kind: ConfigMap
                            metadata: {name: words}
                            data: {noted: "${run.parameters.before}"}
                - name: delete
                  phases:
                    - name: all
                      steps:
                        - name: last
                          apply:
                            apiVersion: v1
                            kind: ConfigMap
                            metadata: {name: last, ownerReferences: []}
                            data: {by: "${run.name}"}
            """);

    private final Vertx vertx = Vertx.vertx();
    private Sandbox sandbox;
    private Config config;
    private KubernetesClient client;

    @BeforeAll
    void define() throws Exception {
        sandbox = VertxSandbox.start(vertx, SandboxOptions.defaults()).await(30, SECONDS);
        config = Config.fromKubeconfig(sandbox.kubeconfig());
        client = new KubernetesClientBuilder().withConfig(config).build();
        CrdGenerator.generate(List.of(BlueprintRun.class)).forEach(kind -> Installation.install(client, kind));
        Installation.install(
                client,
                SERIALIZATION.convertValue(
                        Definition.of(BLUEPRINT.blueprint().schema(), BLUEPRINT.statusSchema()),
                        CustomResourceDefinition.class));
    }

    @AfterAll
    void stop() throws Exception {
        client.close();
        sandbox.close();
        vertx.close().await(10, SECONDS);
    }

    @Test
    void each_plan_is_carried_out_once_whichever_write_is_the_last_of_a_process() throws Exception {
        int writes = new Story(Integer.MAX_VALUE).tell();
        assertThat(writes).isGreaterThan(15);
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<Integer>> stories = new ArrayList<>();
            for (int last = 1; last <= writes; last++) {
                Story story = new Story(last);
                stories.add(threads.submit(story::tell));
            }
            for (Future<Integer> story : stories) {
                story.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** One instance, in a namespace of its own, from its beginning to its end. */
    private final class Story {

        private final String namespace;
        private final Set<String> jobs = ConcurrentHashMap.newKeySet();
        private Life life;

        Story(int lastWrite) {
            this.namespace = lastWrite == Integer.MAX_VALUE ? "undisturbed" : "ends-after-" + lastWrite;
            this.life = new Life(lastWrite);
        }

        /** @return how many writes the first process has made */
        int tell() throws Exception {
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(namespace)
                            .endMetadata()
                            .build())
                    .create();
            Watch made = client.batch().v1().jobs().inNamespace(namespace).watch(uidsOf(jobs));
            try {
                life.start(namespace);
                write("first");
                eventually(() -> assertThat(runs()).isEqualTo(Map.of("it-deploy-1", "Succeeded")));
                write("second");
                eventually(() -> {
                    assertThat(runs()).isEqualTo(Map.of("it-deploy-1", "Succeeded", "it-count-2", "Succeeded"));
                    assertThat(ready()).isEqualTo("True Ready all resources are ready");
                });
                assertThat(configMap("words").getData()).isEqualTo(Map.of("text", "second", "noted", "first"));
                assertThat(configMap("mark")).isNull();
                instance().delete();
                eventually(() -> assertThat(instance().get()).isNull());
                assertThat(configMap("last")).isNotNull();
                eventually(() -> assertThat(runs()).isEmpty());
                assertThat(jobs).as("Jobs that were made").hasSize(1);
                return life.writes;
            } finally {
                made.close();
                life.end();
            }
        }

        /** Starts another process where one has ended. */
        private void eventually(ThrowingRunnable assertion) {
            await(namespace).atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                if (life.hasEnded) {
                    life.end();
                    life = new Life(Integer.MAX_VALUE);
                    life.start(namespace);
                }
                assertion.run();
            });
        }

        private void write(String text) {
            client.resource(SERIALIZATION.unmarshal("""
                            apiVersion: busbar.io/v1
                            kind: Held
                            metadata: {name: it, namespace: %s}
                            spec: {text: %s}
                            """.formatted(namespace, text), GenericKubernetesResource.class))
                    .serverSideApply();
        }

        private io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource> instance() {
            return client.genericKubernetesResources("busbar.io/v1", "Held")
                    .inNamespace(namespace)
                    .withName("it");
        }

        private String ready() {
            JsonNode condition =
                    SERIALIZATION.convertValue(instance().get(), JsonNode.class).at("/status/conditions/0");
            return condition.path("status").asText() + " "
                    + condition.path("reason").asText() + " "
                    + condition.path("message").asText();
        }

        /** The phases of all runs, by their names. */
        private Map<String, String> runs() {
            Map<String, String> phases = new ConcurrentHashMap<>();
            client.resources(BlueprintRun.class)
                    .inNamespace(namespace)
                    .list()
                    .getItems()
                    .forEach(run -> phases.put(
                            run.getMetadata().getName(),
                            run.getStatus() == null || run.getStatus().phase() == null
                                    ? ""
                                    : run.getStatus().phase()));
            return phases;
        }

        private ConfigMap configMap(String name) {
            return client.configMaps().inNamespace(namespace).withName(name).get();
        }
    }

    private static Watcher<Job> uidsOf(Set<String> uids) {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, Job job) {
                uids.add(job.getMetadata().getUid());
            }

            @Override
            public void onClose(WatcherException cause) {}
        };
    }

    /** A process that ends after some write: nothing that it does from then on has an effect. */
    private final class Life implements Interceptor {

        private final int lastWrite;
        private KubernetesClient own;
        private Operator operator;
        private volatile int writes;
        private volatile boolean hasEnded;

        Life(int lastWrite) {
            this.lastWrite = lastWrite;
        }

        void start(String namespace) throws Exception {
            PrometheusMeterRegistry meters = Telemetry.registry();
            own = ApiClients.measured(
                    new ConfigBuilder(config).build(), meters, Tracing.off(), RequestGate.unlimited(), List.of(this));
            operator = new Operator(
                    new OperatorEnvironment(vertx, own, meters, Tracing.off(), "held", "held-0"),
                    OperatorOptions.besideCluster("held").toBuilder()
                            .watchNamespaces(Set.of(namespace))
                            .gracefulShutdownTimeout(Duration.ofMillis(1))
                            .build(),
                    List.of(new BlueprintBundle(BLUEPRINT, SERIALIZATION)));
            operator.start().await(30, SECONDS);
        }

        void end() throws Exception {
            hasEnded = true;
            operator.stop().await(30, SECONDS);
            own.close();
        }

        @Override
        public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
            if (hasEnded) {
                throw new IllegalStateException("the process has ended");
            }
        }

        @Override
        public void after(
                HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
            if (isWrite(request)) {
                synchronized (this) {
                    writes++;
                    hasEnded |= writes >= lastWrite;
                }
            }
            if (hasEnded) {
                throw new IllegalStateException("the process has ended");
            }
        }

        private static boolean isWrite(HttpRequest request) {
            String path = request.uri().getPath();
            return !request.method().equals("GET")
                    && !path.contains("/events")
                    && !path.startsWith("/apis/authorization.k8s.io/");
        }
    }
}
