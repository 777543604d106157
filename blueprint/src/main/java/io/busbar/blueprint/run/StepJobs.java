package io.busbar.blueprint.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.common.MetadataKey;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The Jobs of a run in one turn: one for each step that has one, and another one for each attempt. */
final class StepJobs {

    static final MetadataKey JOB = MetadataKey.label(
            "blueprints.busbar.io/run",
            "a Job of a plan",
            "the step that it is of; by it Jobs of plans are told from others");

    private static final int LONGEST_NAME = 63;

    private final BlueprintRun run;
    private final RunProgress progress;
    private final ReconcileContext<BlueprintRun> context;
    private final KubernetesSerialization serialization;

    StepJobs(
            BlueprintRun run,
            RunProgress progress,
            ReconcileContext<BlueprintRun> context,
            KubernetesSerialization serialization) {
        this.run = run;
        this.progress = progress;
        this.context = context;
        this.serialization = serialization;
    }

    /** Stops those that go on. */
    static void stopAll(ReconcileContext<BlueprintRun> context) {
        context.owned(Job.class).stream().filter(job -> !hasEnded(job)).forEach(job -> stop(job, context));
    }

    /** Takes down how those that are there have gone, and stops what goes on: one may have ended and not be noted. */
    void endAll() {
        progress.unended().stream().filter(step -> jobOf(step).isPresent()).forEach(this::follow);
        stopAll(context);
    }

    /** Stops that of a step, if it goes on. */
    void stop(String step) {
        jobOf(step).filter(job -> !hasEnded(job)).ifPresent(job -> stop(job, context));
    }

    /** It is there until its Pods have gone. */
    private static void stop(Job job, ReconcileContext<BlueprintRun> context) {
        if (job.getMetadata().getDeletionTimestamp() == null) {
            context.client()
                    .resource(job)
                    .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                    .delete();
        }
    }

    /**
     * Stops what goes on of the attempts before.
     *
     * @return the name of one that is not gone yet, or has Pods that are not; empty for none
     */
    Optional<String> stopEarlier() {
        List<Job> earlier =
                context.owned(Job.class).stream().filter(this::isOfEarlier).toList();
        earlier.forEach(job -> stop(job, context));
        return earlier.stream().map(job -> job.getMetadata().getName()).findFirst();
    }

    private boolean isOfEarlier(Job job) {
        return !hasEnded(job)
                && JOB.of(job)
                        .filter(step -> !job.getMetadata().getName().equals(jobName(step)))
                        .isPresent();
    }

    void begin(String step, ObjectNode template) {
        Job job = serialization.convertValue(template, Job.class);
        job.getMetadata().setName(jobName(step));
        job.getMetadata().setNamespace(run.getMetadata().getNamespace()); // an instance may be in none
        Map<String, String> labels =
                new HashMap<>(Objects.requireNonNullElse(job.getMetadata().getLabels(), Map.of()));
        labels.put(JOB.name(), step);
        job.getMetadata().setLabels(labels);
        try {
            Job created = context.create(job);
            progress.runs(
                    step,
                    "the Job '" + jobName(step) + "' runs",
                    created.getMetadata().getUid());
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw refused;
            }
            progress.runs(step, "there is a Job '" + jobName(step) + "' that is not this run's, or not seen yet", null);
        }
    }

    boolean hasBegun(String step) {
        return progress.of(step).object() != null || jobOf(step).isPresent();
    }

    /** Takes down how it goes, once it has begun. */
    void follow(String step) {
        Optional<Job> job = jobOf(step);
        if (job.isEmpty()) {
            progress.fails(step, "its Job has gone");
            return;
        }
        progress.runs(
                step,
                "the Job '" + jobName(step) + "' runs",
                job.get().getMetadata().getUid());
        if (told(job.get(), "Complete").isPresent()) {
            progress.succeeds(step);
        }
        told(job.get(), "Failed")
                .ifPresent(why -> progress.fails(step, "the Job '" + jobName(step) + "' has failed: " + why));
    }

    private Optional<Job> jobOf(String step) {
        return context.owned(Job.class).stream()
                .filter(job -> job.getMetadata().getName().equals(jobName(step))
                        && JOB.of(job).filter(step::equals).isPresent())
                .findFirst();
    }

    /** Another one for each step and each attempt, also where a step is called as the attempt of another one is. */
    private String jobName(String step) {
        int attempt = RunProgress.attempt(run.getSpec());
        String numbered = step + (attempt == 1 ? "" : "-" + attempt);
        while (!numbered.equals(step) && progress.knows(numbered)) {
            numbered = numbered.substring(0, numbered.lastIndexOf('-')) + "-again-" + attempt;
        }
        String ending = "-" + numbered;
        String own = run.getMetadata().getName().replace('.', '-');
        return Names.fitting(own, ending, LONGEST_NAME);
    }

    /** Whether one is complete, or has failed. */
    static boolean hasEnded(Job job) {
        return told(job, "Complete").isPresent() || told(job, "Failed").isPresent();
    }

    /** The message of a condition that is true. */
    private static Optional<String> told(Job job, String condition) {
        return job.getStatus() == null || job.getStatus().getConditions() == null
                ? Optional.empty()
                : job.getStatus().getConditions().stream()
                        .filter(one -> one.getType().equals(condition) && "True".equals(one.getStatus()))
                        .map(one -> Objects.requireNonNullElse(one.getMessage(), ""))
                        .findFirst();
    }
}
