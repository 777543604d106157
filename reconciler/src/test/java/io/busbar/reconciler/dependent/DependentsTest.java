package io.busbar.reconciler.dependent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.busbar.common.ResourceType;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Write;
import io.busbar.reconciler.dependent.DependentStates.State;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DependentsTest {

    private final OwnedObjects context = new OwnedObjects();
    private final ConfigMap primary = new ConfigMapBuilder()
            .withNewMetadata()
            .withName("owner")
            .withNamespace("ns")
            .withFinalizers("example.com/all")
            .endMetadata()
            .withData(new HashMap<>(Map.of("web", "on")))
            .build();
    private final Buckets buckets = new Buckets();
    private boolean hasIngresses = true;
    private boolean addressIsFree = true;

    /** Two that come after none, one after both, and one after that which is not always there. */
    private final Dependents<ConfigMap> shop = Dependents.of(ConfigMap.class)
            .addExternal("bucket", buckets, bucket -> bucket.readyWhen(Bucket::ready))
            .add("database", Deployment.class, owner -> deployment("database"))
            .add("app", Deployment.class, owner -> deployment("app"), app -> app.after("bucket", "database"))
            .add(
                    "web",
                    Deployment.class,
                    owner -> deployment(owner.getData().get("web") + "-web"),
                    web -> web.after("app")
                            .onlyIf(owner -> owner.getData().containsKey("web"))
                            .activeIf(any -> hasIngresses)
                            .goneWhen(any -> addressIsFree)
                            .named(owner -> "on-web"));

    @Test
    void each_is_made_when_all_before_it_are_ready() throws Exception {
        DependentStates first = shop.reconcile(primary, context);

        assertThat(context.applied).containsExactly("Deployment database");
        assertThat(buckets.calls).containsExactly("create a");
        assertThat(states(first)).containsExactly("bucket READY", "database NOT_READY", "app WAITING", "web WAITING");
        assertThat(first.rollout().state()).isEqualTo(Rollout.State.PROGRESSING);
        assertThat(first.rollout().available()).isFalse();
        assertThat(first.result()).isEqualTo(ReconcileResult.awaitChange());

        context.complete("database");
        assertThat(states(shop.reconcile(primary, context)))
                .containsExactly("bucket READY", "database READY", "app NOT_READY", "web WAITING");
        context.complete("app");
        shop.reconcile(primary, context);
        context.complete("on-web");
        DependentStates last = shop.reconcile(primary, context);

        assertThat(last.isComplete()).isTrue();
        assertThat(last.readyReplicas()).isEqualTo(3);
        assertThat(last.rollout())
                .isEqualTo(new Rollout(Rollout.State.COMPLETE, true, "all that is asked for is ready"));
    }

    @Test
    void a_slow_one_holds_up_only_those_after_it_and_is_looked_at_again() throws Exception {
        buckets.slow = true;
        DependentStates states = shop.reconcile(primary, context);

        assertThat(states(states))
                .containsExactly("bucket NOT_READY", "database NOT_READY", "app WAITING", "web WAITING");
        assertThat(states.result()).isEqualTo(ReconcileResult.requeueAfter(Applications.PATIENCE));

        context.complete("database");
        assertThat(shop.reconcile(primary, context).state("app")).isEqualTo(State.WAITING);
        buckets.slow = false;
        buckets.there = new Bucket("a", true);
        assertThat(shop.reconcile(primary, context).state("app")).isEqualTo(State.NOT_READY);
    }

    @Test
    void what_is_there_is_kept_while_one_before_it_is_not_ready() throws Exception {
        allReady();
        buckets.there = new Bucket("a", false);
        context.applied.clear();
        DependentStates states = shop.reconcile(primary, context);

        assertThat(context.applied).containsExactly("Deployment database", "Deployment app", "Deployment on-web");
        assertThat(states(states)).containsExactly("bucket NOT_READY", "database READY", "app READY", "web READY");
    }

    @Test
    void nothing_is_made_while_one_far_before_it_is_not_ready() throws Exception {
        allReady();
        buckets.there = new Bucket("a", false);
        context.gone("Deployment on-web");

        assertThat(shop.reconcile(primary, context).state("web")).isEqualTo(State.WAITING);
    }

    @Test
    void what_fails_is_thrown_once_the_others_have_had_their_turn() throws Exception {
        buckets.failure = new IOException("no route to host");
        DependentStates states = shop.reconcile(primary, context);

        assertThat(states(states)).containsExactly("bucket FAILED", "database NOT_READY", "app WAITING", "web WAITING");
        assertThat(states.rollout()).isEqualTo(new Rollout(Rollout.State.FAILED, false, "bucket: no route to host"));
        assertThatThrownBy(states::result).isSameAs(buckets.failure);

        buckets.failure = null;
        assertThat(shop.reconcile(primary, context).state("bucket")).isEqualTo(State.READY);
    }

    @Test
    void a_mistake_in_what_is_desired_holds_up_its_own_branch_only() throws Exception {
        Dependents<ConfigMap> graph = Dependents.of(ConfigMap.class)
                .add(
                        "a",
                        Deployment.class,
                        owner -> deployment(owner.getData().get("none").trim()))
                .add("b", Deployment.class, owner -> deployment("b"));
        DependentStates states = graph.reconcile(primary, context);

        assertThat(states(states)).containsExactly("a FAILED", "b NOT_READY");
        assertThatThrownBy(states::result).isInstanceOf(NullPointerException.class);
    }

    @Test
    void what_is_refused_waits_for_a_person_and_is_tried_again() throws Exception {
        context.refused = "Deployment database";
        DependentStates states = shop.reconcile(primary, context);

        assertThat(states(states)).containsExactly("bucket READY", "database REFUSED", "app WAITING", "web WAITING");
        assertThat(states.rollout()).isEqualTo(new Rollout(Rollout.State.REFUSED, false, "Deployment database: no"));
        assertThat(states.result()).isEqualTo(ReconcileResult.requeue());
    }

    @Test
    void what_is_somebody_elses_is_looked_at_again() throws Exception {
        context.foreign = "Deployment database";
        DependentStates states = shop.reconcile(primary, context);

        assertThat(states.state("database")).isEqualTo(State.NOT_OWNED);
        assertThat(states.rollout().state()).isEqualTo(Rollout.State.NOT_OWNED);
        assertThat(states.result()).isEqualTo(ReconcileResult.requeueAfter(Applications.PATIENCE));
    }

    @Test
    void an_api_server_that_is_away_ends_the_reconcile() {
        context.code = 503;
        context.refused = "Deployment database";

        assertThatThrownBy(() -> shop.reconcile(primary, context)).isInstanceOf(KubernetesClientException.class);
    }

    @Test
    void what_is_not_asked_for_any_more_is_taken_away_and_made_again_when_it_is() throws Exception {
        allReady();
        primary.getData().remove("web");
        assertThat(shop.reconcile(primary, context).state("web")).isEqualTo(State.LEAVING);
        assertThat(context.deleted).containsExactly("Deployment on-web");

        primary.getData().put("web", "on");
        DependentStates back = shop.reconcile(primary, context);
        assertThat(back.state("web")).isEqualTo(State.NOT_READY);
        assertThat(back.rollout())
                .isEqualTo(new Rollout(
                        Rollout.State.PROGRESSING, false, "Deployment on-web is being deleted, and made anew then"));
        assertThat(context.deleted).hasSize(1);

        context.gone("Deployment on-web");
        shop.reconcile(primary, context);
        context.complete("on-web");
        assertThat(shop.reconcile(primary, context).isComplete()).isTrue();
    }

    @Test
    void what_is_not_asked_for_and_not_there_is_done() throws Exception {
        primary.getData().remove("web");
        allReady();

        DependentStates states = shop.reconcile(primary, context);
        assertThat(states.state("web")).isEqualTo(State.OFF);
        assertThat(states.isComplete()).isTrue();
        assertThat(states.rollout().available()).isTrue();
        assertThat(context.deleted).isEmpty();
    }

    @Test
    void what_is_not_active_is_left_as_it_is() throws Exception {
        allReady();
        hasIngresses = false;
        context.applied.clear();
        DependentStates states = shop.reconcile(primary, context);

        assertThat(states.state("web")).isEqualTo(State.OFF);
        assertThat(context.applied).doesNotContain("Deployment on-web");
        assertThat(context.deleted).isEmpty();
    }

    @Test
    void those_after_one_that_is_off_go_before_it() throws Exception {
        Dependents<ConfigMap> chain = Dependents.of(ConfigMap.class)
                .addExternal(
                        "bucket",
                        buckets,
                        bucket -> bucket.onlyIf(owner -> owner.getData().containsKey("web")))
                .add(
                        "app",
                        Deployment.class,
                        owner -> deployment("app"),
                        app -> app.after("bucket").named(owner -> "app"));
        chain.reconcile(primary, context);
        primary.getData().clear();
        buckets.calls.clear();

        assertThat(states(chain.reconcile(primary, context))).containsExactly("bucket LEAVING", "app LEAVING");
        assertThat(context.deleted).containsExactly("Deployment app");
        assertThat(buckets.calls).isEmpty();
        context.gone("Deployment app");
        assertThat(states(chain.reconcile(primary, context))).containsExactly("bucket OFF", "app OFF");
        assertThat(buckets.calls).containsExactly("delete a");
    }

    @Test
    void all_go_in_reverse_order() throws Exception {
        allReady();
        buckets.calls.clear();
        addressIsFree = false;

        assertThat(shop.cleanup(primary, context)).isEqualTo(CleanupResult.notYet(Applications.PATIENCE));
        assertThat(context.deleted).containsExactly("Deployment on-web");
        context.gone("Deployment on-web");
        assertThat(shop.cleanup(primary, context)).isEqualTo(CleanupResult.notYet(Applications.PATIENCE));
        assertThat(context.deleted).hasSize(1);
        addressIsFree = true;
        shop.cleanup(primary, context);
        assertThat(context.deleted).containsExactly("Deployment on-web", "Deployment app");
        assertThat(buckets.calls).isEmpty();
        context.gone("Deployment app");
        buckets.slow = true;
        shop.cleanup(primary, context);
        context.gone("Deployment database");
        assertThat(shop.cleanup(primary, context)).isInstanceOf(CleanupResult.NotYet.class);
        buckets.slow = false;
        assertThat(shop.cleanup(primary, context)).isEqualTo(CleanupResult.done());
        assertThat(context.deleted).containsExactly("Deployment on-web", "Deployment app", "Deployment database");
        assertThat(buckets.calls).containsOnly("delete a");
    }

    @Test
    void a_failure_to_go_keeps_the_finalizer_and_lets_the_others_go() throws Exception {
        shop.reconcile(primary, context);
        buckets.failure = new IOException("no route to host");

        assertThatThrownBy(() -> shop.cleanup(primary, context)).isSameAs(buckets.failure);
        assertThat(context.deleted).containsExactly("Deployment database");
    }

    @Test
    void one_is_made_from_what_others_have_come_to() throws Exception {
        Dependents<ConfigMap> graph = Dependents.of(ConfigMap.class)
                .addExternal("bucket", buckets)
                .addFrom(
                        "app",
                        Deployment.class,
                        (owner, others) -> deployment("app-"
                                + others.find("bucket", Bucket.class)
                                        .orElseThrow()
                                        .name()),
                        app -> app.after("bucket").named(owner -> "app-a"));
        buckets.failure = new IOException("no route to host");
        assertThat(states(graph.reconcile(primary, context))).containsExactly("bucket FAILED", "app WAITING");

        buckets.failure = null;
        graph.reconcile(primary, context);
        assertThat(context.applied).containsExactly("Deployment app-a");
    }

    @Test
    void changes_outside_are_mended_and_looked_for_as_often_as_is_said() throws Exception {
        Dependents<ConfigMap> graph = Dependents.of(ConfigMap.class)
                .addExternal("bucket", buckets, bucket -> bucket.lookedAtEvery(Duration.ofMinutes(1)));
        buckets.there = new Bucket("b", true);
        DependentStates states = graph.reconcile(primary, context);

        assertThat(buckets.calls).containsExactly("update b to a");
        assertThat(states.result()).isEqualTo(ReconcileResult.requeueAfter(Duration.ofMinutes(1)));
        graph.reconcile(primary, context);
        assertThat(buckets.calls).hasSize(1);
    }

    @Test
    void an_interrupted_reconcile_ends() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> shop.reconcile(primary, context)).isInstanceOf(InterruptedException.class);
        assertThat(context.applied).isEmpty();
    }

    @Test
    void a_controller_owns_what_is_in_the_cluster() {
        Controller<ConfigMap> controller =
                shop.ownedBy(Controller.of(ConfigMap.class, (owner, any) -> ReconcileResult.awaitChange()));

        assertThat(controller.owned())
                .containsExactly(entry(ResourceType.of(Deployment.class), Set.of(Write.APPLY, Write.DELETE)));
        assertThat(controller.problems()).isEmpty();
    }

    @Test
    void nothing_is_made_outside_the_cluster_for_one_without_a_finalizer() {
        primary.getMetadata().setFinalizers(List.of());

        assertThatThrownBy(() -> shop.reconcile(primary, context))
                .hasMessage("dependent bucket is outside the cluster, and ConfigMap ns/owner has no finalizer,"
                        + " so that nothing would take it away: declare Controller.finalizer");
        assertThat(buckets.calls).isEmpty();
    }

    @Test
    void wrong_graphs_are_told_at_their_declaration() {
        Dependents<ConfigMap> graph =
                Dependents.of(ConfigMap.class).add("a", Deployment.class, owner -> deployment("a"));

        assertThatThrownBy(() -> graph.add("a", Deployment.class, owner -> deployment("a")))
                .hasMessage("two dependents of the name a, allowed: each name once");
        assertThatThrownBy(() -> graph.add("b", Deployment.class, owner -> deployment("b"), b -> b.after("c")))
                .hasMessage("dependent b after c: allowed are those declared before it: a"
                        + " (two that wait for each other would never be made)");
        assertThatThrownBy(() -> graph.add("b", Deployment.class, owner -> deployment("b"), b -> b.after("b")))
                .hasMessageStartingWith("dependent b after b: allowed are");
        assertThatThrownBy(
                        () -> graph.add("b", Deployment.class, owner -> deployment("b"), b -> b.onlyIf(owner -> false)))
                .hasMessageStartingWith("dependent b may have to be found")
                .hasMessageContaining(".named(primary -> ...)");
        assertThatThrownBy(() -> graph.addFrom(
                        "b", Deployment.class, (owner, others) -> deployment("b"), b -> b.named(owner -> "b")))
                .hasMessageContaining("comes after none");
        assertThatThrownBy(() -> graph.addExternal("b", buckets, b -> b.named(owner -> "b")))
                .hasMessageContaining("it is an External");
        assertThatThrownBy(() -> graph.addExternal("b", buckets, b -> b.lookedAtEvery(Duration.ZERO)))
                .hasMessageContaining("PT0S");
        assertThatThrownBy(() -> shop.reconcile(primary, context).state("nobody"))
                .hasMessage("no dependent nobody; there are bucket, database, app, web");
    }

    private void allReady() throws InterruptedException {
        for (int round = 0; round < 4; round++) {
            shop.reconcile(primary, context);
            List.copyOf(context.objects.keySet())
                    .forEach(name -> context.complete(name.substring("Deployment ".length())));
        }
    }

    private static List<String> states(DependentStates states) {
        return List.of(states.toString().split(", "));
    }

    private static Deployment deployment(String name) {
        return Serialization.unmarshal(
                "---\nkind: Deployment\nmetadata: {name: " + name
                        + ", namespace: ns, generation: 1}\nspec: {replicas: 1}",
                Deployment.class);
    }

    private record Bucket(String name, boolean ready) {}

    /** One bucket, of the name {@code a}. */
    private static final class Buckets implements External<ConfigMap, Bucket> {

        private final List<String> calls = new ArrayList<>();
        private Bucket there;
        private boolean slow;
        private IOException failure;

        @Override
        public Bucket desired(ConfigMap owner) {
            return new Bucket("a", true);
        }

        @Override
        public Optional<Bucket> actual(ConfigMap owner, ReconcileContext<ConfigMap> context) throws IOException {
            if (failure != null) {
                throw failure;
            }
            return Optional.ofNullable(there);
        }

        @Override
        public Bucket create(ConfigMap owner, Bucket desired, ReconcileContext<ConfigMap> context) {
            calls.add("create " + desired.name());
            there = new Bucket(desired.name(), !slow);
            return there;
        }

        @Override
        public Bucket update(ConfigMap owner, Bucket desired, Bucket actual, ReconcileContext<ConfigMap> context) {
            calls.add("update " + actual.name() + " to " + desired.name());
            there = desired;
            return there;
        }

        @Override
        public void delete(ConfigMap owner, Bucket actual, ReconcileContext<ConfigMap> context) {
            calls.add("delete " + actual.name());
            there = slow ? there : null;
        }

        @Override
        public boolean isAsDesired(Bucket desired, Bucket actual) {
            return desired.name().equals(actual.name());
        }
    }
}
