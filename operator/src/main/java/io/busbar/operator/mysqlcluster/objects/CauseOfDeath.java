package io.busbar.operator.mysqlcluster.objects;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Why a Job has failed that had no time to say so itself: as its Node and the cluster tell. Pure; any thread. */
final class CauseOfDeath {

    private static final int SIGNALLED = 128;

    private CauseOfDeath() {}

    /** @param pods of the Job */
    static String of(Job job, List<Pod> pods) {
        return pods.stream()
                .map(pod -> evicted(pod).or(() -> killed(pod)))
                .flatMap(Optional::stream)
                .findFirst()
                .or(() -> givenUp(job))
                .orElse("its Pod ended without a word");
    }

    /** Of containers that have ended. */
    static Stream<ContainerStateTerminated> ends(Pod pod) {
        return Stream.ofNullable(pod.getStatus())
                .flatMap(status -> status.getContainerStatuses().stream())
                .map(ContainerStatus::getState)
                .filter(Objects::nonNull)
                .map(state -> state.getTerminated())
                .filter(Objects::nonNull);
    }

    private static Optional<String> evicted(Pod pod) {
        return Optional.ofNullable(pod.getStatus())
                .filter(status -> isSaid(status.getReason()))
                .map(CauseOfDeath::evicted);
    }

    private static String evicted(PodStatus status) {
        String message = status.getMessage();
        return "its Pod was ended: " + status.getReason() + (isSaid(message) ? ": " + message : "");
    }

    private static Optional<String> killed(Pod pod) {
        return ends(pod)
                .filter(end -> end.getExitCode() != null && end.getExitCode() > SIGNALLED)
                .findFirst()
                .map(end -> "its process was killed by signal " + (end.getExitCode() - SIGNALLED)
                        + ("OOMKilled".equals(end.getReason()) ? ", as it used up its memory" : ""));
    }

    private static Optional<String> givenUp(Job job) {
        return Stream.ofNullable(job.getStatus())
                .flatMap(status -> status.getConditions().stream())
                .filter(condition -> condition.getType().equals("Failed"))
                .map(JobCondition::getMessage)
                .filter(CauseOfDeath::isSaid)
                .findFirst();
    }

    private static boolean isSaid(@Nullable String text) {
        return text != null && !text.isEmpty();
    }
}
