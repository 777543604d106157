package io.busbar.operator.mysqlcluster.objects;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Objects;
import java.util.Optional;

/**
 * What a Job has come to, by the termination message of its Pod: a flat object of JSON.
 *
 * <p>Immutable.
 */
public record JobReport(State state, JsonNode message) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Whether it has ended, and how. */
    public enum State {
        RUNNING,
        SUCCEEDED,
        FAILED
    }

    /** Asks the API server for the Pod, once the Job has ended. */
    public static JobReport of(Job job, KubernetesClient client) {
        State state = state(job);
        return new JobReport(state, state == State.RUNNING ? MissingNode.getInstance() : message(job, client));
    }

    /** Empty where nothing is said; of a Job that failed, {@code message} always says something. */
    public String text(String key) {
        String said = message.path(key).asText("");
        return said.isEmpty() && key.equals("message") ? "its Pod ended without a word" : said;
    }

    private static State state(Job job) {
        if (isTrue(job, "Complete")) {
            return State.SUCCEEDED;
        }
        return isTrue(job, "Failed") ? State.FAILED : State.RUNNING;
    }

    private static boolean isTrue(Job job, String condition) {
        return job.getStatus() != null
                && job.getStatus().getConditions().stream()
                        .anyMatch(one -> one.getType().equals(condition)
                                && one.getStatus().equals("True"));
    }

    private static JsonNode message(Job job, KubernetesClient client) {
        return client
                .pods()
                .inNamespace(job.getMetadata().getNamespace())
                .withLabel("job-name", job.getMetadata().getName())
                .list()
                .getItems()
                .stream()
                // Not those of another Job that had its name.
                .filter(pod -> pod.getMetadata().getOwnerReferences().stream()
                        .anyMatch(
                                owner -> owner.getUid().equals(job.getMetadata().getUid())))
                .map(JobReport::said)
                .flatMap(Optional::stream)
                .findFirst()
                .orElseGet(MissingNode::getInstance);
    }

    private static Optional<JsonNode> said(Pod pod) {
        return pod.getStatus() == null
                ? Optional.empty()
                : pod.getStatus().getContainerStatuses().stream()
                        .map(ContainerStatus::getState)
                        .filter(Objects::nonNull)
                        .map(state -> state.getTerminated())
                        .filter(Objects::nonNull)
                        .map(ContainerStateTerminated::getMessage)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .map(JobReport::read);
    }

    private static JsonNode read(String message) {
        try {
            return JSON.readTree(message);
        } catch (JsonProcessingException notJson) {
            return JSON.createObjectNode().put("message", message);
        }
    }
}
