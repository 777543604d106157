package io.busbar.sandbox.kubelet;

import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.FakeStore;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.StoreEvent;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Scheduler and kubelet on a store; time stands still, but for timers. */
@ExtendWith(VertxExtension.class)
class SimulatedKubeletTest {

    private static final GroupResource PODS = GroupResource.core("pods");
    private static final ObjectKey P = ObjectKey.of("n", "p");
    private static final InstantSource TIME = InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));

    @Test
    void a_pod_is_placed_and_becomes_ready(Vertx vertx, VertxTestContext test) {
        cluster(vertx, test, store -> {
            node(store);
            Future<ObjectNode> ready = seen(store, event -> isReady(event.object()));
            store.create(PODS, pod("{}", "[]"));
            return ready.map(pod -> {
                assertThat(pod.at("/spec/nodeName").asText()).isEqualTo("node-0");
                assertThat(pod.at("/status/hostIP").asText()).isEqualTo("10.0.0.7");
                return store;
            });
        });
    }

    @Test
    void a_pod_that_fits_nowhere_says_so_until_a_node_comes(Vertx vertx, VertxTestContext test) {
        cluster(vertx, test, store -> {
            Future<ObjectNode> refused = seen(
                    store,
                    event -> event.object()
                            .at("/status/conditions/0/reason")
                            .asText()
                            .equals("Unschedulable"));
            Future<ObjectNode> ready = seen(store, event -> isReady(event.object()));
            store.create(PODS, pod("{}", "[]"));
            return refused.compose(pod -> {
                node(store);
                return ready;
            });
        });
    }

    @Test
    void a_changed_image_restarts_the_container(Vertx vertx, VertxTestContext test) {
        cluster(vertx, test, store -> {
            node(store);
            Future<ObjectNode> ready = seen(store, event -> isReady(event.object()));
            Future<ObjectNode> restarted = seen(
                    store,
                    event -> event.object()
                                    .at("/status/containerStatuses/0/restartCount")
                                    .asInt()
                            == 1);
            store.create(PODS, pod("{}", "[]"));
            return ready.compose(pod -> store.update(PODS, P, current -> {
                        ((ObjectNode) current.at("/spec/containers/0")).put("image", "y");
                        return current;
                    }))
                    .compose(pod -> restarted)
                    .map(pod -> {
                        assertThat(pod.at("/status/containerStatuses/0/image").asText())
                                .isEqualTo("y");
                        return pod;
                    });
        });
    }

    @Test
    void a_deletion_is_ended_and_a_finalizer_awaited(Vertx vertx, VertxTestContext test) {
        cluster(vertx, test, store -> {
            node(store);
            Future<ObjectNode> ready = seen(store, event -> isReady(event.object()));
            Future<ObjectNode> ended = seen(
                    store,
                    event -> event.object()
                                    .at("/metadata/deletionGracePeriodSeconds")
                                    .asInt(-1)
                            == 0);
            Future<ObjectNode> gone = seen(store, event -> event.type() == StoreEvent.Type.DELETED);
            store.create(PODS, pod("{}", "['a/b']"));
            return ready.compose(pod -> store.delete(PODS, P, null))
                    .compose(marked -> ended)
                    .map(pod -> {
                        assertThat(pod.at("/status/phase").asText()).isEqualTo("Failed");
                        assertThat(gone.isComplete()).isFalse();
                        return pod;
                    })
                    .compose(pod -> store.update(PODS, P, current -> {
                        current.withObject("/metadata").remove("finalizers");
                        return current;
                    }))
                    .compose(pod -> gone);
        });
    }

    @Test
    void nothing_is_written_that_is_there_already(Vertx vertx, VertxTestContext test) {
        cluster(vertx, test, store -> {
            node(store);
            Future<ObjectNode> ready = seen(store, event -> isReady(event.object()));
            Future<ObjectNode> labelled =
                    seen(store, event -> event.object().at("/metadata/labels").has("b"));
            store.create(PODS, pod("{}", "[]"));
            return ready.compose(pod -> label(store, "a"))
                    .compose(pod -> pause(vertx))
                    .compose(pod -> label(store, "b"))
                    .compose(pod -> labelled)
                    .map(pod -> {
                        assertThat(store.history().stream()
                                        .filter(event -> event.resource().equals(PODS)))
                                .as("created, bound, status, two labels")
                                .hasSize(5);
                        return pod;
                    });
        });
    }

    @Test
    void a_node_whose_lease_is_renewed_has_a_kubelet_of_its_own(Vertx vertx, VertxTestContext test) {
        cluster(vertx, test, store -> {
            node(store);
            store.create(
                    new GroupResource("coordination.k8s.io", "leases"),
                    object(
                            "{metadata: {name: 'mine', namespace: 'kube-node-lease'}, spec: {leaseDurationSeconds: 40, renewTime: '2026-01-01T00:00:00.000000Z'}}"));
            store.create(
                    GroupResource.core("nodes"), object("{metadata: {name: 'mine'}, spec: {unschedulable: true}}"));
            ObjectNode mine = pod("{}", "[]");
            mine.withObject("/metadata").put("name", "m");
            mine.withObject("/spec").put("nodeName", "mine");
            Future<ObjectNode> ready = seen(store, event -> isReady(event.object()));
            store.create(PODS, mine);
            store.create(PODS, pod("{}", "[]"));
            return ready.map(pod -> {
                assertThat(pod.at("/metadata/name").asText()).isEqualTo("p");
                assertThat(store.get(PODS, ObjectKey.of("n", "m"))
                                .at("/status/phase")
                                .asText())
                        .isEqualTo("Pending");
                return store;
            });
        });
    }

    /** Lets what is already queued on the context go first. */
    private static Future<Void> pause(Vertx vertx) {
        Promise<Void> next = Promise.promise();
        vertx.runOnContext(a -> vertx.runOnContext(b -> vertx.runOnContext(c -> next.complete())));
        return next.future();
    }

    private static Future<ObjectNode> label(FakeStore store, String label) {
        return store.update(PODS, P, pod -> {
            pod.withObject("/metadata/labels").put(label, "x");
            return pod;
        });
    }

    private interface Story {
        Future<?> tell(FakeStore store);
    }

    private static void cluster(Vertx vertx, VertxTestContext test, Story story) {
        vertx.runOnContext(turn -> {
            FakeStore store = new FakeStore(vertx.getOrCreateContext());
            ClusterClock clock = ClusterClock.of(vertx, TIME);
            SimulatedScheduler.Binder binder = (pod, uid, node) -> store.update(PODS, pod, current -> {
                        current.withObject("/spec").put("nodeName", node);
                        return current;
                    })
                    .mapEmpty();
            SimulatedScheduler scheduler = new SimulatedScheduler(vertx, store, binder, clock);
            SimulatedKubelet kubelet = new SimulatedKubelet(vertx, store, clock);
            scheduler.start();
            kubelet.start();
            story.tell(store).onComplete(test.succeeding(told -> {
                scheduler.stop();
                kubelet.stop();
                test.completeNow();
            }));
        });
    }

    private static Future<ObjectNode> seen(FakeStore store, Predicate<StoreEvent> wanted) {
        Promise<ObjectNode> seen = Promise.promise();
        store.watch(PODS, event -> {
            if (wanted.test(event)) {
                seen.tryComplete(event.object());
            }
        });
        return seen.future();
    }

    private static void node(FakeStore store) {
        store.create(
                GroupResource.core("nodes"),
                object(
                        "{metadata: {name: 'node-0'}, spec: {}, status: {addresses: [{type: 'InternalIP', address: '10.0.0.7'}], conditions: [{type: 'Ready', status: 'True'}]}}"));
    }

    private static ObjectNode pod(String annotations, String finalizers) {
        return object("{metadata: {name: 'p', namespace: 'n', creationTimestamp: '2026-01-01T00:00:00Z', annotations: "
                + annotations + ", finalizers: " + finalizers
                + "}, spec: {containers: [{name: 'a', image: 'x'}]}, status: {phase: 'Pending'}}");
    }

    private static boolean isReady(ObjectNode pod) {
        for (var condition : pod.at("/status/conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }
}
