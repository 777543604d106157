package io.busbar.blueprint.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.render.Renderer;
import io.busbar.blueprint.run.InstanceReconciler.Version;
import io.busbar.common.ObjectKey;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Instances of two revisions, of which one at most may be on its way to the newest. */
class InstanceReconcilerTest {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private final CheckedBlueprint blueprint = Blueprints.checked(Blueprints.with("", ""));
    private final InstanceRollout<GenericKubernetesResource> rollout = rollout("maxUnavailable: 1");
    private final InstanceReconciler<GenericKubernetesResource> reconciler = new InstanceReconciler<>(
            List.of(version("new"), version("old")),
            rollout,
            Map.of(),
            new Reads(),
            SERIALIZATION,
            () -> Instant.EPOCH);
    private final List<GenericKubernetesResource> all =
            List.of(instance("ready", "new"), instance("next", "old"), instance("last", "old"));

    private static InstanceRollout<GenericKubernetesResource> rollout(String rollout) {
        CheckedBlueprint rolled = Blueprints.checked(Blueprints.with("", "") + "  rollout: {" + rollout + "}\n");
        return BlueprintBundle.rollout(new Revision("new", rolled), () -> Instant.EPOCH);
    }

    private Version version(String name) {
        return new Version(new Revision(name, blueprint), new Renderer(blueprint), Map.of());
    }

    private static GenericKubernetesResource instance(String name, String revision) {
        return SERIALIZATION.unmarshal("""
                apiVersion: busbar.io/v1
                kind: Test
                metadata: {name: %s, namespace: ns, generation: 1}
                status: {blueprintRevision: %s, conditions: [{type: Ready, status: "True"}]}
                """.formatted(name, revision), GenericKubernetesResource.class);
    }

    private boolean mayMove(int number) {
        return rollout.mayMove(ObjectKey.of(all.get(number)), all.size(), () -> all);
    }

    @SuppressWarnings("unchecked") // its proxy knows the key alone
    private void fail(int number) {
        ObjectKey key = ObjectKey.of(all.get(number));
        ReconcileContext<GenericKubernetesResource> context =
                (ReconcileContext<GenericKubernetesResource>) Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {ReconcileContext.class},
                        (self, method, arguments) -> key);
        assertThat(reconciler.failed(all.get(number), new IllegalStateException("refused"), context))
                .isPresent();
    }

    @Test
    void no_other_instance_moves_while_one_of_the_newest_revision_is_refused() {
        fail(0);

        assertThat(mayMove(1)).isFalse();
    }

    /** It gets the newest one at once. */
    @Test
    void an_instance_without_a_revision_is_none_of_those_that_stay_behind() {
        InstanceRollout<GenericKubernetesResource> one = rollout("partition: 1");
        List<GenericKubernetesResource> both = List.of(instance("fresh", "''"), instance("next", "old"));

        assertThat(one.mayMove(ObjectKey.of(both.get(1)), both.size(), () -> both))
                .as("of two there are, one has the earlier revision")
                .isFalse();
    }

    @Test
    void one_that_is_refused_on_its_way_does_not_make_room() {
        assertThat(mayMove(1)).isTrue();
        fail(1);

        assertThat(mayMove(2)).isFalse();
    }
}
