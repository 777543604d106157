package io.busbar.operator.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import io.busbar.admission.AdmissionDecision;
import io.busbar.operator.sidecarset.history.RevisionLookup;
import io.busbar.operator.sidecarset.inject.PodInjection;
import io.busbar.operator.sidecarset.inject.SidecarSetFeed;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.zjsonpatch.JsonPatch;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * What becomes of each SidecarSet in a Pod, and the Pod's change.
 *
 * <p>Pure functions, any thread.
 */
public final class InjectionReport {

    private static final int CONTEXT = 3;

    private InjectionReport() {}

    /**
     * For people, line by line.
     *
     * @param excludedNamespaces into whose Pods nothing is injected
     */
    public static List<String> of(ObjectNode pod, KnownObjects known, Set<String> excludedNamespaces, Clock clock) {
        SidecarSetFeed feed = new SidecarSetFeed(
                new FixedLister<>(known.sets()), RevisionLookup.in(new FixedLister<>(known.revisions())));
        feed.rebuild();
        PodInjection injection =
                new PodInjection(feed, new FixedLister<>(List.of(known.namespace())), excludedNamespaces, clock);
        PodCreation creation =
                new PodCreation(pod, known.namespace().getMetadata().getName());
        List<String> lines = new ArrayList<>(sets(known.sets(), injection.explain(creation)));
        lines.add("");
        lines.addAll(change(pod, injection.review(creation)));
        return lines;
    }

    private static List<String> sets(List<SidecarSet> sets, SortedMap<String, String> explained) {
        for (SidecarSet set : sets) {
            explained.putIfAbsent(set.getMetadata().getName(), "matches no Pod: it has no selector that could");
        }
        if (explained.isEmpty()) {
            return List.of("There are no SidecarSets.");
        }
        int width = explained.keySet().stream().mapToInt(String::length).max().orElse(0);
        return explained.entrySet().stream()
                .map(set -> set.getKey() + " ".repeat(width - set.getKey().length() + 2) + set.getValue())
                .toList();
    }

    private static List<String> change(ObjectNode pod, AdmissionDecision decision) {
        if (decision instanceof AdmissionDecision.Patched patched) {
            return difference(pod, patched.patch());
        }
        return decision instanceof AdmissionDecision.Denied denied
                ? List.of("The Pod is refused: " + denied.message())
                : List.of("The Pod is not changed.");
    }

    private static List<String> difference(ObjectNode pod, ArrayNode patch) {
        JsonNode injected = JsonPatch.apply(patch, pod);
        List<String> before = Documents.lines(pod);
        return UnifiedDiffUtils.generateUnifiedDiff(
                "Pod as written",
                "Pod as injected",
                before,
                DiffUtils.diff(before, Documents.lines(injected)),
                CONTEXT);
    }
}
