package io.busbar.blueprint.operator;

import io.busbar.blueprint.run.UnservedInstances;
import io.busbar.blueprint.v1alpha1.StoredBlueprint;
import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.bundle.Account;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has instances say why nothing is done about them: those of the kind that a Blueprint has, and of no other one that it
 * had before.
 *
 * <p>Any thread, one at a time for each Blueprint; blocks.
 */
final class UnservedNotices {

    private static final Logger log = LoggerFactory.getLogger(UnservedNotices.class);

    /** Others are told the next time: each is a write. */
    private static final int MOST = 100;

    private final LookPauses pauses;
    private final InstantSource clock;

    UnservedNotices(LookPauses pauses, InstantSource clock) {
        this.pauses = pauses;
        this.clock = clock;
    }

    /**
     * Tells them, unless they were told a moment ago.
     *
     * @param waiting whose kind it is
     * @return when to look for others; empty where there can be none, or none that can be told
     */
    Optional<Duration> tell(
            StoredBlueprint waiting, String why, Account account, ReconcileContext<StoredBlueprint> context) {
        String name = waiting.getMetadata().getName();
        Optional<CustomResourceDefinition> kind = definition(waiting, context);
        if (kind.isEmpty() || !BlueprintRules.isAccount(account.name())) {
            return Optional.empty();
        }
        Duration left = pauses.untilNext(name, why);
        if (!left.isZero()) {
            return Optional.of(left);
        }
        boolean all;
        Optional<ObjectKey> last = pauses.last(name, why);
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(account.impersonated(context.client().getConfiguration()))
                .build()) {
            UnservedInstances.Outcome outcome = new UnservedInstances(
                            client, ClusterTypes.type(kind.get()), clock, MOST)
                    .tell("the Blueprint '" + name + "' does not run: " + why, last);
            all = outcome.all();
            last = outcome.last();
            outcome.refusal().ifPresent(refused -> noteRefusal(name, outcome.refused(), refused));
        } catch (KubernetesClientException refused) {
            all = !(ApiFailure.of(refused) instanceof ApiFailure.Unavailable);
            noteRefusal(name, 0, refused);
        }
        pauses.looked(name, why, all, last);
        return Optional.of(pauses.untilNext(name, why));
    }

    /** The same for one that starts, once that has lasted. */
    void tellOfStart(StoredBlueprint waiting, String why, Account account, ReconcileContext<StoredBlueprint> context) {
        if (pauses.startsForLong(waiting.getMetadata().getName())) {
            tell(waiting, why, account, context);
        }
    }

    /** One of another making that the Blueprint does not have yet may be served by whoever wrote it. */
    private static Optional<CustomResourceDefinition> definition(
            StoredBlueprint blueprint, ReconcileContext<StoredBlueprint> context) {
        String name = blueprint.getMetadata().getName();
        return BlueprintsBundle.ownKind(blueprint)
                .flatMap(kind -> context.lister(CustomResourceDefinition.class).by(ClusterTypes.BY_KIND, kind).stream()
                        .filter(definition -> belongsTo(name, definition))
                        .filter(definition ->
                                BlueprintReconciler.DEFINITION.of(definition).isPresent())
                        .filter(Installation::isEstablished)
                        .findFirst());
    }

    private static boolean belongsTo(String blueprint, CustomResourceDefinition definition) {
        return BlueprintReconciler.OWNER
                .of(definition)
                .filter(blueprint::equals)
                .isPresent();
    }

    /** The Blueprint's own condition tells all the same. */
    private static void noteRefusal(String blueprint, int instances, KubernetesClientException refused) {
        log.atDebug()
                .addKeyValue("blueprint", blueprint)
                .addKeyValue("instances", instances == 0 ? "all" : instances)
                .addKeyValue("error", ApiFailure.reason(refused))
                .log("could not tell instances that their Blueprint does not run");
    }
}
