package io.busbar.operator.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.storage.StorageMigration;
import io.busbar.reconciler.storage.StorageMigration.Pace;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A migration that ends in the middle, on an API server that soon forgets how things were. */
class InterruptedMigrationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String DEFINITION = "crates.shop.example.com";
    /** More than after which it is noted how far it is. */
    private static final int CRATES = 230;

    private static final Duration SETTLED = Duration.ofMillis(100);
    /** Leaves time to end it at its first note. */
    private static final Pace GENTLE = new Pace(SETTLED, Pace.gentle().betweenPages());

    private static final Pace FAST = new Pace(SETTLED, Duration.ZERO);

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private KubernetesClient client;

    @BeforeEach
    void start() throws Exception {
        String kubeconfig = VertxSandbox.start(vertx, SandboxOptions.defaults().withHistory(100))
                .await(60, TimeUnit.SECONDS)
                .kubeconfig();
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig))
                .build();
        client.resource("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: crates.shop.example.com}
                spec:
                  group: shop.example.com
                  scope: Namespaced
                  names: {kind: Crate, listKind: CrateList, plural: crates, singular: crate}
                  versions:
                  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
                  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
                """).create();
        // The first waits until the kind is served.
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> client.resource(crate(0)).create() != null);
        for (int i = 1; i < CRATES; i++) {
            client.resource(crate(i)).create();
        }
        patch("""
                [{"op": "replace", "path": "/spec/versions/0/storage", "value": false},
                 {"op": "replace", "path": "/spec/versions/1/storage", "value": true}]""");
    }

    private static String crate(int number) {
        return """
                apiVersion: shop.example.com/v1
                kind: Crate
                metadata: {name: crate-%d, namespace: default}
                """.formatted(number);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        vertx.close().await(60, TimeUnit.SECONDS);
    }

    @Test
    void another_goes_on_where_it_has_ended() throws Exception {
        interrupt();

        StorageMigration next = migration(FAST);
        next.start().await(60, TimeUnit.SECONDS);

        assertThat(touched()).as("most of it is not done again").isBetween((double) CRATES, CRATES + 30.0);
        assertThat(MigrationCondition.of(client, DEFINITION))
                .isEqualTo("True Migrated " + CRATES + " objects are stored as v2");
        assertThat(client.resources(CustomResourceDefinition.class)
                        .withName(DEFINITION)
                        .require()
                        .getStatus()
                        .getStoredVersions())
                .containsExactly("v2");
        assertThat(client.genericKubernetesResources("shop.example.com/v2", "Crate")
                        .inNamespace("default")
                        .list()
                        .getItems())
                .hasSize(CRATES)
                .extracting(GenericKubernetesResource::getKind)
                .containsOnly("Crate");
    }

    @Test
    void another_begins_anew_where_the_definition_has_changed_since() throws Exception {
        interrupt();
        patch("""
                [{"op": "add", "path": "/spec/names/shortNames", "value": ["box"]}]""");

        migration(FAST).start().await(60, TimeUnit.SECONDS);

        assertThat(touched()).isGreaterThanOrEqualTo(200.0 + CRATES);
    }

    /** Ends one at the first note of how far it is. */
    private void interrupt() {
        StorageMigration first = migration(GENTLE);
        first.start();
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> MigrationCondition.of(client, DEFINITION)
                                .startsWith(
                                        "False Migrating 200 objects are stored as v2 by generation 2, the rest follows from "));
        first.stop();
    }

    private double touched() {
        return meters.get("busbar.storage.migration.objects").counter().count();
    }

    private StorageMigration migration(Pace pace) {
        return new StorageMigration(vertx, client, DEFINITION, new Silent(), meters, pace);
    }

    private void patch(String jsonPatch) {
        client.resources(CustomResourceDefinition.class)
                .withName(DEFINITION)
                .patch(PatchContext.of(PatchType.JSON), jsonPatch);
    }

    /** Tells nobody. */
    private static final class Silent implements EventRecorder {

        @Override
        public void normal(HasMetadata regarding, String reason, String action, String note) {
            // Events are for another test.
        }

        @Override
        public void warning(HasMetadata regarding, String reason, String action, String note) {
            throw new AssertionError(note);
        }
    }
}
