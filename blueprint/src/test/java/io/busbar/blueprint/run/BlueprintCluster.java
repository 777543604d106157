package io.busbar.blueprint.run;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.definition.Definition;
import io.busbar.blueprint.definition.Permissions;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.busbar.sandbox.faults.Faults;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.awaitility.core.ThrowingRunnable;

/** A simulated cluster for a class of tests, with the Blueprints that run on it. */
final class BlueprintCluster implements AutoCloseable {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private final Vertx vertx = Vertx.vertx();
    private final List<StandaloneOperator> operators = new ArrayList<>();
    private final Sandbox sandbox;
    private final Config config;
    private final KubernetesClient client;

    BlueprintCluster(SandboxOptions options) {
        try {
            sandbox = VertxSandbox.start(vertx, options).await(60, SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("the cluster has not started", e);
        }
        config = Config.fromKubeconfig(sandbox.kubeconfig());
        client = new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Has one operator run them all; those that name no account have the rights of the operator. */
    void run(CheckedBlueprint... blueprints) throws Exception {
        start(BlueprintOperator.of("blueprints", "0.1.0", List.of(blueprints), Optional.of("default")));
    }

    /** @return the operator, which ends with this at the latest */
    StandaloneOperator start(OperatorDefinition definition) throws Exception {
        return start(definition, Set.of());
    }

    /** @param namespaces that it is told to watch; empty for all */
    StandaloneOperator start(OperatorDefinition definition, Set<String> namespaces) throws Exception {
        definition.crds().forEach(kind -> Installation.install(client, kind));
        OperatorOptions options = OperatorOptions.besideCluster("blueprints").toBuilder()
                .watchNamespaces(namespaces)
                .build();
        StandaloneOperator operator = new StandaloneOperator(definition, config, options);
        operators.add(operator);
        operator.start();
        return operator;
    }

    /** Installs the kind of a Blueprint, which nobody runs yet. */
    void define(CheckedBlueprint blueprint) {
        Installation.install(
                client,
                SERIALIZATION.convertValue(
                        Definition.of(blueprint.blueprint().schema(), blueprint.statusSchema()),
                        CustomResourceDefinition.class));
    }

    /** One that is not started yet, and ends after so many writes. */
    InterruptedProcess process(CheckedBlueprint blueprint, int lastWrite) {
        return new InterruptedProcess(vertx, config, blueprint, lastWrite);
    }

    Faults faults() {
        return sandbox.faults();
    }

    KubernetesClient client() {
        return client;
    }

    void createNamespace(String name) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    void write(String yaml) {
        client.resource(SERIALIZATION.unmarshal(yaml, GenericKubernetesResource.class))
                .serverSideApply();
    }

    /** Makes a ConfigMap with that text, or writes it into one that is there. */
    void data(String map, String text) {
        write("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: %s, namespace: default}
                data: {text: %s}
                """.formatted(map, text));
    }

    /** What is in a ConfigMap, which has to be there. */
    Map<String, String> data(String map) {
        ConfigMap found =
                client.configMaps().inNamespace("default").withName(map).get();
        assertThat(found).as(map).isNotNull();
        return found.getData();
    }

    /** One in the namespace {@code default}. */
    Resource<GenericKubernetesResource> object(String apiVersion, String kind, String name) {
        return object(apiVersion, kind, "default", name);
    }

    Resource<GenericKubernetesResource> object(String apiVersion, String kind, String namespace, String name) {
        return client.genericKubernetesResources(apiVersion, kind)
                .inNamespace(namespace)
                .withName(name);
    }

    /** One in the namespace {@code default}, as it is now. */
    JsonNode json(String apiVersion, String kind, String name) {
        return json(object(apiVersion, kind, name));
    }

    static JsonNode json(Resource<GenericKubernetesResource> object) {
        return SERIALIZATION.convertValue(object.get(), JsonNode.class);
    }

    /** Merges JSON into an object. */
    static void patch(Resource<GenericKubernetesResource> object, String json) {
        object.patch(PatchContext.of(PatchType.JSON_MERGE), json);
    }

    /** What the first condition of an object in the namespace {@code default} says. */
    String ready(String apiVersion, String kind, String name) {
        return ready(json(apiVersion, kind, name));
    }

    /** Status, reason and message of the first condition. */
    static String ready(JsonNode object) {
        JsonNode condition = object.at("/status/conditions/0");
        return condition.path("status").asText() + " "
                + condition.path("reason").asText() + " "
                + condition.path("message").asText();
    }

    static List<String> owners(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .map(owner -> owner.getKind() + " " + owner.getName())
                .toList();
    }

    /** What the account of a Blueprint needs. */
    static ClusterRole role(CheckedBlueprint blueprint) {
        return SERIALIZATION.convertValue(Permissions.of(blueprint).role(), ClusterRole.class);
    }

    /** Gives an account a role, but for what is about some resource. */
    void allow(ClusterRole role, String account, String but) {
        ClusterRole less = SERIALIZATION.clone(role);
        less.getRules().removeIf(rule -> rule.getResources().contains(but));
        client.resource(less).serverSideApply();
        client.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(account)
                        .endMetadata()
                        .withNewRoleRef(
                                "rbac.authorization.k8s.io",
                                "ClusterRole",
                                role.getMetadata().getName())
                        .addNewSubject("", "ServiceAccount", account, "default")
                        .build())
                .serverSideApply();
    }

    static void eventually(ThrowingRunnable assertion) {
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().untilAsserted(assertion);
    }

    @Override
    public void close() {
        try {
            for (StandaloneOperator operator : operators) {
                operator.stop();
            }
            client.close();
            sandbox.close();
            vertx.close().await(60, SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("the cluster has not ended", e);
        }
    }
}
