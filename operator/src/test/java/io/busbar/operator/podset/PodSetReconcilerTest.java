package io.busbar.operator.podset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.ObjectKey;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.operator.podset.v1alpha1.PodSetSpec;
import io.busbar.reconciler.ReconcileResult;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class PodSetReconcilerTest {

    private final PodSetReconciler reconciler =
            new PodSetReconciler(Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC));
    private final PodSet set = TestSets.set("a", 2, 1);

    @Test
    void a_new_set_of_two_takes_two_creates_and_one_status() throws Exception {
        FakeContext context = new FakeContext(set);
        assertThat(reconcile(context)).isEqualTo(ReconcileResult.awaitChange());

        assertThat(context.writes).containsExactly("create a-1", "create a-2", "status");
        assertThat(context.status().nodes()).containsExactly("a-1", "a-2");
    }

    @Test
    void nothing_is_written_when_nothing_has_changed() throws Exception {
        FakeContext context = new FakeContext(set);
        reconcile(context);
        context.writes.clear();
        reconcile(context);

        assertThat(context.writes).isEmpty();
    }

    @Test
    void the_status_follows_pods_that_get_ready() throws Exception {
        FakeContext context = new FakeContext(set);
        reconcile(context);
        context.writes.clear();
        context.pods
                .list()
                .forEach(pod ->
                        context.pods.put(TestPods.running(pod.getMetadata().getName())));
        reconcile(context);

        assertThat(context.writes).containsExactly("status");
        assertThat(context.status().readyReplicas()).isEqualTo(2);
    }

    @Test
    void the_pods_that_are_missed_least_go() throws Exception {
        FakeContext context = new FakeContext(
                set,
                TestPods.running("a-1"),
                TestPods.pod("a-2", "Running", false),
                TestPods.running("a-3"),
                TestPods.pod("a-4", "Pending", false));
        reconcile(context);

        assertThat(context.writes).containsExactly("delete a-4", "delete a-2", "status");
        assertThat(context.status().nodes()).containsExactly("a-1", "a-3");
    }

    @Test
    void a_set_that_grows_gets_what_it_lacks() throws Exception {
        FakeContext context = new FakeContext(set);
        reconcile(context);
        context.writes.clear();
        set.getMetadata().setGeneration(2L);
        set.setSpec(new PodSetSpec(3));
        reconcile(context);

        assertThat(context.writes).containsExactly("create a-3", "status");
    }

    @Test
    void pods_that_ended_are_replaced() throws Exception {
        FakeContext context = new FakeContext(set, TestPods.running("a-0"), TestPods.pod("b-0", "Failed", false));
        reconcile(context);

        assertThat(context.writes).containsExactly("delete b-0", "create a-1", "status");
        assertThat(context.status().nodes()).containsExactly("a-0", "a-1");
    }

    @Test
    void a_refusal_is_told_and_tried_again() {
        FakeContext context = new FakeContext(set);
        context.refuseCreates(() -> new KubernetesClientException("exceeded quota", 403, null));

        assertThatThrownBy(() -> reconcile(context)).hasMessage("exceeded quota");
        assertThat(context.writes).containsExactly("status");
        assertThat(context.status().conditions().get(0).getReason()).isEqualTo("FailedCreate");
        assertThat(context.events).containsExactly("FailedCreate: exceeded quota");
    }

    @Test
    void an_api_server_that_is_away_is_no_refusal() {
        FakeContext context = new FakeContext(set);
        context.refuseCreates(() -> new KubernetesClientException("away", 503, null));

        assertThatThrownBy(() -> reconcile(context)).hasMessage("away");
        assertThat(context.writes).isEmpty();
        assertThat(context.events).isEmpty();
    }

    @Test
    void a_pod_that_is_gone_makes_it_look_at_the_live_set_first() throws Exception {
        FakeContext context = new FakeContext(set);
        reconcile(context);
        context.writes.clear();
        context.pods.remove(ObjectKey.of("default", "a-1"));

        assertThatThrownBy(() -> reconcile(context)).hasMessage("client");
        assertThat(context.writes).isEmpty();
    }

    private ReconcileResult reconcile(FakeContext context) throws InterruptedException {
        return reconciler.reconcile(set, context);
    }
}
