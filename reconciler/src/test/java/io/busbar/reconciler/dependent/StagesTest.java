package io.busbar.reconciler.dependent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.condition.Conditions;
import io.busbar.reconciler.ReconcileResult;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StagesTest {

    private final OwnedObjects dependents = new OwnedObjects();

    @Test
    void a_stage_begins_when_the_one_before_is_ready() {
        Stages first =
                new Stages(dependents).then(service("a"), deployment("a", 1)).then(deployment("b", 1));

        assertThat(dependents.applied).containsExactly("Service a", "Deployment a");
        assertThat(first.holdingUp())
                .hasValueSatisfying(held -> assertThat(held.getKind()).isEqualTo("Deployment"));
        assertThat(first.rollout().state()).isEqualTo(Rollout.State.PROGRESSING);
        assertThat(first.result()).isEqualTo(ReconcileResult.awaitChange());

        dependents.complete("a");
        new Stages(dependents).then(service("a"), deployment("a", 1)).then(deployment("b", 1));
        assertThat(dependents.applied).endsWith("Service a", "Deployment a", "Deployment b");
    }

    @Test
    void what_is_there_is_kept_while_a_stage_before_is_not_ready() {
        dependents.apply(deployment("b", 1));
        new Stages(dependents).then(deployment("a", 1)).then(deployment("b", 1), deployment("c", 1));

        assertThat(dependents.applied).containsExactly("Deployment b", "Deployment a", "Deployment b");
    }

    @Test
    void a_deployment_of_no_pods_holds_nothing_up() {
        dependents.apply(deployment("a", 0));
        dependents.complete("a");

        assertThat(new Stages(dependents).then(deployment("a", 0)).holdingUp()).isEmpty();
    }

    @Test
    void a_refused_dependent_holds_up_what_follows_and_is_tried_again() {
        dependents.refused = "Service a";
        Stages stages = new Stages(dependents).then(service("a")).then(deployment("a", 1));

        assertThat(dependents.applied).isEmpty();
        assertThat(stages.rollout()).isEqualTo(new Rollout(Rollout.State.REFUSED, false, "Service a: no"));
        assertThat(stages.result()).isEqualTo(ReconcileResult.requeue());
    }

    @Test
    void what_is_somebody_elses_holds_up_what_follows_and_is_looked_at_again() {
        dependents.foreign = "Service a";
        Stages stages = new Stages(dependents).then(service("a")).then(deployment("a", 1));

        assertThat(dependents.applied).isEmpty();
        assertThat(stages.rollout())
                .isEqualTo(new Rollout(
                        Rollout.State.NOT_OWNED,
                        false,
                        "Service ns/a is there already and has no controller: it is left alone"));
        assertThat(stages.rollout()
                        .conditions(Conditions.of(List.of(), 1, Instant.EPOCH))
                        .list())
                .filteredOn(condition -> condition.getType().equals(Rollout.DEGRADED))
                .singleElement()
                .satisfies(degraded -> {
                    assertThat(degraded.getStatus()).isEqualTo("True");
                    assertThat(degraded.getReason()).isEqualTo("ObjectNotOwned");
                });
        assertThat(stages.result()).isEqualTo(ReconcileResult.requeueAfter(Stages.PATIENCE));
    }

    @Test
    void what_ran_before_a_refusal_is_available() {
        dependents.apply(deployment("a", 1));
        dependents.complete("a");
        dependents.refused = "Deployment a";

        assertThat(new Stages(dependents).then(deployment("a", 1)).rollout())
                .isEqualTo(new Rollout(Rollout.State.REFUSED, true, "Deployment a: no"));
    }

    @Test
    void a_failure_that_may_mend_by_itself_is_thrown() {
        dependents.code = 503;
        dependents.refused = "Deployment a";

        assertThatThrownBy(() -> new Stages(dependents).then(deployment("a", 1)))
                .isInstanceOf(KubernetesClientException.class);
    }

    private static Deployment deployment(String name, int replicas) {
        return object(Deployment.class, "Deployment", name, "spec: {replicas: " + replicas + "}");
    }

    private static Service service(String name) {
        return object(Service.class, "Service", name, "spec: {}");
    }

    private static <T> T object(Class<T> type, String kind, String name, String rest) {
        return Serialization.unmarshal(
                "---\nkind: " + kind + "\nmetadata: {name: " + name + ", namespace: ns, generation: 1}\n" + rest, type);
    }
}
