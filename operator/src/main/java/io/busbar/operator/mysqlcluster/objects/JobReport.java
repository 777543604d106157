package io.busbar.operator.mysqlcluster.objects;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a Job has come to, by the termination message of its Pod: a flat object of JSON.
 *
 * <p>Immutable.
 *
 * @param since when this operator asked for it first, by its own steady clock: those of the API server and of Nodes may
 *     go otherwise
 */
public record JobReport(State state, JsonNode message, Instant since) {

    /** Of a Job that has not ended, or that nothing is known of. */
    public static final JobReport RUNNING = new JobReport(State.RUNNING, MissingNode.getInstance(), Instant.MAX);

    private static final String FOUND_OUT = "foundOut";

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Whether it has ended, and how. */
    public enum State {
        RUNNING,
        SUCCEEDED,
        FAILED
    }

    /**
     * Of a Job that has ended.
     *
     * @param said what its Pod has said, by its keys
     * @param since when it was seen first that it had ended
     */
    public static JobReport of(State state, Map<String, String> said, Instant since) {
        return new JobReport(state, JSON.valueToTree(said), since);
    }

    /** Asks the API server for the Pod, once the Job has ended. */
    public static JobReport of(Job job, KubernetesClient client, Instant now) {
        State state = state(job);
        return state == State.RUNNING ? RUNNING : new JobReport(state, message(job, state, client), now);
    }

    /** Whether the Job will do nothing more, well or not. */
    public static boolean hasEnded(Job job) {
        return state(job) != State.RUNNING;
    }

    /** Whether all that the Job was to do is done. */
    public static boolean hasSucceeded(Job job) {
        return state(job) == State.SUCCEEDED;
    }

    /** Whether the Job has failed and said nothing of it, so that the message is what was found out otherwise. */
    public boolean isSilent() {
        return message.path(FOUND_OUT).asBoolean();
    }

    /** Empty where nothing is said; of a Job that failed, {@code message} says why. */
    public String text(String key) {
        return message.path(key).asText("");
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

    private static JsonNode message(Job job, State state, KubernetesClient client) {
        List<Pod> pods = pods(job, client);
        Optional<JsonNode> said =
                pods.stream().map(JobReport::said).flatMap(Optional::stream).findFirst();
        if (said.isPresent() || state == State.SUCCEEDED) {
            return said.orElseGet(MissingNode::getInstance);
        }
        return JSON.createObjectNode()
                .put("message", CauseOfDeath.of(job, pods))
                .put(FOUND_OUT, true);
    }

    private static List<Pod> pods(Job job, KubernetesClient client) {
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
                // Of a Job that was tried again, what counts is said by the one that did it.
                .sorted(Comparator.comparing(
                        pod -> !"Succeeded".equals(pod.getStatus().getPhase())))
                .toList();
    }

    private static Optional<JsonNode> said(Pod pod) {
        return CauseOfDeath.ends(pod)
                .map(ContainerStateTerminated::getMessage)
                .filter(message -> message != null && !message.isEmpty())
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
