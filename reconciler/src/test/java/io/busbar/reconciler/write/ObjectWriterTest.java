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
import io.busbar.reconciler.dependent.SlowStart;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
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
    private final MapListers stores = new MapListers().watching(Pod.class).watching(Job.class);
    private final OwnWrites writes = new OwnWrites(stores);
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
        Pod created = writer.create(pod("a-", null), owner);

        assertThat(created.getMetadata().getName()).matches("a-[bcdfghjklmnpqrstvwxz2456789]{5}");
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
    void the_name_is_chosen_before_the_request_and_cut_as_the_api_server_would() {
        String prefix = "p".repeat(70);
        Pod created = writer.create(pod(prefix, null), owner);

        assertThat(created.getMetadata().getName())
                .hasSize(63)
                .isEqualTo(
                        api.received().get(0).body().getJsonObject("metadata").getString("name"))
                .startsWith(prefix.substring(0, 58));
    }

    @Test
    void a_create_whose_answer_was_lost_is_repeated_and_made_once() {
        PodsWithLostAnswers server = new PodsWithLostAnswers(503, 1);
        assertThatThrownBy(() -> writer.create(pod("a-", null), owner)).hasMessageContaining("lost");
        Pod created = writer.create(pod("a-", null), owner);

        assertThat(server.pods.keySet()).containsExactly(created.getMetadata().getName());
        assertThat(pods.list()).containsExactly(created);
        assertThat(writer.create(pod("a-", null), owner).getMetadata().getName())
                .as("one more")
                .isNotEqualTo(created.getMetadata().getName());
    }

    @Test
    void a_create_that_was_lost_on_the_way_is_repeated_under_the_same_name() {
        PodsWithLostAnswers server = new PodsWithLostAnswers(504, 0);
        server.loseRequests = 1;
        assertThatThrownBy(() -> writer.create(pod("a-", null), owner)).isInstanceOf(KubernetesClientException.class);
        Pod created = writer.create(pod("a-", null), owner);

        assertThat(server.tried).containsOnly(created.getMetadata().getName()).hasSize(2);
    }

    @Test
    void a_batch_whose_answers_were_all_lost_comes_out_as_many_as_were_wanted() {
        PodsWithLostAnswers server = new PodsWithLostAnswers(500, 7);
        int wanted = 5;
        for (int tries = 0; pods.size() < wanted && tries < 100; tries++) {
            try {
                SlowStart.repeat(wanted - pods.size(), () -> writer.create(pod("a-", null), owner));
            } catch (Exception lost) {
                assertThat(lost).hasMessageContaining("lost");
            }
        }
        assertThat(server.pods).hasSize(wanted);
        assertThat(pods.list())
                .extracting(pod -> pod.getMetadata().getName())
                .containsExactlyInAnyOrderElementsOf(server.pods.keySet());
    }

    @Test
    void a_name_in_doubt_that_the_watch_shows_is_used_by_nobody_else() {
        PodsWithLostAnswers server = new PodsWithLostAnswers(503, 1);
        assertThatThrownBy(() -> writer.create(pod("a-", null), owner)).isInstanceOf(KubernetesClientException.class);
        String shown = server.tried.get(0);
        stores.put(pod(null, shown));
        writer.create(pod("a-", null), owner);

        assertThat(server.tried).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void a_name_in_doubt_is_not_given_to_another_owner() {
        PodsWithLostAnswers server = new PodsWithLostAnswers(503, 1);
        assertThatThrownBy(() -> writer.create(pod("a-", null), owner)).isInstanceOf(KubernetesClientException.class);
        ReplicaSet next = new ReplicaSetBuilder(owner)
                .editMetadata()
                .withUid("next-uid")
                .endMetadata()
                .build();
        writer.create(pod("a-", null), next);

        assertThat(server.tried).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void a_name_that_somebody_else_has_is_passed_over() {
        PodsWithLostAnswers server = new PodsWithLostAnswers(503, 0);
        server.takeFirst = "stranger-uid";
        Pod created = writer.create(pod("a-", null), owner);

        assertThat(server.tried)
                .hasSize(2)
                .doesNotHaveDuplicates()
                .endsWith(created.getMetadata().getName());
        assertThat(pods.list()).containsExactly(created);
    }

    @Test
    void one_that_is_there_but_being_deleted_does_not_count_as_created() {
        PodsWithLostAnswers server = new PodsWithLostAnswers(503, 1);
        assertThatThrownBy(() -> writer.create(pod("a-", null), owner)).isInstanceOf(KubernetesClientException.class);
        server.pods
                .values()
                .forEach(pod -> pod.getJsonObject("metadata").put("deletionTimestamp", "2026-01-01T00:00:00Z"));
        Pod created = writer.create(pod("a-", null), owner);

        assertThat(server.pods).hasSize(2).containsKey(created.getMetadata().getName());
        assertThat(pods.list())
                .hasSize(2)
                .filteredOn(pod -> !pod.isMarkedForDeletion())
                .containsExactly(created);
    }

    @Test
    void a_create_of_a_fixed_name_whose_answer_was_lost_finds_what_it_has_made() {
        PodsWithLostAnswers server = new PodsWithLostAnswers(503, 1);
        assertThatThrownBy(() -> writer.create(pod(null, "job"), owner)).isInstanceOf(KubernetesClientException.class);

        assertThat(writer.create(pod(null, "job"), owner).getMetadata().getUid())
                .isEqualTo("uid-of-job");
        assertThat(server.pods).hasSize(1);
        assertThatThrownBy(() -> writer.create(pod(null, "job"), owner))
                .as("known to be there")
                .hasMessageContaining("exists");
    }

    @Test
    void a_refusal_leaves_no_doubt() {
        api.answer(request -> Answer.failure(403, "exceeded quota"));
        assertThatThrownBy(() -> writer.create(pod("a-", null), owner)).hasMessageContaining("quota");
        PodsWithLostAnswers server = new PodsWithLostAnswers(503, 0);
        writer.create(pod("a-", null), owner);

        assertThat(api.received())
                .extracting(request -> request.body().getJsonObject("metadata").getString("name"))
                .doesNotHaveDuplicates();
        assertThat(server.pods).hasSize(1);
    }

    /**
     * Creates and shows Pods; its first answers are lost after that. Does not imitate: validation, versions that grow
     * with each change.
     */
    private final class PodsWithLostAnswers {

        final Map<String, JsonObject> pods = new ConcurrentSkipListMap<>();
        final List<String> tried = new CopyOnWriteArrayList<>();
        String takeFirst = "";
        int loseRequests;
        private final int code;
        private int loseAnswers;

        PodsWithLostAnswers(int code, int loseAnswers) {
            this.code = code;
            this.loseAnswers = loseAnswers;
            api.answer(this::answer);
        }

        private synchronized Answer answer(Received request) {
            if (request.method().equals("GET")) {
                JsonObject there =
                        pods.get(request.path().substring(request.path().lastIndexOf('/') + 1));
                return there == null ? Answer.failure(404, "not found") : new Answer(200, there);
            }
            JsonObject metadata = request.body().getJsonObject("metadata");
            String name = metadata.getString("name");
            tried.add(name);
            if (loseRequests > 0) {
                loseRequests--;
                return Answer.failure(code, "lost");
            }
            if (!takeFirst.isEmpty()) {
                JsonObject taken = request.body().copy();
                taken.getJsonObject("metadata")
                        .getJsonArray("ownerReferences")
                        .getJsonObject(0)
                        .put("uid", takeFirst);
                pods.put(name, taken);
                takeFirst = "";
            }
            if (pods.containsKey(name)) {
                return Answer.failure(409, "already exists");
            }
            metadata.put("uid", "uid-of-" + name).put("resourceVersion", String.valueOf(100 + tried.size()));
            pods.put(name, request.body());
            if (loseAnswers > 0) {
                loseAnswers--;
                return Answer.failure(code, "lost");
            }
            return new Answer(201, request.body());
        }
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
    void a_job_is_deleted_with_its_pods_and_any_other_object_as_its_kind_has_it() {
        writer.delete(pod(null, "a"), Optional.empty());
        stores.put(job("b"));
        writer.delete(job("b"), Optional.empty());

        assertThat(api.received().get(0).body().containsKey("propagationPolicy"))
                .isFalse();
        assertThat(api.received().get(1).body().getString("propagationPolicy")).isEqualTo("Background");
    }

    private static Job job(String name) {
        return new JobBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName(name)
                .withUid(name + "-uid")
                .endMetadata()
                .build();
    }

    @Test
    void deleting_what_is_gone_is_fine_and_does_not_show_it_again() {
        api.answer(request -> Answer.failure(404, "not found"));

        assertThatCode(() -> writer.delete(pod(null, "a"), Optional.empty())).doesNotThrowAnyException();
        assertThat(pods.list()).isEmpty();
    }

    @Test
    void what_turns_out_to_be_gone_is_not_counted_while_the_watch_has_not_even_shown_it() {
        Pod created = writer.create(pod("a-", null), owner);
        api.answer(request -> Answer.failure(404, "not found"));
        writer.delete(created, Optional.empty());
        assertThat(pods.list()).singleElement().matches(Pod::isMarkedForDeletion);

        stores.reach(Pod.class, created.getMetadata().getResourceVersion());
        assertThat(pods.list()).isEmpty();
    }

    @Test
    void what_the_watch_shows_as_gone_before_the_answer_is_here_is_not_shown_again() {
        stores.put(pod(null, "a"));
        api.answer(request -> {
            stores.remove(pod(null, "a"));
            stores.reach(Pod.class, "9");
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
                .withResourceVersion(name == null ? null : "1")
                .endMetadata()
                .build();
    }
}
