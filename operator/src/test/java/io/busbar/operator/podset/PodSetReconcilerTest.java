package io.busbar.operator.podset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.operator.podset.v1alpha1.PodSetSpec;
import io.busbar.operator.podset.v1alpha1.PodSetStatus;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.sandbox.faults.Fault;
import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodSetReconcilerTest {

    private final InMemoryContext<PodSet> context = InMemoryContext.of(TestSets.set("a", 2, 1));
    private final PodSetReconciler reconciler = new PodSetReconciler(context.clock());

    @Test
    void a_new_set_of_two_takes_two_creates_and_one_status() throws Exception {
        assertThat(context.reconcile(reconciler)).isEqualTo(ReconcileResult.awaitChange());

        assertThat(context.writes()).containsExactly("create Pod a-*", "create Pod a-*", "status PodSet a");
        assertThat(status().nodes()).containsExactlyElementsOf(pods());
    }

    @Test
    void nothing_is_written_when_nothing_has_changed() throws Exception {
        context.reconcile(reconciler);
        context.forget();
        context.reconcile(reconciler);

        assertThat(context.requests()).isEmpty();
    }

    @Test
    void the_status_follows_pods_that_get_ready() throws Exception {
        context.reconcile(reconciler);
        context.forget();
        context.list(Pod.class)
                .forEach(pod -> context.put(new PodBuilder(pod)
                        .withStatus(TestPods.running("any").getStatus())
                        .build()));
        context.reconcile(reconciler);

        assertThat(context.writes()).containsExactly("status PodSet a");
        assertThat(status().readyReplicas()).isEqualTo(2);
    }

    @Test
    void the_pods_that_are_missed_least_go() throws Exception {
        own(
                TestPods.running("a-1"),
                TestPods.pod("a-2", "Running", false),
                TestPods.running("a-3"),
                TestPods.pod("a-4", "Pending", false));
        context.reconcile(reconciler);

        assertThat(context.writes()).containsExactly("delete Pod a-4", "delete Pod a-2", "status PodSet a");
        assertThat(status().nodes()).containsExactly("a-1", "a-3");
    }

    @Test
    void a_set_that_grows_gets_what_it_lacks() throws Exception {
        context.reconcile(reconciler);
        context.forget();
        resize(3);
        context.reconcile(reconciler);

        assertThat(context.writes()).containsExactly("create Pod a-*", "status PodSet a");
    }

    @Test
    void sizes_are_met_exactly_while_no_pod_is_seen_to_come_or_go() throws Exception {
        context.reconcile(reconciler);
        context.holdBack(Pod.class);
        for (int size : List.of(5, 2, 4)) {
            resize(size);
            context.reconcile(reconciler);
            assertThat(context.list(Pod.class))
                    .filteredOn(pod -> !pod.isMarkedForDeletion())
                    .hasSize(size);
        }
    }

    @Test
    void a_pod_whose_creation_was_not_answered_is_made_once() throws Exception {
        context.inject(Fault.on("create", "pods").answerLost().times(2));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> context.reconcile(reconciler)).isInstanceOf(KubernetesClientException.class);
        }
        context.reconcile(reconciler);

        assertThat(context.list(Pod.class)).hasSize(2);
        assertThat(context.deleted(Pod.class)).isEmpty();
    }

    @Test
    void pods_that_ended_are_replaced() throws Exception {
        own(TestPods.running("a-0"), TestPods.pod("b-0", "Failed", false));
        context.reconcile(reconciler);

        assertThat(context.writes()).containsExactly("delete Pod b-0", "create Pod a-*", "status PodSet a");
        assertThat(status().nodes()).hasSize(2).contains("a-0").doesNotContain("b-0");
    }

    @Test
    void a_refusal_is_told_and_tried_again() {
        context.inject(Fault.on("create", "pods").refused(403).untilRemoved());

        assertThatThrownBy(() -> context.reconcile(reconciler)).hasMessageContaining("a fault was injected");
        assertThat(context.writes()).containsExactly("status PodSet a");
        assertThat(status().conditions().get(0).getReason()).isEqualTo("FailedCreate");
        assertThat(context.toldEvents())
                .singleElement()
                .asString()
                .startsWith("Warning FailedCreate: ")
                .contains("a fault was injected");
    }

    @Test
    void an_api_server_that_is_away_is_no_refusal() {
        context.inject(Fault.on("create", "pods").refused(503).untilRemoved());

        assertThatThrownBy(() -> context.reconcile(reconciler)).hasMessageContaining("unable to handle the request");
        assertThat(context.writes()).isEmpty();
        assertThat(context.toldEvents()).isEmpty();
    }

    @Test
    void a_pod_that_is_gone_makes_it_look_at_the_live_set_first() throws Exception {
        context.reconcile(reconciler);
        context.remove(context.list(Pod.class).get(0));
        context.forget();
        context.reconcile(reconciler);

        assertThat(context.requests().get(0))
                .isEqualTo("GET /apis/apps.jicki.cn/v1alpha1/namespaces/default/podsets/a 200");
        assertThat(context.writes()).startsWith("create Pod a-*");
    }

    @Test
    void no_pod_is_made_for_a_set_that_is_gone_although_its_watch_does_not_show_that() throws Exception {
        context.reconcile(reconciler);
        context.holdBack(PodSet.class);
        context.remove(context.primary());
        context.list(Pod.class).forEach(context::remove);
        context.forget();

        assertThat(context.reconcile(reconciler)).isEqualTo(ReconcileResult.awaitChange());
        assertThat(context.writes()).isEmpty();
    }

    private void own(Pod... pods) {
        PodSet set = context.primary();
        for (Pod pod : pods) {
            pod.getMetadata()
                    .setOwnerReferences(List.of(new OwnerReferenceBuilder()
                            .withApiVersion(set.getApiVersion())
                            .withKind(set.getKind())
                            .withName("a")
                            .withUid(set.getMetadata().getUid())
                            .withController(true)
                            .build()));
            context.put(pod);
        }
    }

    private void resize(int size) {
        PodSet set = context.primary();
        set.getMetadata().setGeneration(set.getMetadata().getGeneration() + 1);
        set.setSpec(new PodSetSpec(size));
        context.put(set);
    }

    private List<String> pods() {
        return context.list(Pod.class).stream()
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }

    private PodSetStatus status() {
        return context.primary().getStatus();
    }
}
