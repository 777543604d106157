package io.busbar.blueprint.run;

import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.common.api.FirstRefusal;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs about instances of a Blueprint that has no plans any more: it has no controller of runs then, which would end
 * them. They are sought once, when that Blueprint begins to run.
 *
 * <p>Any thread; blocks.
 */
public final class LostRuns {

    private final KubernetesClient client;
    private final InstanceKind kind;
    private final InstantSource clock;

    /** @param client with the rights of the Blueprint's account */
    public LostRuns(KubernetesClient client, InstanceSchema schema, InstantSource clock) {
        this.client = client;
        this.kind = InstanceKind.of(schema);
        this.clock = clock;
    }

    /**
     * Has those fail that have not ended, and deletes their Jobs that go on. One that is refused keeps no other one.
     *
     * @throws KubernetesClientException the first refusal, such as for want of a right that plans need, after all
     *     others have been seen to; and at once where the API server is away
     */
    public void end() {
        FirstRefusal refusal = new FirstRefusal();
        List<BlueprintRun> lost = Pages.find(
                client.resources(BlueprintRun.class).inAnyNamespace(),
                run -> Optional.of(run).filter(this::isLost));
        lost.forEach(run -> refusal.attempt(() -> end(run)));
        refusal.throwFirst();
    }

    private boolean isLost(BlueprintRun run) {
        return kind.isOf(run) && OwnPlans.isActive(run);
    }

    /** Once more where somebody else has changed it; one that has gone needs no end. */
    private void end(BlueprintRun run) {
        stopJobs(run);
        try {
            tell(run);
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                live(run).filter(this::isLost).ifPresent(this::tell);
            } else if (refused.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw refused;
            }
        }
    }

    private Optional<BlueprintRun> live(BlueprintRun run) {
        return Optional.ofNullable(client.resource(run).get());
    }

    private void stopJobs(BlueprintRun run) {
        client
                .batch()
                .v1()
                .jobs()
                .inNamespace(run.getMetadata().getNamespace())
                .withLabel(StepJobs.JOB.name())
                .list()
                .getItems()
                .stream()
                .filter(job -> isOf(run, job) && !StepJobs.hasEnded(job))
                .forEach(job -> client.resource(job)
                        .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                        .delete());
    }

    private void tell(BlueprintRun run) {
        BlueprintRun told = new RunProgress(run, Optional.empty(), clock.instant())
                .ended(
                        RunProgress.FAILED,
                        "there is no plan '" + run.getSpec().plan()
                                + "'; allowed: none, as its Blueprint has no plans");
        Object patch = Map.of(
                "metadata",
                Map.of("resourceVersion", run.getMetadata().getResourceVersion()),
                "status",
                told.getStatus());
        client.resource(run)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        client.getKubernetesSerialization().asJson(patch));
    }

    private static boolean isOf(BlueprintRun run, Job job) {
        return job.getMetadata().getOwnerReferences().stream()
                .map(OwnerReference::getUid)
                .anyMatch(run.getMetadata().getUid()::equals);
    }
}
