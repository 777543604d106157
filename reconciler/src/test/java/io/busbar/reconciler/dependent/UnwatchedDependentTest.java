package io.busbar.reconciler.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.reconciler.CannedApi;
import io.busbar.reconciler.CannedApi.Answer;
import io.busbar.reconciler.CannedApi.Received;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.dependent.DependentStates.State;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnwatchedDependentTest {

    private final OwnedObjects context = new OwnedObjects();
    private final ConfigMap primary = new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName("a")
            .withUid("uid-1")
            .endMetadata()
            .build();
    private boolean asked = true;
    private CannedApi api;

    private final Dependents<ConfigMap> graph = Dependents.of(ConfigMap.class)
            .add(
                    "key",
                    Secret.class,
                    owner -> secret(),
                    key -> key.unwatched().onlyIf(owner -> asked).named(owner -> "key"));

    @BeforeEach
    void start() throws Exception {
        api = new CannedApi();
        context.client = api.client();
    }

    @AfterEach
    void stop() throws Exception {
        api.close();
    }

    @Test
    void is_applied_without_a_watch() throws Exception {
        api.answer(request -> Answer.failure(404, "secrets \"key\" not found"));
        DependentStates states = graph.reconcile(primary, context);

        assertThat(context.applied).containsExactly("Secret key");
        assertThat(states.state("key")).isEqualTo(State.READY);
        assertThat(states.result()).isEqualTo(ReconcileResult.awaitChange());
    }

    @Test
    void is_taken_away_as_it_was_read() throws Exception {
        asked = false;
        api.answer(request -> stored("uid-1"));
        DependentStates states = graph.reconcile(primary, context);

        assertThat(api.received()).extracting(Received::method).containsExactly("GET", "DELETE", "GET");
        assertThat(api.received().get(1).body().getJsonObject("preconditions").getString("resourceVersion"))
                .isEqualTo("5");
        assertThat(states.state("key")).isEqualTo(State.LEAVING);
        assertThat(states.result()).isEqualTo(ReconcileResult.requeueAfter(Applications.PATIENCE));
    }

    @Test
    void is_left_alone_when_it_is_somebody_elses() throws Exception {
        asked = false;
        api.answer(request -> stored("uid-2"));

        assertThat(graph.reconcile(primary, context).state("key")).isEqualTo(State.OFF);
        assertThat(api.received()).extracting(Received::method).containsOnly("GET");
    }

    private static Answer stored(String owner) {
        JsonObject reference = new JsonObject()
                .put("apiVersion", "v1")
                .put("kind", "ConfigMap")
                .put("name", "a")
                .put("uid", owner)
                .put("controller", true);
        return new Answer(
                200,
                new JsonObject()
                        .put("apiVersion", "v1")
                        .put("kind", "Secret")
                        .put(
                                "metadata",
                                new JsonObject()
                                        .put("name", "key")
                                        .put("namespace", "ns")
                                        .put("resourceVersion", "5")
                                        .put("ownerReferences", new JsonArray().add(reference))));
    }

    private static Secret secret() {
        return new SecretBuilder()
                .withNewMetadata()
                .withName("key")
                .withNamespace("ns")
                .endMetadata()
                .build();
    }
}
