package io.busbar.operator.sidecarset.roll;

import io.busbar.operator.sidecarset.v1beta1.ScatterTerm;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Spreads the Pods of a label over the whole update, so that those of a small group are not updated all at once.
 *
 * <p>Pure functions, any thread. The places are those among all Pods of the set, from the first to the last: three of
 * ten are updated first, sixth and tenth, however many a batch has. A label that fewer Pods have is spread after one of
 * more, and so more exactly. Source of the terms: OpenKruise.
 */
final class Scatter {

    private Scatter() {}

    /**
     * @param waiting in the order that holds otherwise
     * @param all Pods of the set, the waiting ones among them
     */
    static List<InjectedPod> spread(List<InjectedPod> waiting, List<InjectedPod> all, List<ScatterTerm> terms) {
        List<InjectedPod> order = waiting;
        for (ScatterTerm term : expanded(terms, all)) {
            order = spread(order, all, term);
        }
        return order;
    }

    private static List<ScatterTerm> expanded(List<ScatterTerm> terms, List<InjectedPod> all) {
        return terms.stream()
                .flatMap(term -> term.value().equals("*") ? values(term.key(), all) : Stream.of(term))
                .distinct()
                .sorted(Comparator.comparing((ScatterTerm term) -> count(term, all))
                        .reversed())
                .toList();
    }

    private static Stream<ScatterTerm> values(String key, List<InjectedPod> all) {
        return all.stream()
                .map(pod -> label(pod, key))
                .filter(Objects::nonNull)
                .distinct()
                .sorted()
                .map(value -> new ScatterTerm(key, value));
    }

    private static List<InjectedPod> spread(List<InjectedPod> waiting, List<InjectedPod> all, ScatterTerm term) {
        long matched = count(term, all);
        if (matched <= 1 || matched >= all.size() - 1) {
            return waiting;
        }
        Deque<InjectedPod> rare = new ArrayDeque<>();
        Deque<InjectedPod> others = new ArrayDeque<>();
        waiting.forEach(pod -> (matches(pod, term) ? rare : others).add(pod));
        List<InjectedPod> order = new ArrayList<>();
        long placed = matched - rare.size();
        for (int at = all.size() - waiting.size(); order.size() < waiting.size(); at++) {
            boolean due = at >= Math.round(placed * (all.size() - 1.0) / (matched - 1));
            if (others.isEmpty() || (due && !rare.isEmpty())) {
                order.add(rare.remove());
                placed++;
            } else {
                order.add(others.remove());
            }
        }
        return order;
    }

    private static long count(ScatterTerm term, List<InjectedPod> pods) {
        return pods.stream().filter(pod -> matches(pod, term)).count();
    }

    private static boolean matches(InjectedPod pod, ScatterTerm term) {
        return term.value().equals(label(pod, term.key()));
    }

    private static @Nullable String label(InjectedPod pod, String key) {
        Map<String, String> labels = pod.pod().getMetadata().getLabels();
        return labels == null ? null : labels.get(key);
    }
}
