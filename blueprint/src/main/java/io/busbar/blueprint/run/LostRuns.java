package io.busbar.blueprint.run;

import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * Runs about instances of a Blueprint that has no plans any more: it has no controller of runs then, which would end
 * them. They are sought once, when that Blueprint begins to run.
 *
 * <p>Any thread; blocks.
 */
public final class LostRuns {

    private static final long PAGE = 500;

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
     * Has those fail that have not ended, and deletes their Jobs that go on.
     *
     * @throws KubernetesClientException when the API server refuses, such as for want of a right that plans need
     */
    public void end() {
        String next = "";
        do {
            KubernetesResourceList<BlueprintRun> page = client.resources(BlueprintRun.class)
                    .inAnyNamespace()
                    .list(new ListOptionsBuilder()
                            .withLimit(PAGE)
                            .withContinue(next.isEmpty() ? null : next)
                            .build());
            page.getItems().stream()
                    .filter(run -> kind.isOf(run) && OwnPlans.isActive(run))
                    .forEach(this::end);
            next = page.getMetadata() == null || page.getMetadata().getContinue() == null
                    ? ""
                    : page.getMetadata().getContinue();
        } while (!next.isEmpty());
    }

    private void end(BlueprintRun run) {
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
