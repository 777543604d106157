package io.busbar.reconciler.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.watch.Lister;
import io.busbar.reconciler.CannedApi;
import io.busbar.reconciler.CannedApi.Answer;
import io.busbar.reconciler.CannedApi.Received;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.MapListers;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ObjectWriterTest {

    private final ReplicaSet owner = new ReplicaSetBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName("owner")
            .withUid("owner-uid")
            .endMetadata()
            .build();
    private final MapListers stores = new MapListers().watching(Pod.class);
    private final OwnWrites writes = new OwnWrites(System::nanoTime);
    private final Lister<Pod> pods = writes.over(stores).lister(Pod.class);
    private CannedApi api;
    private ObjectWriter writer;

    @BeforeEach
    void start() throws Exception {
        api = new CannedApi();
        writer = new ObjectWriter("podset", new ApiRequests(api.client()), stores, writes);
    }

    @AfterEach
    void stop() throws Exception {
        api.close();
    }

    @Test
    void what_was_created_is_owned_and_is_there_at_once() {
        api.answer(request -> {
            Answer echoed = api.echo(request);
            echoed.body().getJsonObject("metadata").put("name", "a-x7k2p");
            return echoed;
        });
        Pod created = writer.create(pod("a-", null), owner);

        assertThat(created.getMetadata().getName()).isEqualTo("a-x7k2p");
        assertThat(pods.by(Controller.byControllerUid(), "owner-uid")).containsExactly(created);
        Received request = api.received().get(0);
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.path()).isEqualTo("/api/v1/namespaces/ns/pods");
        assertThat(request.query()).isEqualTo("fieldManager=podset");
        assertThat(request.body()
                        .getJsonObject("metadata")
                        .getJsonArray("ownerReferences")
                        .getJsonObject(0))
                .isEqualTo(new JsonObject("{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"name\":\"owner\","
                        + "\"uid\":\"owner-uid\",\"controller\":true,\"blockOwnerDeletion\":true}"));
    }

    @Test
    void what_was_deleted_shows_as_being_deleted_at_once() {
        stores.put(pod(null, "a"));
        writer.delete(pod(null, "a"), Optional.empty());

        assertThat(pods.list()).singleElement().matches(Pod::isMarkedForDeletion);
        Received request = api.received().get(0);
        assertThat(request.method() + " " + request.path()).isEqualTo("DELETE /api/v1/namespaces/ns/pods/a");
        assertThat(request.body().getJsonObject("preconditions").getString("uid"))
                .isEqualTo("a-uid");
    }

    @Test
    void a_grace_period_is_sent_only_where_one_is_given() {
        writer.delete(pod(null, "a"), Optional.empty());
        writer.delete(pod(null, "b"), Optional.of(Duration.ofMillis(1500)));

        assertThat(api.received().get(0).body().containsKey("gracePeriodSeconds"))
                .isFalse();
        assertThat(api.received().get(1).body().getInteger("gracePeriodSeconds"))
                .isEqualTo(2);
    }

    @Test
    void deleting_what_is_gone_is_fine_and_does_not_show_it_again() {
        api.answer(request -> Answer.failure(404, "not found"));

        assertThatCode(() -> writer.delete(pod(null, "a"), Optional.empty())).doesNotThrowAnyException();
        assertThat(pods.list()).isEmpty();
    }

    @Test
    void what_the_watch_shows_as_gone_before_the_answer_is_here_is_not_shown_again() {
        stores.put(pod(null, "a"));
        api.answer(request -> {
            stores.remove(pod(null, "a"));
            return api.echo(request);
        });
        writer.delete(pod(null, "a"), Optional.empty());

        assertThat(pods.list()).isEmpty();
    }

    @Test
    void a_deletion_that_is_refused_changes_nothing() {
        stores.put(pod(null, "a"));
        api.answer(request -> Answer.failure(403, "forbidden"));

        assertThatThrownBy(() -> writer.delete(pod(null, "a"), Optional.empty()))
                .isInstanceOf(KubernetesClientException.class);
        assertThat(pods.list()).singleElement().matches(pod -> !pod.isMarkedForDeletion());
    }

    private static Pod pod(String generateName, String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withGenerateName(generateName)
                .withName(name)
                .withUid(name == null ? null : name + "-uid")
                .endMetadata()
                .build();
    }
}
