package io.busbar.operator.sidecarset.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.FieldProblem;
import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Lister;
import io.busbar.operator.sidecarset.pod.UnreadableAnnotationException;
import io.fabric8.kubernetes.api.model.Namespace;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Injects the sets that match into each new Pod: the rule for {@value #PATH}, for the creation of Pods.
 *
 * <p>Any thread; pure. A Pod that no set selects costs a look at its metadata. A Pod is refused, for its author to try again,
 * while the sets or its namespace are not known yet: it would run without its sidecars for good.
 *
 * <p>A Pod is left alone in the excluded namespaces, in a namespace that is labelled {@value #CONTROL_PLANE}, and if it has the
 * label or annotation {@value #OPT_OUT} with the value {@code false}.
 */
public final class PodInjection implements AdmissionRule {

    /** Where OpenKruise serves it too. */
    public static final String PATH = "/mutate-pod";

    /** Label or annotation of a Pod: {@code "false"} keeps all sets out of it. */
    public static final String OPT_OUT = "sidecarset.busbar.io/inject";

    /** Label of a namespace that no set touches, whatever its value. */
    public static final String CONTROL_PLANE = "control-plane";

    private final SidecarSetFeed feed;
    private final Lister<Namespace> namespaces;
    private final Set<String> excluded;
    private final Clock clock;

    /**
     * @param excludedNamespaces by name: {@code kube-system} and {@code kube-public} unless the user wants otherwise, and the
     *     operator's own
     */
    public PodInjection(
            SidecarSetFeed feed, Lister<Namespace> namespaces, Set<String> excludedNamespaces, Clock clock) {
        this.feed = feed;
        this.namespaces = namespaces;
        this.excluded = Set.copyOf(excludedNamespaces);
        this.clock = clock;
    }

    @Override
    public AdmissionDecision review(AdmissionRequest request) {
        if (!createsPod(request) || excluded.contains(request.namespace())) {
            return AdmissionDecision.allowed();
        }
        if (!feed.ready()) {
            return tryAgain("SidecarSets have not been read yet");
        }
        ObjectNode metadata = request.metadata();
        Map<String, String> labels = labels(metadata);
        if (optedOut(metadata, labels) || metadata.hasNonNull("deletionTimestamp")) {
            return AdmissionDecision.allowed();
        }
        List<CompiledSidecarSet> selecting = feed.snapshot().selecting(labels);
        if (selecting.isEmpty()) {
            return AdmissionDecision.allowed();
        }
        return namespaces
                .get(ObjectKey.of(request.namespace()))
                .map(namespace -> inject(request, selecting, namespace))
                .orElseGet(() -> tryAgain("namespace " + request.namespace() + " is not known yet"));
    }

    private AdmissionDecision inject(
            AdmissionRequest request, List<CompiledSidecarSet> selecting, Namespace namespace) {
        Map<String, String> labels = namespace.getMetadata().getLabels();
        if (labels != null && labels.containsKey(CONTROL_PLANE)) {
            return AdmissionDecision.allowed();
        }
        List<CompiledSidecarSet> matching = selecting.stream()
                .filter(set -> set.matching().matchesNamespace(request.namespace(), labels))
                .toList();
        ObjectNode pod = matching.isEmpty() ? null : request.object();
        if (pod == null || finished(pod)) {
            return AdmissionDecision.allowed();
        }
        try {
            ArrayNode patch = PodMerge.patch(pod, matching, clock.instant());
            return patch.isEmpty() ? AdmissionDecision.allowed() : new AdmissionDecision.Patched(patch, List.of());
        } catch (UnreadableAnnotationException unreadable) {
            return refused(unreadable);
        }
    }

    private static boolean createsPod(AdmissionRequest request) {
        return request.operation() == AdmissionRequest.Operation.CREATE
                && request.resource().equals("pods")
                && request.subResource().isEmpty();
    }

    private static boolean optedOut(ObjectNode metadata, Map<String, String> labels) {
        return "false".equals(labels.get(OPT_OUT))
                || metadata.path("annotations").path(OPT_OUT).asText().equals("false");
    }

    private static boolean finished(ObjectNode pod) {
        String phase = pod.path("status").path("phase").asText();
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    private static Map<String, String> labels(ObjectNode metadata) {
        JsonNode node = metadata.path("labels");
        Map<String, String> labels = new HashMap<>();
        for (var label : node.properties()) {
            labels.put(label.getKey(), label.getValue().asText());
        }
        return labels;
    }

    private static AdmissionDecision tryAgain(String message) {
        return new AdmissionDecision.Denied(503, "ServiceUnavailable", message, List.of(), List.of());
    }

    private static AdmissionDecision refused(UnreadableAnnotationException unreadable) {
        FieldProblem problem = FieldProblem.invalid(
                "metadata.annotations[" + unreadable.annotation() + "]",
                unreadable.value(),
                String.valueOf(unreadable.getMessage()));
        return new AdmissionDecision.Denied(422, "Invalid", problem.toString(), List.of(problem), List.of());
    }
}
