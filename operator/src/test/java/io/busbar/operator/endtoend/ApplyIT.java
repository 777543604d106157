package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.operator.sidecarset.StoredObjects;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.FieldConflictException;
import io.busbar.reconciler.ObjectNotOwnedException;
import io.busbar.reconciler.write.ApiRequests;
import io.busbar.reconciler.write.Applier;
import io.busbar.reconciler.write.OwnWrites;
import io.busbar.reconciler.write.Schemas;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an apply does to objects that others write to, against the schemas that the API server publishes. */
@EndToEnd
class ApplyIT {

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: driftings.apply.busbar.test}
            spec:
              group: apply.busbar.test
              scope: Namespaced
              names: {kind: Drifting, plural: driftings, singular: drifting}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties:
                          env: {type: array, items: {type: object, properties: {name: {type: string}}}}
                          tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
                          rules:
                            type: array
                            x-kubernetes-list-type: map
                            x-kubernetes-list-map-keys: [id]
                            items:
                              type: object
                              required: [id]
                              properties:
                                id: {type: string}
                                containers: {type: array, items: {type: string}}
                                hooks:
                                  type: array
                                  x-kubernetes-list-type: map
                                  x-kubernetes-list-map-keys: [at]
                                  items: {type: object, required: [at], properties: {at: {type: integer}, run: {type: string}}}
            """;

    /** Of a kind with lists of all sorts, some named as lists of Pods are. */
    @Group("apply.busbar.test")
    @Version("v1")
    @Kind("Drifting")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public static final class Drifting extends CustomResource<JsonNode, Void> implements Namespaced {

        private static final long serialVersionUID = 1;

        @Override
        protected @Nullable JsonNode initSpec() {
            return null;
        }

        @Override
        protected @Nullable Void initStatus() {
            return null;
        }
    }

    private final Cluster cluster;
    private final ApiRequests api;
    private final AtomicLong now = new AtomicLong();
    private final Schemas schemas;
    private final ConfigMap owner;

    ApplyIT(Cluster cluster) {
        this.cluster = cluster;
        this.api = new ApiRequests(cluster.client());
        this.schemas = new Schemas(api, now::get);
        this.owner = cluster.create(ConfigMap.class, """
                apiVersion: v1
                kind: ConfigMap
                metadata: {generateName: owner-, namespace: %s}
                """.formatted(cluster.namespace()));
    }

    @BeforeAll
    static void define(Cluster cluster) {
        CustomResourceDefinition definition = Serialization.unmarshal(DEFINITION, CustomResourceDefinition.class);
        if (cluster.client().resource(definition).get() == null) {
            cluster.client().resource(definition).create();
        }
        cluster.eventually(() -> assertThat(
                        cluster.client().resource(definition).get().getStatus().getConditions())
                .anySatisfy(condition -> {
                    assertThat(condition.getType()).isEqualTo("Established");
                    assertThat(condition.getStatus()).isEqualTo("True");
                }));
    }

    @AfterAll
    static void undefine(Cluster cluster) {
        cluster.client()
                .resource(Serialization.unmarshal(DEFINITION, CustomResourceDefinition.class))
                .delete();
    }

    /** One that knows of no earlier apply, as after a restart; what it reads is as it is now. */
    private Applier applier() {
        return applier(new LiveListers(cluster));
    }

    private Applier applier(Listers listers) {
        return new Applier("drift", api, schemas, listers, new OwnWrites(listers), Set.of());
    }

    private Drifting drifting(String name, String spec) {
        Drifting drifting = new Drifting();
        drifting.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(cluster.namespace())
                .build());
        drifting.setSpec(Serialization.unmarshal("---\n" + spec, JsonNode.class));
        return drifting;
    }

    private <T extends HasMetadata> T apply(T desired) {
        return applier().apply(desired, owner, Apply.standard());
    }

    /** Applies until others' change is undone: a schema may be published a moment after its kind. */
    private void mended(Drifting desired, String pointer, String expected) {
        JsonNode right = Serialization.unmarshal("---\n" + expected, JsonNode.class);
        cluster.eventually(() -> {
            now.addAndGet(Duration.ofHours(1).toNanos());
            Drifting applied = apply(desired);
            assertThat(applied.getSpec().at(pointer)).isEqualTo(right);
            assertThat(apply(desired).getMetadata().getResourceVersion())
                    .isEqualTo(applied.getMetadata().getResourceVersion());
        });
    }

    private Drifting patched(Drifting drifting, String mergePatch) {
        cluster.patch(drifting, mergePatch);
        return cluster.get(Drifting.class, drifting.getMetadata().getName());
    }

    @Test
    void an_element_too_many_in_an_atomic_list_is_taken_away_whatever_the_lists_name() {
        Drifting desired = drifting("atomic", "{env: [{name: a}], rules: [{id: x, containers: [a]}]}");
        apply(desired);
        patched(desired, "{\"spec\":{\"env\":[{\"name\":\"a\"},{\"name\":\"theirs\"}]}}");
        mended(desired, "/env", "[{name: a}]");

        patched(desired, "{\"spec\":{\"rules\":[{\"id\":\"x\",\"containers\":[\"a\",\"theirs\"]}]}}");
        mended(desired, "/rules", "[{id: x, containers: [a]}]");
    }

    @Test
    void others_elements_of_sets_and_of_lists_with_keys_are_left_and_cost_nothing() {
        Drifting desired = drifting("shared", "{tags: [a], rules: [{id: x, hooks: [{at: 1, run: mine}]}]}");
        apply(desired);
        patched(
                desired,
                "{\"spec\":{\"tags\":[\"theirs\",\"a\"],\"rules\":[{\"id\":\"theirs\"},"
                        + "{\"id\":\"x\",\"hooks\":[{\"at\":1,\"run\":\"mine\"},{\"at\":2,\"run\":\"theirs\"}]}]}}");
        // An API server publishes the schema of a new kind after a while; until then each look costs an apply.
        cluster.eventually(() -> {
            now.addAndGet(Duration.ofHours(1).toNanos());
            Drifting before = cluster.resource(Drifting.class, "shared").get();
            Drifting after = apply(desired);
            assertThat(after.getSpec().path("tags")).hasSize(2);
            assertThat(after.getSpec().path("rules")).hasSize(2);
            assertThat(after.getMetadata().getResourceVersion())
                    .isEqualTo(before.getMetadata().getResourceVersion());
        });

        patched(
                desired,
                "{\"spec\":{\"rules\":[{\"id\":\"theirs\"},{\"id\":\"x\",\"hooks\":[{\"at\":1,\"run\":\"theirs\"},{\"at\":2,\"run\":\"theirs\"}]}]}}");
        mended(desired, "/rules", "[{id: theirs}, {id: x, hooks: [{at: 1, run: mine}, {at: 2, run: theirs}]}]");
    }

    @Test
    void a_field_that_was_created_and_is_desired_no_longer_goes() {
        Applier applier = applier();
        applier.apply(drifting("vanish", "{tags: [a], env: [{name: a}]}"), owner, Apply.standard());
        Drifting left = applier.apply(drifting("vanish", "{tags: [a]}"), owner, Apply.standard());

        assertThat(left.getSpec().has("env")).isFalse();
        assertThat(left.getSpec().at("/tags/0").asText()).isEqualTo("a");
    }

    @Test
    void ports_of_others_stay_unless_all_of_them_are_decided_on() {
        Service desired = Serialization.unmarshal("""
                apiVersion: v1
                kind: Service
                metadata: {name: ports, namespace: %s}
                spec: {selector: {a: b}, ports: [{name: web, port: 80, protocol: TCP}]}
                """.formatted(cluster.namespace()), Service.class);
        apply(desired);
        cluster.resource(Service.class, "ports").edit(service -> {
            ServicePort more = new ServicePort();
            more.setName("theirs");
            more.setPort(81);
            more.setProtocol("TCP");
            service.getSpec().getPorts().add(more);
            return service;
        });
        assertThat(apply(desired).getSpec().getPorts())
                .extracting(ServicePort::getPort)
                .containsExactly(80, 81);

        Service alone = applier().apply(desired, owner, Apply.standard().decidingAllOf("spec.ports"));
        assertThat(alone.getSpec().getPorts()).extracting(ServicePort::getPort).containsExactly(80);
    }

    @Test
    void an_amount_that_the_api_server_writes_in_another_way_costs_nothing() {
        Deployment desired = Serialization.unmarshal("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: amounts, namespace: %s}
                spec:
                  replicas: 0
                  selector: {matchLabels: {a: b}}
                  template:
                    metadata: {labels: {a: b}}
                    spec:
                      containers:
                      - name: app
                        image: example/app:1
                        ports: [{containerPort: 80, protocol: TCP}]
                        resources: {limits: {cpu: 1000m, memory: 1024Mi}}
                """.formatted(cluster.namespace()), Deployment.class);
        String made = apply(desired).getMetadata().getUid();
        cluster.eventually(() -> assertThat(
                        cluster.get(Deployment.class, "amounts").getStatus().getObservedGeneration())
                .isEqualTo(1));
        cluster.annotate(desired, "theirs", "x");

        List<?> before = managers("deployments", "amounts", "apis/apps/v1");
        assertThat(apply(desired).getMetadata().getUid()).isEqualTo(made);
        assertThat(managers("deployments", "amounts", "apis/apps/v1"))
                .as("no apply was sent, which would have an entry of its own")
                .isEqualTo(before)
                .doesNotContain("drift Apply");
    }

    private List<String> managers(String plural, String name, String version) {
        JsonNode object = Serialization.unmarshal(
                cluster.client().raw("/" + version + "/namespaces/" + cluster.namespace() + "/" + plural + "/" + name),
                JsonNode.class);
        List<String> managers = new ArrayList<>();
        object.at("/metadata/managedFields")
                .forEach(entry -> managers.add(entry.path("manager").asText() + " "
                        + entry.path("operation").asText()));
        return managers;
    }

    @Test
    void what_no_store_shows_is_left_alone_to_the_byte_or_adopted_if_that_is_wanted() {
        cluster.client().resource(map("theirs", "v")).create();
        String path = "/api/v1/namespaces/" + cluster.namespace() + "/configmaps/theirs";
        String before = cluster.client().raw(path);
        Applier blind = applier(new FixedListers());
        assertThatThrownBy(() -> blind.apply(map("theirs", "w"), owner, Apply.standard()))
                .isInstanceOf(ObjectNotOwnedException.class)
                .hasMessageContaining(
                        "ConfigMap " + cluster.namespace() + "/theirs is there already and has no controller");
        assertThat(cluster.client().raw(path)).isEqualTo(before);

        ConfigMap adopted =
                blind.apply(map("theirs", "w"), owner, Apply.standard().adopting());
        assertThat(adopted.getData()).containsEntry("k", "w");
        assertThat(adopted.getMetadata().getOwnerReferences())
                .extracting(reference -> reference.getUid())
                .containsExactly(owner.getMetadata().getUid());
    }

    @Test
    void an_apply_reaches_only_the_object_that_was_looked_at() {
        Applier applier = applier();
        ConfigMap ours = applier.apply(map("swapped", "v"), owner, Apply.standard());
        Listers stale = new FixedListers(ours);
        cluster.client().resource(ours).delete();
        ConfigMap theirs = cluster.client().resource(map("swapped", "theirs")).create();

        assertThatThrownBy(() -> applier(stale).apply(map("swapped", "w"), owner, Apply.standard()))
                .isInstanceOf(ObjectNotOwnedException.class);
        assertThat(cluster.get(ConfigMap.class, "swapped").getMetadata().getResourceVersion())
                .isEqualTo(theirs.getMetadata().getResourceVersion());
        cluster.client().resource(theirs).delete();

        ConfigMap again = applier(stale).apply(map("swapped", "w"), owner, Apply.standard());
        assertThat(again.getData()).containsEntry("k", "w");
    }

    @Test
    void conflicts_are_reported_with_manager_and_field_and_own_fields_are_no_conflict() {
        Applier applier = applier();
        applier.apply(map("contested", "v"), owner, Apply.standard());
        ConfigMap own =
                applier.apply(map("contested", "w"), owner, Apply.standard().reportingConflicts());
        assertThat(own.getData()).as("what it created").containsEntry("k", "w");
        cluster.client()
                .resource(own)
                .patch(
                        new PatchContext.Builder()
                                .withPatchType(PatchType.JSON_MERGE)
                                .withFieldManager("editor")
                                .build(),
                        "{\"data\":{\"k\":\"theirs\"}}");

        FieldConflictException conflict = catchThrowableOfType(
                FieldConflictException.class,
                () -> applier()
                        .apply(map("contested", "w"), owner, Apply.standard().reportingConflicts()));
        assertThat(conflict.conflicts()).singleElement().satisfies(one -> {
            assertThat(one.manager()).isEqualTo("editor");
            assertThat(one.apiVersion()).isEqualTo("v1");
            assertThat(one.field()).isEqualTo(".data.k");
        });
        assertThat(cluster.get(ConfigMap.class, "contested").getData()).containsEntry("k", "theirs");
    }

    private ConfigMap map(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(cluster.namespace())
                .endMetadata()
                .withData(Map.of("k", value))
                .build();
    }

    /** As the API server has it when asked. */
    private static final class LiveListers implements Listers {

        private final Cluster cluster;

        LiveListers(Cluster cluster) {
            this.cluster = cluster;
        }

        @Override
        public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
            StoredObjects<T> stored = new StoredObjects<>();
            cluster.client()
                    .resources(type)
                    .inNamespace(cluster.namespace())
                    .list()
                    .getItems()
                    .forEach(stored::put);
            return stored;
        }
    }

    /** These, whatever has become of them. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record FixedListers(HasMetadata... objects) implements Listers {
        @Override
        public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
            StoredObjects<T> stored = new StoredObjects<>();
            Arrays.stream(objects).map(type::cast).forEach(stored::put);
            return stored;
        }
    }
}
