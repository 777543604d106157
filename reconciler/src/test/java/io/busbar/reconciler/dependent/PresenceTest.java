package io.busbar.reconciler.dependent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.reconciler.CannedApi;
import io.busbar.reconciler.CannedApi.Answer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PresenceTest {

    private final ConfigMap primary = new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName("a")
            .withUid("uid-1")
            .endMetadata()
            .build();
    private CannedApi api;

    @BeforeEach
    void start() throws Exception {
        api = new CannedApi();
    }

    @AfterEach
    void stop() throws Exception {
        api.close();
    }

    @Test
    void one_that_is_there_is_confirmed_by_one_request() {
        answer(new JsonObject().put("uid", "uid-1"));
        assertThat(Presence.confirm(primary, api.client())).isTrue();
        assertThat(api.received())
                .extracting(request -> request.method() + " " + request.path())
                .containsExactly("GET /api/v1/namespaces/ns/configmaps/a");
    }

    @Test
    void one_that_is_gone_or_going_or_another_is_not() {
        api.answer(request -> Answer.failure(404, "configmaps \"a\" not found"));
        assertThat(Presence.confirm(primary, api.client())).isFalse();
        answer(new JsonObject().put("uid", "uid-1").put("deletionTimestamp", "2026-01-01T00:00:00Z"));
        assertThat(Presence.confirm(primary, api.client())).isFalse();
        answer(new JsonObject().put("uid", "uid-2"));
        assertThat(Presence.confirm(primary, api.client())).isFalse();
    }

    @Test
    void is_not_guessed_when_the_api_server_does_not_tell() {
        api.answer(request -> Answer.failure(503, "away"));
        assertThatThrownBy(() -> Presence.confirm(primary, api.client())).isInstanceOf(KubernetesClientException.class);
    }

    private void answer(JsonObject metadata) {
        JsonObject body = new JsonObject()
                .put("apiVersion", "v1")
                .put("kind", "ConfigMap")
                .put("metadata", metadata.put("namespace", "ns").put("name", "a"));
        api.answer(request -> new Answer(200, body));
    }
}
