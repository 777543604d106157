package io.busbar.reconciler.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.CannedApi;
import io.busbar.reconciler.CannedApi.Answer;
import io.busbar.reconciler.CannedApi.Received;
import io.busbar.reconciler.FieldConflictException;
import io.busbar.reconciler.FieldConflictException.Conflict;
import io.busbar.reconciler.MapListers;
import io.busbar.reconciler.ObjectNotOwnedException;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ApplierTest {

    private final MapListers stores = new MapListers().watching(ConfigMap.class);
    private final OwnWrites writes = new OwnWrites(stores);
    private final ConfigMap owner = map("owner", Map.of());
    private Set<Class<? extends HasMetadata>> metadataOnly = Set.of();
    private CannedApi api;
    private Applier applier;

    @BeforeEach
    void start() throws Exception {
        api = new CannedApi();
        api.answer(this::answer);
        applier = applier();
    }

    @AfterEach
    void stop() throws Exception {
        api.close();
    }

    private Applier applier() {
        return new Applier(
                "a controller",
                new ApiRequests(api.client()),
                new Schemas(new ApiRequests(api.client()), System::nanoTime),
                stores,
                writes,
                metadataOnly);
    }

    /** As an API server that has no objects, and knows of ConfigMaps that they are nothing out of the ordinary. */
    private Answer answer(Received request) {
        if (request.path().equals("/openapi/v3")) {
            return new Answer(200, new JsonObject("""
                    {"paths":{"api/v1":{"serverRelativeURL":"/openapi/v3/api/v1?hash=1"}}}"""));
        }
        if (request.path().equals("/openapi/v3/api/v1")) {
            return new Answer(200, new JsonObject("""
                    {"components":{"schemas":{"ConfigMap":{
                      "properties":{"metadata":{"properties":{"ownerReferences":{
                        "x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["uid"]}}}},
                      "x-kubernetes-group-version-kind":[{"group":"","version":"v1","kind":"ConfigMap"}]}}}}"""));
        }
        return request.method().equals("GET") ? Answer.failure(404, "not found") : api.echo(request);
    }

    /** The same, but that it has this object. */
    private void has(ConfigMap there) {
        api.answer(request -> {
            if (request.method().equals("POST")) {
                return Answer.failure(409, "configmaps \"a\" already exists", "AlreadyExists");
            }
            return request.method().equals("GET") && request.path().endsWith("/configmaps/a")
                    ? new Answer(
                            200,
                            new JsonObject(
                                    api.client().getKubernetesSerialization().asJson(there)))
                    : answer(request);
        });
    }

    private ConfigMap apply(ConfigMap desired) {
        return applier.apply(desired, owner, Apply.standard());
    }

    /** What was asked for, but schemas. */
    private List<String> requests() {
        return sent().stream()
                .map(one -> one.method() + " " + one.path().replaceFirst(".*/namespaces/ns/", ""))
                .toList();
    }

    private List<Received> sent() {
        return api.received().stream()
                .filter(one -> !one.path().startsWith("/openapi"))
                .toList();
    }

    @Test
    void creates_what_the_store_does_not_show_with_its_field_manager_and_owner() {
        ConfigMap answer = apply(map("a", Map.of("k", "v")));

        assertThat(requests()).containsExactly("POST configmaps");
        Received sent = sent().get(0);
        assertThat(sent.query()).isEqualTo("fieldValidation=Strict&fieldManager=a+controller");
        assertThat(sent.contentType()).isEqualTo("application/json");
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
    void gives_what_is_to_stay_no_owner() {
        applier.apply(map("a", Map.of("k", "v")), owner, Apply.standard().unowned());

        assertThat(sent())
                .singleElement()
                .satisfies(request -> assertThat(
                                request.body().getJsonObject("metadata").containsKey("ownerReferences"))
                        .isFalse());
    }

    @Test
    void sends_a_forced_server_side_apply_to_the_object_that_it_has_seen_and_no_other() {
        apply(map("a", Map.of("k", "v")));
        apply(map("a", Map.of("k", "w")));

        assertThat(requests()).containsExactly("POST configmaps", "PATCH configmaps/a");
        Received sent = sent().get(1);
        assertThat(sent.query()).isEqualTo("force=true&fieldManager=a+controller");
        assertThat(sent.contentType()).isEqualTo("application/apply-patch+yaml");
        assertThat(sent.body().getJsonObject("metadata").getString("uid")).isEqualTo("uid");
    }

    @Test
    void what_the_store_does_not_show_and_somebody_else_made_is_left_alone() {
        has(map("a", Map.of("k", "theirs")));

        assertThatThrownBy(() -> apply(map("a", Map.of("k", "v"))))
                .isInstanceOfSatisfying(ObjectNotOwnedException.class, refusal -> {
                    assertThat(ApiFailure.of(refusal)).isInstanceOf(ApiFailure.Rejected.class);
                    assertThat(refusal)
                            .hasMessage("ConfigMap ns/a is there already and has no controller: it is left alone");
                });
        assertThat(requests()).containsExactly("POST configmaps", "GET configmaps/a");
    }

    @Test
    void what_the_store_does_not_show_and_is_the_owners_is_applied() {
        has(ours("a", Map.of("k", "old")));
        apply(map("a", Map.of("k", "v")));

        assertThat(requests()).containsExactly("POST configmaps", "GET configmaps/a", "PATCH configmaps/a");
        assertThat(sent().get(2).body().getJsonObject("metadata").getString("uid"))
                .isEqualTo("uid-a");
    }

    @Test
    void an_object_that_took_the_place_of_the_one_in_the_store_is_left_alone() {
        stores.put(ours("a", Map.of("k", "old")));
        has(map("a", Map.of("k", "theirs")));
        AtomicReference<Answer> refusal = new AtomicReference<>();
        for (Answer other : List.of(
                Answer.failure(409, "uid mismatch", "Conflict"),
                Answer.failure(422, "field is immutable", "FieldValueInvalid", "metadata.uid"))) {
            refusal.set(other);
            api.answer(request -> switch (request.method()) {
                case "PATCH" -> refusal.get();
                case "GET" ->
                    request.path().startsWith("/openapi")
                            ? answer(request)
                            : new Answer(
                                    200,
                                    new JsonObject()
                                            .put("kind", "ConfigMap")
                                            .put(
                                                    "metadata",
                                                    new JsonObject()
                                                            .put("name", "a")
                                                            .put("namespace", "ns")
                                                            .put("uid", "another")));
                default -> answer(request);
            });

            assertThatThrownBy(() -> apply(map("a", Map.of("k", "v")))).isInstanceOf(ObjectNotOwnedException.class);
        }
        assertThat(requests())
                .containsExactly("PATCH configmaps/a", "GET configmaps/a", "PATCH configmaps/a", "GET configmaps/a");
    }

    @Test
    void an_object_that_went_meanwhile_is_made_anew() {
        stores.put(ours("a", Map.of("k", "old")));
        api.answer(request ->
                request.method().equals("PATCH") ? Answer.failure(409, "uid mismatch", "Conflict") : answer(request));
        apply(map("a", Map.of("k", "v")));

        assertThat(requests()).containsExactly("PATCH configmaps/a", "GET configmaps/a", "POST configmaps");
    }

    @Test
    void an_object_that_comes_and_goes_is_given_up() {
        api.answer(request -> request.method().equals("POST")
                ? Answer.failure(409, "already exists", "AlreadyExists")
                : answer(request));

        assertThatThrownBy(() -> apply(map("a", Map.of()))).hasMessageContaining("already exists");
        assertThat(requests()).hasSize(5);
    }

    @Test
    void an_object_without_a_controller_is_adopted_if_that_is_wanted() {
        has(map("a", Map.of("k", "theirs"))
                .edit()
                .editMetadata()
                .withUid("uid-theirs")
                .endMetadata()
                .build());
        applier.apply(map("a", Map.of("k", "v")), owner, Apply.standard().adopting());

        assertThat(requests()).containsExactly("POST configmaps", "GET configmaps/a", "PATCH configmaps/a");
        assertThat(sent().get(2).body().getJsonObject("metadata").getJsonArray("ownerReferences"))
                .hasSize(1);
    }

    @Test
    void an_object_with_another_controller_is_never_adopted() {
        has(controlled("a", "uid-other"));

        assertThatThrownBy(() -> applier.apply(
                        map("a", Map.of("k", "v")), owner, Apply.standard().adopting()))
                .hasMessageContaining("is controlled by ConfigMap owner (uid uid-other)");
        assertThat(requests()).containsExactly("POST configmaps", "GET configmaps/a");
    }

    @Test
    void conflicts_are_reported_with_the_managers_and_the_fields_if_that_is_wanted() {
        stores.put(ours("a", Map.of("k", "theirs")));
        api.answer(request -> request.method().equals("PATCH")
                ? Answer.failure(
                        409, "conflict with \"kubectl-edit\" using v1", "FieldManagerConflict", ".data.k", ".data.l")
                : answer(request));

        assertThatThrownBy(() -> applier.apply(
                        map("a", Map.of("k", "v")), owner, Apply.standard().reportingConflicts()))
                .isInstanceOfSatisfying(FieldConflictException.class, conflict -> {
                    assertThat(conflict.conflicts())
                            .containsExactly(
                                    new Conflict("kubectl-edit", "v1", ".data.k"),
                                    new Conflict("kubectl-edit", "v1", ".data.l"));
                    assertThat(ApiFailure.of(conflict)).isInstanceOf(ApiFailure.Rejected.class);
                    assertThat(conflict).hasMessageContaining("conflict with \"kubectl-edit\" using v1");
                });
        assertThat(sent().get(0).query()).isEqualTo("fieldManager=a+controller");
    }

    @Test
    void what_it_created_becomes_its_own_by_applying_with_the_first_apply() {
        stores.put(ours("a", Map.of("k", "old", "l", "w")));
        AtomicInteger patches = new AtomicInteger();
        api.answer(request -> {
            Answer answer = answer(request);
            if (request.contentType().equals(ApiRequests.APPLY) && patches.getAndIncrement() == 0) {
                answer.body()
                        .getJsonObject("metadata")
                        .put(
                                "managedFields",
                                new JsonArray()
                                        .add(entry("a controller", "Apply", "{\"f:data\":{\"f:k\":{}}}"))
                                        .add(entry("another", "Update", "{\"f:data\":{\"f:m\":{}}}"))
                                        .add(entry(
                                                "a controller",
                                                "Update",
                                                "{\"f:data\":{\".\":{},\"f:k\":{},\"f:l\":{}}}")));
            }
            return answer;
        });
        apply(map("a", Map.of("k", "v")));

        assertThat(requests()).containsExactly("PATCH configmaps/a", "PATCH configmaps/a", "PATCH configmaps/a");
        Received joining = sent().get(1);
        assertThat(joining.contentType()).isEqualTo(ApiRequests.JSON_PATCH);
        assertThat(joining.operations().getJsonObject(0).getJsonArray("value"))
                .containsExactly(
                        entry("another", "Update", "{\"f:data\":{\"f:m\":{}}}"),
                        entry("a controller", "Apply", "{\"f:data\":{\"f:k\":{},\".\":{},\"f:l\":{}}}"));
    }

    /** Such as a port of a container that keeps its name and gets another number. */
    @Test
    void what_it_created_becomes_its_own_by_applying_where_what_is_left_of_it_has_the_first_apply_refused() {
        ConfigMap there = ours("a", Map.of("k", "old", "l", "w"));
        stores.put(there);
        AtomicInteger patches = new AtomicInteger();
        api.answer(request -> {
            if (request.contentType().equals(ApiRequests.APPLY) && patches.getAndIncrement() == 0) {
                return Answer.failure(422, "data: Duplicate value", "Invalid");
            }
            if (request.method().equals("GET") && request.path().endsWith("/configmaps/a")) {
                JsonObject stored =
                        new JsonObject(api.client().getKubernetesSerialization().asJson(there));
                stored.getJsonObject("metadata")
                        .put(
                                "managedFields",
                                new JsonArray().add(entry("a controller", "Update", "{\"f:data\":{\"f:k\":{}}}")));
                return new Answer(200, stored);
            }
            return answer(request);
        });
        apply(map("a", Map.of("k", "v")));

        assertThat(requests())
                .containsExactly("PATCH configmaps/a", "GET configmaps/a", "PATCH configmaps/a", "PATCH configmaps/a");
        assertThat(sent().get(2).operations().getJsonObject(0).getJsonArray("value"))
                .containsExactly(entry("a controller", "Apply", "{\"f:data\":{\"f:k\":{}}}"));
    }

    private static JsonObject entry(String manager, String operation, String fields) {
        return new JsonObject()
                .put("apiVersion", "v1")
                .put("fieldsType", "FieldsV1")
                .put("fieldsV1", new JsonObject(fields))
                .put("manager", manager)
                .put("operation", operation);
    }

    @Test
    void without_schemas_what_it_left_needs_no_request_and_each_change_of_others_one() {
        api.answer(request ->
                request.path().startsWith("/openapi") ? Answer.failure(403, "no schemas for you") : answer(request));
        ConfigMap answer = apply(map("a", Map.of("k", "v")));
        ConfigMap changed = answer.edit()
                .editMetadata()
                .withResourceVersion("200")
                .addToLabels("other", "x")
                .endMetadata()
                .build();
        stores.put(changed);
        ConfigMap applied = apply(map("a", Map.of("k", "v")));
        assertThat(requests()).containsExactly("POST configmaps", "PATCH configmaps/a");
        stores.put(applied.edit()
                .editMetadata()
                .withResourceVersion("300")
                .endMetadata()
                .build());

        apply(map("a", Map.of("k", "v")));
        assertThat(requests()).as("only its version is another").hasSize(2);
    }

    @Test
    void sends_nothing_while_the_own_write_is_all_there_is() {
        apply(map("a", Map.of("k", "v")));
        apply(map("a", Map.of("k", "v")));

        assertThat(sent()).hasSize(1);
    }

    @Test
    void sends_nothing_when_another_one_changed_what_is_not_desired() {
        ConfigMap answer = apply(map("a", Map.of("k", "v")));
        stores.put(answer.edit()
                .editMetadata()
                .withResourceVersion("200")
                .addToLabels("other", "x")
                .endMetadata()
                .build());
        apply(map("a", Map.of("k", "v")));

        assertThat(sent()).hasSize(1);
    }

    @Test
    void sends_again_when_another_one_changed_what_is_desired() {
        ConfigMap answer = apply(map("a", Map.of("k", "v")));
        stores.put(answer.edit()
                .editMetadata()
                .withResourceVersion("200")
                .endMetadata()
                .withData(Map.of("k", "changed"))
                .build());
        apply(map("a", Map.of("k", "v")));

        assertThat(sent()).hasSize(2);
    }

    @Test
    void sends_again_when_a_field_is_desired_no_longer() {
        ConfigMap answer = apply(map("a", Map.of("k", "v", "l", "w")));
        stores.put(answer);
        apply(map("a", Map.of("k", "v")));

        assertThat(sent()).hasSize(2);
    }

    @Test
    void after_a_restart_sends_nothing_when_the_stored_object_holds_all() {
        stores.put(apply(map("a", Map.of("k", "v"))));
        applier = applier();
        apply(map("a", Map.of("k", "v")));

        assertThat(sent()).hasSize(1);
    }

    /** What a watch of the metadata shows of an object. */
    private static ConfigMap shown(ConfigMap object, String version, Long generation) {
        return object.edit()
                .withData(null)
                .editMetadata()
                .withResourceVersion(version)
                .withGeneration(generation)
                .endMetadata()
                .build();
    }

    /** The same, but that it has this object, and of that the metadata alone is watched. */
    private void watchesMetadata(ConfigMap there) {
        metadataOnly = Set.of(ConfigMap.class);
        applier = applier();
        has(there);
    }

    @Test
    void of_metadata_alone_a_change_that_leaves_the_generation_is_one_of_the_status() {
        ConfigMap there = ours("a", Map.of("k", "v"))
                .edit()
                .editMetadata()
                .withGeneration(1L)
                .endMetadata()
                .build();
        watchesMetadata(there);
        stores.put(shown(there, "50", 1L));
        apply(map("a", Map.of("k", "v")));
        assertThat(requests()).as("once after a start").containsExactly("GET configmaps/a");

        stores.put(shown(there, "60", 1L));
        apply(map("a", Map.of("k", "v")));
        assertThat(requests()).hasSize(1);

        stores.put(shown(there, "70", 2L));
        apply(map("a", Map.of("k", "v")));
        assertThat(requests()).as("it may be another field").containsExactly("GET configmaps/a", "GET configmaps/a");
    }

    @Test
    void of_metadata_alone_what_others_change_is_read_before_it_is_applied() {
        watchesMetadata(ours("a", Map.of("k", "v")));
        stores.put(shown(ours("a", Map.of()), "50", null));
        apply(map("a", Map.of("k", "v")));
        stores.put(shown(ours("a", Map.of()), "60", null));
        apply(map("a", Map.of("k", "v")));
        assertThat(requests()).as("nothing that is desired").containsOnly("GET configmaps/a");

        has(ours("a", Map.of("k", "changed")));
        stores.put(shown(ours("a", Map.of()), "70", null));
        apply(map("a", Map.of("k", "v")));
        assertThat(requests()).endsWith("GET configmaps/a", "PATCH configmaps/a");
    }

    @Test
    void of_metadata_alone_another_wish_is_applied_without_a_look() {
        watchesMetadata(ours("a", Map.of("k", "v")));
        stores.put(shown(ours("a", Map.of()), "50", null));
        apply(map("a", Map.of("k", "v")));
        apply(map("a", Map.of("k", "w")));

        assertThat(requests()).containsExactly("GET configmaps/a", "PATCH configmaps/a");
    }

    @Test
    void of_metadata_alone_an_object_that_has_gone_is_made_anew() {
        metadataOnly = Set.of(ConfigMap.class);
        applier = applier();
        stores.put(shown(ours("a", Map.of()), "50", null));
        apply(map("a", Map.of("k", "v")));

        assertThat(requests()).containsExactly("GET configmaps/a", "GET configmaps/a", "POST configmaps");
    }

    @Test
    void an_object_that_somebody_else_made_is_left_alone() {
        stores.put(map("a", Map.of("k", "theirs")));

        assertThatThrownBy(() -> apply(map("a", Map.of("k", "v"))))
                .isInstanceOfSatisfying(KubernetesClientException.class, refusal -> {
                    assertThat(ApiFailure.of(refusal)).isInstanceOf(ApiFailure.Rejected.class);
                    assertThat(refusal.getMessage())
                            .isEqualTo("ConfigMap ns/a is there already and has no controller: it is left alone");
                });
        assertThat(sent()).isEmpty();
    }

    @Test
    void an_object_of_an_owner_of_the_same_name_that_is_gone_is_left_to_the_garbage_collector() {
        stores.put(apply(map("a", Map.of("k", "v"))));
        ConfigMap successor = owner.edit()
                .editMetadata()
                .withUid("uid-successor")
                .endMetadata()
                .build();

        assertThatThrownBy(() -> applier.apply(map("a", Map.of("k", "v")), successor, Apply.standard()))
                .hasMessageContaining("is controlled by ConfigMap owner (uid uid-owner)");
    }

    @Test
    void a_kind_that_is_not_watched_is_looked_at_and_always_sent() {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("s")
                .endMetadata()
                .addToStringData("password", "x")
                .build();
        applier.apply(secret, owner, Apply.standard());
        JsonObject made = sent().get(1).body();
        api.answer(request -> request.method().equals("GET")
                ? api.echo(new Received("GET", request.path(), "", "", made))
                : answer(request));
        applier.apply(secret, owner, Apply.standard());

        assertThat(requests()).containsExactly("GET secrets/s", "POST secrets", "GET secrets/s", "PATCH secrets/s");
        assertThat(made.containsKey("stringData")).isFalse();
        assertThat(made.getJsonObject("data").getString("password")).isEqualTo("eA==");
    }

    @Test
    void where_no_reference_can_be_an_object_is_the_controllers_if_that_has_written_to_it() {
        ConfigMap elsewhere = map("a", Map.of("k", "v"))
                .edit()
                .editMetadata()
                .withNamespace("other")
                .endMetadata()
                .build();
        api.answer(request -> request.method().equals("POST")
                ? Answer.failure(409, "there", "AlreadyExists")
                : request.method().equals("GET") && !request.path().startsWith("/openapi")
                        ? managed("somebody")
                        : answer(request));
        assertThatThrownBy(() -> apply(elsewhere)).isInstanceOf(ObjectNotOwnedException.class);

        api.answer(request -> request.method().equals("POST")
                ? Answer.failure(409, "there", "AlreadyExists")
                : request.method().equals("GET") && !request.path().startsWith("/openapi")
                        ? managed("a controller")
                        : answer(request));
        apply(elsewhere);
        assertThat(sent().get(sent().size() - 1).method()).isEqualTo("PATCH");
    }

    private static Answer managed(String manager) {
        return new Answer(
                200,
                new JsonObject()
                        .put("kind", "ConfigMap")
                        .put(
                                "metadata",
                                new JsonObject()
                                        .put("name", "a")
                                        .put("namespace", "other")
                                        .put("uid", "u")
                                        .put("resourceVersion", "1")
                                        .put("managedFields", new JsonArray().add(entry(manager, "Apply", "{}")))));
    }

    @Test
    void the_owner_itself_is_applied_to() {
        stores.put(owner);
        ConfigMap labels = map("owner", Map.of("k", "v"));
        apply(labels);

        assertThat(requests()).containsExactly("PATCH configmaps/owner");
    }

    @Test
    void the_owner_itself_is_not_made_again_once_it_has_gone() {
        assertThatThrownBy(() -> apply(map("owner", Map.of("k", "v"))))
                .as("the store shows that")
                .isInstanceOf(OutdatedPrimaryException.class)
                .hasMessageContaining("the ConfigMap ns/owner has gone");
        assertThat(requests()).isEmpty();

        stores.put(owner);
        api.answer(request -> request.method().equals("PATCH")
                ? Answer.failure(409, "uid mismatch: there is no such object", "Conflict")
                : answer(request));
        assertThatThrownBy(() -> apply(map("owner", Map.of("k", "v"))))
                .as("the store does not show that yet")
                .isInstanceOf(OutdatedPrimaryException.class);
        assertThat(requests()).containsExactly("PATCH configmaps/owner", "GET configmaps/owner");
    }

    @Test
    void another_one_that_has_the_name_of_the_owner_is_left_alone() {
        stores.put(owner.edit().editMetadata().withUid("another").endMetadata().build());

        assertThatThrownBy(() -> apply(map("owner", Map.of("k", "v")))).isInstanceOf(OutdatedPrimaryException.class);
        assertThat(requests()).isEmpty();
    }

    @Test
    void an_object_of_another_group_is_not_the_owner_for_its_name_and_kind() {
        ConfigMap other = map("owner", Map.of());
        other.setApiVersion("example.com/v1");
        applier.apply(map("owner", Map.of("k", "v")), other, Apply.standard());

        assertThat(requests()).containsExactly("POST configmaps");
    }

    @Test
    void the_owner_does_not_reach_into_another_namespace() {
        ConfigMap elsewhere = map("a", Map.of())
                .edit()
                .editMetadata()
                .withNamespace("other")
                .endMetadata()
                .build();
        apply(elsewhere);

        assertThat(sent().get(0).body().getJsonObject("metadata").containsKey("ownerReferences"))
                .isFalse();
    }

    @Test
    void a_refusal_is_thrown_with_what_the_server_said() {
        api.answer(request -> Answer.failure(422, "data: Invalid value"));

        assertThatThrownBy(() -> apply(map("a", Map.of())))
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

        assertThatThrownBy(() -> apply(map("a", Map.of())))
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

        assertThatThrownBy(() -> apply(nowhere))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ConfigMap a");
    }

    private static ConfigMap ours(String name, Map<String, String> data) {
        return controlled(name, "uid-owner").edit().withData(data).build();
    }

    private static ConfigMap controlled(String name, String ownerUid) {
        return map(name, Map.of())
                .edit()
                .editMetadata()
                .withUid("uid-" + name)
                .withResourceVersion("50")
                .addNewOwnerReference()
                .withApiVersion("v1")
                .withKind("ConfigMap")
                .withName("owner")
                .withUid(ownerUid)
                .withController(true)
                .withBlockOwnerDeletion(true)
                .endOwnerReference()
                .endMetadata()
                .build();
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
