package io.busbar.blueprint.operator;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.reconciler.Controller;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.Extras;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.busbar.sandbox.faults.Faults;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.awaitility.core.ThrowingRunnable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** A simulated cluster with an operator for Blueprints, and no webhook: what is not fit gets there. One thread. */
final class BundleCluster implements AutoCloseable {

    static final String API_VERSION = "blueprints.busbar.io/v1alpha1";

    private static final Looks LOOKS = new Looks(Duration.ofMillis(200), Duration.ofMillis(500));

    static final String CONFIG_MAP = "{apiVersion: v1, kind: ConfigMap, metadata: {name: \"${schema.metadata.name}\"},"
            + " data: {text: \"${schema.spec.text}\"}}";

    private final Vertx vertx = Vertx.vertx();
    private final Sandbox sandbox;
    private final Config config;
    private final KubernetesClient client;
    private Optional<StandaloneOperator> operator = Optional.empty();

    BundleCluster() {
        try {
            sandbox = VertxSandbox.start(vertx, SandboxOptions.defaults()).await(60, SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("the cluster has not started", e);
        }
        config = Config.fromKubeconfig(sandbox.kubeconfig());
        client = new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Without its webhook, as one that was away, or one whose cluster has changed. */
    private record Unguarded(BlueprintsBundle bundle) implements Bundle {
        @Override
        public String name() {
            return bundle.name();
        }

        @Override
        public List<Controller<?>> controllers(BundleContext context) {
            return bundle.controllers(context);
        }

        @Override
        public Extras extras(BundleContext context) {
            return bundle.extras(context);
        }
    }

    void start() throws Exception {
        BlueprintsBundle bundle = new BlueprintsBundle(LOOKS);
        new CommandLine(CommandSpec.forAnnotatedObject(bundle.flags().orElseThrow()))
                .parseArgs("--default-service-account=anyone");
        OperatorDefinition definition = OperatorDefinition.of(new Unguarded(bundle));
        Installation.install(client, definition);
        StandaloneOperator next =
                new StandaloneOperator(definition, config, OperatorOptions.besideCluster("blueprints"));
        next.start();
        operator = Optional.of(next);
    }

    /** Another process goes on. */
    void restart() throws Exception {
        stop();
        start();
    }

    private void stop() throws Exception {
        if (operator.isPresent()) {
            operator.get().stop();
            operator = Optional.empty();
        }
    }

    KubernetesClient client() {
        return client;
    }

    /** What goes wrong in the cluster. */
    Faults faults() {
        return sandbox.faults();
    }

    /** One that makes an object of any kind, with one field. */
    static String blueprint(String kind, String object) {
        return """
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: Blueprint
                metadata: {name: %2$s}
                spec:
                  schema:
                    apiVersion: v1
                    kind: %1$s
                    group: test.example.com
                    spec: {text: "string | default=none"}
                  resources:
                    - id: made
                      template: %3$s
                """.formatted(kind, kind.toLowerCase(Locale.ROOT), object);
    }

    /** Of a kind that no Blueprint makes. */
    static String definition(String kind, String group, String properties) {
        String plural = kind.toLowerCase(Locale.ROOT) + "s";
        return """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: %1$s.%2$s}
                spec:
                  group: %2$s
                  names: {kind: %3$s, plural: %1$s, singular: %4$s, listKind: %3$sList}
                  scope: Namespaced
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, properties: {%5$s}}}
                """.formatted(plural, group, kind, plural.substring(0, plural.length() - 1), properties);
    }

    void instance(String kind, String name, String text) {
        write("""
                apiVersion: test.example.com/v1
                kind: %s
                metadata: {name: %s, namespace: default}
                spec: {text: %s}
                """.formatted(kind, name, text));
    }

    GenericKubernetesResource instance(String kind, String name) {
        return client.genericKubernetesResources("test.example.com/v1", kind)
                .inNamespace("default")
                .withName(name)
                .require();
    }

    void write(String yaml) {
        client.resource(Serialization.unmarshal(yaml, GenericKubernetesResource.class))
                .patch(new PatchContext.Builder()
                        .withPatchType(PatchType.SERVER_SIDE_APPLY)
                        .withFieldManager("user")
                        .withForce(true)
                        .build());
    }

    GenericKubernetesResource stored(String blueprint) {
        return client.genericKubernetesResources(API_VERSION, "Blueprint")
                .withName(blueprint)
                .require();
    }

    /** What the first condition of a Blueprint says. */
    String ready(String blueprint) {
        return condition(stored(blueprint));
    }

    /** Waits until a Blueprint runs as it was written last. Its definition changes before, while what ran goes on. */
    void awaitRunning(String blueprint) {
        eventually(() -> {
            GenericKubernetesResource stored = stored(blueprint);
            assertThat(condition(stored)).startsWith("True Running");
            assertThat(stored.<Number>get("status", "observedGeneration").longValue())
                    .isEqualTo(stored.getMetadata().getGeneration());
        });
    }

    /** What the first condition of an instance says. */
    String told(String kind, String name) {
        return condition(instance(kind, name));
    }

    /** Status, reason and message of the first condition. */
    String condition(GenericKubernetesResource object) {
        JsonNode ready = client.getKubernetesSerialization()
                .convertValue(object, JsonNode.class)
                .at("/status/conditions/0");
        return ready.path("status").asText() + " " + ready.path("reason").asText() + " "
                + ready.path("message").asText();
    }

    /** The revision of its Blueprint that an instance has. */
    String revision(String kind, String name) {
        return instance(kind, name).get("status", "blueprintRevision");
    }

    /** How many revisions are kept. */
    int revisions(String blueprint) {
        return client.apps()
                .controllerRevisions()
                .inAnyNamespace()
                .withLabel("blueprints.busbar.io/blueprint", blueprint)
                .list()
                .getItems()
                .size();
    }

    CustomResourceDefinition defined(String name) {
        return client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(name)
                .require();
    }

    /** Its resourceVersion. */
    String version(String definition) {
        return defined(definition).getMetadata().getResourceVersion();
    }

    /** The text in a ConfigMap; empty where there is none. */
    String map(String name) {
        return Optional.ofNullable(client.resources(ConfigMap.class)
                        .inNamespace("default")
                        .withName(name)
                        .get())
                .map(map -> map.getData().get("text"))
                .orElse("");
    }

    static void eventually(ThrowingRunnable assertion) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(assertion);
    }

    @Override
    public void close() {
        try {
            stop();
            client.close();
            sandbox.close();
            vertx.close().await(60, SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("the cluster has not ended", e);
        }
    }
}
