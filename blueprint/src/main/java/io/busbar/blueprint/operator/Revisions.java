package io.busbar.blueprint.operator;

import io.busbar.blueprint.v1alpha1.BlueprintSpec;
import io.busbar.blueprint.v1alpha1.StoredBlueprint;
import io.busbar.common.watch.WatchSpec;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.ControllerRevisionBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The specs of Blueprints that were fit to run, as ControllerRevisions in the operator's namespace: when the newest is
 * not, or no more, the last that was goes on.
 *
 * <p>Any thread, one at a time for each Blueprint.
 */
final class Revisions {

    private static final int MOST = 10;
    private static final Comparator<ControllerRevision> OLDEST_FIRST =
            Comparator.comparing(ControllerRevision::getRevision);

    private final String namespace;
    private final KubernetesSerialization serialization;

    /** @param namespace the operator's */
    Revisions(String namespace, KubernetesSerialization serialization) {
        this.namespace = namespace;
        this.serialization = serialization;
    }

    /** What has to be watched for them. */
    WatchSpec<ControllerRevision> watch() {
        return WatchSpec.of(ControllerRevision.class)
                .inNamespaces(Set.of(namespace))
                .withLabels(BlueprintReconciler.OWNER.name());
    }

    /**
     * Makes the present spec the newest revision, and deletes the oldest of more than {@value #MOST}.
     *
     * @return the same, as it is kept
     */
    Kept keep(StoredBlueprint blueprint, ReconcileContext<StoredBlueprint> context) {
        List<ControllerRevision> all = all(context);
        String name = blueprint.getMetadata().getName() + "-"
                + Hash.of(serialization.asJson(blueprint.getSpec().withoutRollout()))
                        .substring(0, 16);
        Optional<ControllerRevision> newest = all.stream().reduce((older, newer) -> newer);
        if (newest.filter(one -> one.getMetadata().getName().equals(name)).isPresent()) {
            return new Kept(name, newest.get().getRevision(), blueprint);
        }
        long number = newest.map(one -> one.getRevision() + 1).orElse(1L);
        context.apply(new ControllerRevisionBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels(
                        BlueprintReconciler.OWNER.name(),
                        blueprint.getMetadata().getName())
                .endMetadata()
                .withRevision(number)
                .withData(blueprint.getSpec().withoutRollout())
                .build());
        all.stream()
                .filter(one -> !one.getMetadata().getName().equals(name))
                .limit(Math.max(0, all.size() + 1 - MOST))
                .forEach(context::delete);
        return new Kept(name, number, blueprint);
    }

    /** A Blueprint with the spec of each revision, the newest first. */
    List<Kept> before(StoredBlueprint blueprint, ReconcileContext<StoredBlueprint> context) {
        return all(context).stream()
                .sorted(OLDEST_FIRST.reversed())
                .map(one -> new Kept(
                        one.getMetadata().getName(),
                        one.getRevision(),
                        blueprint.withSpec(serialization.convertValue(one.getData(), BlueprintSpec.class))))
                .toList();
    }

    /**
     * A Blueprint as it is, or was.
     *
     * @param name the same for one that is the same again
     * @param number larger for one that was made, or made again, later
     */
    record Kept(String name, long number, StoredBlueprint blueprint) {}

    private static List<ControllerRevision> all(ReconcileContext<StoredBlueprint> context) {
        return context.owned(ControllerRevision.class).stream()
                .sorted(OLDEST_FIRST)
                .toList();
    }
}
