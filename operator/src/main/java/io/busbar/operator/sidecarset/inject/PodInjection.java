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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Injects the sets that match into each new Pod: the rule for {@value #PATH}, for the creation of Pods.
 *
 * <p>Any thread; pure. A Pod that no set selects costs a look at its metadata. A Pod is refused, for its author to try
 * again, while the sets or its namespace are not known yet: it would run without its sidecars for good.
 *
 * <p>A set that matches and is not injected is named in a warning, with the reason; those that are injected, in the
 * audit annotation {@value #INJECTED}.
 *
 * <p>A Pod is left alone in the excluded namespaces, in a namespace that is labelled {@value #CONTROL_PLANE}, and if it
 * has the label or annotation {@value #OPT_OUT} with the value {@code false}.
 */
public final class PodInjection implements AdmissionRule {

    /** Where OpenKruise serves it too. */
    public static final String PATH = "/mutate-pod";

    /** Label or annotation of a Pod: {@code "false"} keeps all sets out of it. */
    public static final String OPT_OUT = "sidecarset.busbar.io/inject";

    /** Key of an audit annotation: the names of the sets that were injected, separated by commas. */
    public static final String INJECTED = "injected-sidecarsets";

    /** Label of a namespace that no set touches, whatever its value. */
    public static final String CONTROL_PLANE = "control-plane";

    private final SidecarSetFeed feed;
    private final Lister<Namespace> namespaces;
    private final Set<String> excluded;
    private final Clock clock;

    /**
     * @param excludedNamespaces by name: {@code kube-system} and {@code kube-public} unless the user wants otherwise,
     *     and the operator's own
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
        if (!createsPod(request)) {
            return AdmissionDecision.allowed();
        }
        boolean untouchable = excluded.contains(request.namespace());
        if (!feed.ready()) {
            return untouchable ? AdmissionDecision.allowed() : tryAgain("SidecarSets have not been read yet");
        }
        ObjectNode metadata = request.metadata();
        Map<String, String> labels = labels(metadata);
        List<CompiledSidecarSet> selecting = feed.snapshot().selecting(request.namespace(), labels);
        if (selecting.isEmpty() || metadata.hasNonNull("deletionTimestamp")) {
            return AdmissionDecision.allowed();
        }
        Namespace namespace = namespaces.get(ObjectKey.of(request.namespace())).orElse(null);
        if (namespace == null) {
            return untouchable || optedOut(metadata, labels)
                    ? AdmissionDecision.allowed()
                    : tryAgain("namespace " + request.namespace() + " is not known yet");
        }
        return inject(request, selection(request, labels, selecting, namespace), labels);
    }

    /**
     * What becomes of each set in the Pod of a request that would create it, for people, by the set's name. Sets that
     * can match no Pod are not among them.
     */
    public SortedMap<String, String> explain(AdmissionRequest request) {
        Map<String, String> labels = labels(request.metadata());
        Namespace namespace = namespaces.get(ObjectKey.of(request.namespace())).orElseGet(Namespace::new);
        SortedMap<String, String> explained = new TreeMap<>();
        for (CompiledSidecarSet set : feed.snapshot().all()) {
            set.matching()
                    .mismatch(
                            labels, request.namespace(), namespace.getMetadata().getLabels())
                    .ifPresent(reason -> explained.put(set.name(), "does not match: " + reason));
        }
        Selection selection =
                selection(request, labels, feed.snapshot().selecting(request.namespace(), labels), namespace);
        selection.skipped().forEach((set, reason) -> explained.put(set, "matches, but is not injected: " + reason));
        for (VersionChoice set : selection.injected()) {
            explained.put(set.present().name(), explain(set, request, labels));
        }
        return explained;
    }

    private static String explain(VersionChoice set, AdmissionRequest request, Map<String, String> labels) {
        try {
            CompiledVersion version = set.of(request.metadata(), labels, request.uid());
            return "matches, and is injected: " + set.describe(version);
        } catch (RefusedInjectionException refused) {
            return "matches, and refuses the Pod: " + refused.getMessage();
        }
    }

    private Selection selection(
            AdmissionRequest request,
            Map<String, String> labels,
            List<CompiledSidecarSet> selecting,
            Namespace namespace) {
        Map<String, String> namespaceLabels = namespace.getMetadata().getLabels();
        List<CompiledSidecarSet> matching = selecting.stream()
                .filter(set -> set.matching().matchesNamespace(request.namespace(), namespaceLabels))
                .toList();
        if (excluded.contains(request.namespace())) {
            return Selection.none(matching, "namespace " + request.namespace() + " is protected");
        }
        if (namespaceLabels != null && namespaceLabels.containsKey(CONTROL_PLANE)) {
            return Selection.none(matching, "namespace " + request.namespace() + " has the label " + CONTROL_PLANE);
        }
        return optedOut(request.metadata(), labels)
                ? Selection.none(matching, "the Pod says " + OPT_OUT + "=false")
                : Selection.of(matching);
    }

    private AdmissionDecision inject(AdmissionRequest request, Selection selection, Map<String, String> labels) {
        ObjectNode pod = selection.injected().isEmpty() ? null : request.object();
        if (pod == null || finished(pod)) {
            return new AdmissionDecision.Allowed(selection.warnings());
        }
        try {
            List<CompiledVersion> versions = new ArrayList<>();
            for (VersionChoice set : selection.injected()) {
                versions.add(set.of(request.metadata(), labels, request.uid()));
            }
            ArrayNode patch = PodMerge.patch(pod, versions, clock.instant());
            return patch.isEmpty()
                    ? new AdmissionDecision.Allowed(selection.warnings())
                    : new AdmissionDecision.Patched(patch, selection.warnings())
                            .audited(INJECTED, names(selection.injected()));
        } catch (UnreadableAnnotationException unreadable) {
            return refused(unreadable);
        } catch (RefusedInjectionException refused) {
            return new AdmissionDecision.Denied(
                    422, "Invalid", String.valueOf(refused.getMessage()), List.of(), selection.warnings());
        }
    }

    private static String names(List<VersionChoice> sets) {
        return sets.stream().map(set -> set.present().name()).collect(Collectors.joining(","));
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
