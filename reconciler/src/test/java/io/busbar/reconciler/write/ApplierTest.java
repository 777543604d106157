package io.busbar.reconciler.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.reconciler.CannedApi;
import io.busbar.reconciler.CannedApi.Answer;
import io.busbar.reconciler.CannedApi.Received;
import io.busbar.reconciler.MapListers;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ApplierTest {

    private final MapListers stores = new MapListers().watching(ConfigMap.class);
    private final OwnWrites writes = new OwnWrites(stores);
    private final ConfigMap owner = map("owner", Map.of());
    private CannedApi api;
    private Applier applier;

    @BeforeEach
    void start() throws Exception {
        api = new CannedApi();
        applier = applier();
    }

    @AfterEach
    void stop() throws Exception {
        api.close();
    }

    private Applier applier() {
        return new Applier("a controller", new ApiRequests(api.client()), stores, writes);
    }

    @Test
    void sends_one_forced_server_side_apply_with_its_field_manager_and_owner() {
        ConfigMap answer = applier.apply(map("a", Map.of("k", "v")), owner);

        assertThat(api.received()).hasSize(1);
        Received sent = api.received().get(0);
        assertThat(sent.method()).isEqualTo("PATCH");
        assertThat(sent.path()).isEqualTo("/api/v1/namespaces/ns/configmaps/a");
        assertThat(sent.query()).isEqualTo("force=true&fieldManager=a+controller");
        assertThat(sent.contentType()).isEqualTo("application/apply-patch+yaml");
        assertThat(sent.body().getJsonObject("data")).isEqualTo(new JsonObject().put("k", "v"));
        assertThat(sent.body().getJsonObject("metadata").getJsonArray("ownerReferences"))
                .containsExactly(new JsonObject()
                        .put("apiVersion", "v1")
                        .put("kind", "ConfigMap")
                        .put("name", "owner")
                        .put("uid", "uid-owner")
                        .put("controller", true)
                        .put("blockOwnerDeletion", true));
        assertThat(answer.getMetadata().getResourceVersion()).isEqualTo("101");
    }

    @Test
    void sends_nothing_while_the_own_write_is_all_there_is() {
        applier.apply(map("a", Map.of("k", "v")), owner);
        applier.apply(map("a", Map.of("k", "v")), owner);

        assertThat(api.received()).hasSize(1);
    }

    @Test
    void sends_nothing_when_another_one_changed_what_is_not_desired() {
        ConfigMap answer = applier.apply(map("a", Map.of("k", "v")), owner);
        stores.put(answer.edit()
                .editMetadata()
                .withResourceVersion("200")
                .addToLabels("other", "x")
                .endMetadata()
                .build());
        applier.apply(map("a", Map.of("k", "v")), owner);

        assertThat(api.received()).hasSize(1);
    }

    @Test
    void sends_again_when_another_one_changed_what_is_desired() {
        ConfigMap answer = applier.apply(map("a", Map.of("k", "v")), owner);
        stores.put(answer.edit()
                .editMetadata()
                .withResourceVersion("200")
                .endMetadata()
                .withData(Map.of("k", "changed"))
                .build());
        applier.apply(map("a", Map.of("k", "v")), owner);

        assertThat(api.received()).hasSize(2);
    }

    @Test
    void sends_again_when_a_field_is_desired_no_longer() {
        ConfigMap answer = applier.apply(map("a", Map.of("k", "v", "l", "w")), owner);
        stores.put(answer);
        applier.apply(map("a", Map.of("k", "v")), owner);

        assertThat(api.received()).hasSize(2);
    }

    @Test
    void after_a_restart_sends_nothing_when_the_stored_object_holds_all() {
        stores.put(applier.apply(map("a", Map.of("k", "v")), owner));
        applier = applier();
        applier.apply(map("a", Map.of("k", "v")), owner);

        assertThat(api.received()).hasSize(1);
    }

    @Test
    void an_object_that_somebody_else_made_is_left_alone() {
        stores.put(map("a", Map.of("k", "theirs")));

        assertThatThrownBy(() -> applier.apply(map("a", Map.of("k", "v")), owner))
                .isInstanceOfSatisfying(KubernetesClientException.class, refusal -> {
                    assertThat(ApiFailure.of(refusal)).isInstanceOf(ApiFailure.Rejected.class);
                    assertThat(refusal.getMessage())
                            .isEqualTo("ConfigMap ns/a is there already and has no controller: it is left alone");
                });
        assertThat(api.received()).isEmpty();
    }

    @Test
    void an_object_of_an_owner_of_the_same_name_that_is_gone_is_left_to_the_garbage_collector() {
        stores.put(applier.apply(map("a", Map.of("k", "v")), owner));
        ConfigMap successor = owner.edit()
                .editMetadata()
                .withUid("uid-successor")
                .endMetadata()
                .build();

        assertThatThrownBy(() -> applier.apply(map("a", Map.of("k", "v")), successor))
                .hasMessageContaining("is controlled by ConfigMap owner (uid uid-owner)");
    }

    @Test
    void a_kind_that_is_not_watched_is_always_sent() {
        for (int i = 0; i < 2; i++) {
            applier.apply(
                    new SecretBuilder()
                            .withNewMetadata()
                            .withNamespace("ns")
                            .withName("s")
                            .endMetadata()
                            .addToStringData("password", "x")
                            .build(),
                    owner);
        }

        assertThat(api.received()).hasSize(2);
        assertThat(api.received().get(0).body().containsKey("stringData")).isFalse();
        assertThat(api.received().get(0).body().getJsonObject("data").getString("password"))
                .isEqualTo("eA==");
    }

    @Test
    void the_owner_does_not_reach_into_another_namespace() {
        ConfigMap elsewhere = map("a", Map.of())
                .edit()
                .editMetadata()
                .withNamespace("other")
                .endMetadata()
                .build();
        applier.apply(elsewhere, owner);

        assertThat(api.received().get(0).body().getJsonObject("metadata").containsKey("ownerReferences"))
                .isFalse();
    }

    @Test
    void a_refusal_is_thrown_with_what_the_server_said() {
        api.answer(request -> Answer.failure(422, "data: Invalid value"));

        assertThatThrownBy(() -> applier.apply(map("a", Map.of()), owner))
                .isInstanceOfSatisfying(KubernetesClientException.class, failure -> {
                    assertThat(failure.getCode()).isEqualTo(422);
                    assertThat(failure.getMessage()).contains("data: Invalid value");
                });
        assertThat(writes.over(stores).lister(ConfigMap.class).get(ObjectKey.of("ns", "a")))
                .isEmpty();
    }

    @Test
    void an_interrupt_ends_the_wait_for_an_answer() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> applier.apply(map("a", Map.of()), owner))
                .isInstanceOf(KubernetesClientException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void an_object_without_a_namespace_that_needs_one_is_a_bug() {
        ConfigMap nowhere = map("a", Map.of())
                .edit()
                .editMetadata()
                .withNamespace(null)
                .endMetadata()
                .build();

        assertThatThrownBy(() -> applier.apply(nowhere, owner))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ConfigMap a");
    }

    private static ConfigMap map(String name, Map<String, String> data) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName(name)
                .withUid(name.equals("owner") ? "uid-owner" : null)
                .endMetadata()
                .withData(data)
                .build();
    }
}
