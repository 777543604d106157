package io.busbar.operator.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.sandbox.Sandbox;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionList;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** SidecarSets that were stored in two versions, as OpenKruise's are, in the hands of an operator that stores one. */
class StorageMigrationTest {

    private static final String DEFINITION = "sidecarsets.apps.kruise.io";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** More than a page. */
    private static final int SETS = 25;

    private final Sandbox sandbox = Sandbox.start();
    private final KubernetesClient client = new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(sandbox.kubeconfig()))
            .build();

    @AfterEach
    void stop() {
        client.close();
        sandbox.close();
    }

    @Test
    void all_are_stored_in_one_version_and_nothing_else_about_them_changes() throws Exception {
        definedAsBefore("v1alpha1");
        for (int i = 0; i < SETS; i++) {
            client.resource(set("v1alpha1", "alpha-" + i, "namespace: shop")).create();
        }
        definedAsBefore("v1beta1");
        client.resource(set("v1beta1", "beta", "customVersion: v7")).create();
        assertThat(storedVersions()).containsExactly("v1alpha1", "v1beta1");

        Installation.install(client, Bundled.operator());
        StandaloneOperator operator = operator();
        try {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(storedVersions()).containsExactly(stored()));
            assertThat(MigrationCondition.of(client, DEFINITION))
                    .isEqualTo("True Migrated " + (SETS + 1) + " objects are stored as " + stored());
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(client.events()
                                    .v1()
                                    .events()
                                    .inNamespace("default")
                                    .list()
                                    .getItems())
                            .filteredOn(event -> event.getRegarding().getName().equals(DEFINITION))
                            .extracting(Event::getReason)
                            .containsExactlyInAnyOrder("StorageMigrationStarted", "StorageMigrated"));
            assertThat(sets("v1alpha1").list().getItems())
                    .hasSize(SETS + 1)
                    .allSatisfy(
                            set -> assertThat(set.getMetadata().getGeneration()).isEqualTo(1));
            assertThat(sets("v1alpha1").withName("alpha-3").require().<String>get("spec", "namespace"))
                    .isEqualTo("shop");
            assertThat(sets("v1beta1").withName("beta").require().<String>get("spec", "customVersion"))
                    .isEqualTo("v7");
        } finally {
            operator.stop();
        }
        assertThat(sets(stored()).list().getItems())
                .as("nobody is there who converts, nor has to")
                .hasSize(SETS + 1);
    }

    /**
     * Their definition names a webhook that has gone, so that not even the operator can list them before it has
     * registered its own.
     */
    @Test
    void those_that_are_there_later_are_converted_before_they_are_listed() throws Exception {
        Installation.install(client, Bundled.operator());
        client.resource(definition()).delete();
        await().atMost(PATIENCE).until(() -> definitions().withName(DEFINITION).get() == null);
        StandaloneOperator operator = operator();
        try {
            client.resource(new CustomResourceDefinitionBuilder(before("v1alpha1"))
                            .editSpec()
                            .withNewConversion()
                            .withStrategy("Webhook")
                            .withNewWebhook()
                            .withNewClientConfig()
                            .withUrl("https://127.0.0.1:1/convert")
                            .endClientConfig()
                            .withConversionReviewVersions("v1")
                            .endWebhook()
                            .endConversion()
                            .endSpec()
                            .build())
                    .create();
            createAsSoonAsServed(set("v1alpha1", "alpha", "namespace: shop"));
            definitions().withName(DEFINITION).patch(PatchContext.of(PatchType.JSON), """
                            [{"op": "replace", "path": "/spec/versions/0/storage", "value": true},
                             {"op": "replace", "path": "/spec/versions/1/storage", "value": false}]
                            """);
            createAsSoonAsServed(set("v1beta1", "beta", "customVersion: v7"));

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(storedVersions()).containsExactly("v1beta1"));
            assertThat(sets("v1beta1").withName("beta").require().<String>get("spec", "customVersion"))
                    .isEqualTo("v7");
            assertThat(sets("v1alpha1").withName("alpha").require().<String>get("spec", "namespace"))
                    .isEqualTo("shop");
        } finally {
            operator.stop();
        }
    }

    /** Has no conversion: neither do its objects need one while nobody asks for what they are not stored in. */
    private void definedAsBefore(String stored) {
        CustomResourceDefinition definition = before(stored);
        client.resource(definition)
                .createOr(there -> client.resource(definition).update());
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(storedVersions()).contains(stored));
        await().atMost(PATIENCE).ignoreExceptions().until(() -> sets(stored).list() != null);
    }

    /** With both versions served, of which one is stored. */
    private static CustomResourceDefinition before(String stored) {
        CustomResourceDefinition definition = Bundled.operator().crds().stream()
                .filter(crd -> crd.getMetadata().getName().equals(DEFINITION))
                .findFirst()
                .orElseThrow();
        for (CustomResourceDefinitionVersion version : definition.getSpec().getVersions()) {
            version.setServed(true);
            version.setStorage(version.getName().equals(stored));
        }
        return definition;
    }

    private void createAsSoonAsServed(String set) {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> client.resource(set).create() != null);
    }

    private static String set(String version, String name, String field) {
        return """
                apiVersion: apps.kruise.io/%s
                kind: SidecarSet
                metadata: {name: %s}
                spec:
                  %s
                  selector: {matchLabels: {app: %s}}
                  containers: [{name: proxy, image: example/proxy:1}]
                """.formatted(version, name, field, name);
    }

    private StandaloneOperator operator() throws Exception {
        StandaloneOperator operator = new StandaloneOperator(
                Bundled.operator(), client.getConfiguration(), OperatorOptions.besideCluster("busbar"));
        operator.start();
        return operator;
    }

    private MixedOperation<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            sets(String version) {
        return sets(client, version);
    }

    /** All SidecarSets, in one of their versions. */
    static MixedOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            sets(KubernetesClient client, String version) {
        return client.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                .withGroup(SidecarSet.GROUP)
                .withVersion(version)
                .withKind("SidecarSet")
                .withPlural("sidecarsets")
                .withNamespaced(false)
                .build());
    }

    private String stored() {
        return definition().getSpec().getVersions().stream()
                .filter(CustomResourceDefinitionVersion::getStorage)
                .map(CustomResourceDefinitionVersion::getName)
                .findFirst()
                .orElseThrow();
    }

    private List<String> storedVersions() {
        return definition().getStatus().getStoredVersions();
    }

    private CustomResourceDefinition definition() {
        return definitions().withName(DEFINITION).require();
    }

    private NonNamespaceOperation<
                    CustomResourceDefinition, CustomResourceDefinitionList, Resource<CustomResourceDefinition>>
            definitions() {
        return client.apiextensions().v1().customResourceDefinitions();
    }
}
