package io.busbar.operator.sidecarset.roll;

import io.busbar.operator.sidecarset.matching.CompiledSelector;
import io.busbar.operator.sidecarset.v1beta1.OrderPriority;
import io.busbar.operator.sidecarset.v1beta1.PriorityStrategy;
import io.busbar.operator.sidecarset.v1beta1.UpdateStrategy;
import io.busbar.operator.sidecarset.v1beta1.WeightPriority;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which Pod goes first: by the strategy's priority, then the one whose restart costs least.
 *
 * <p>Pure functions, any thread. Source of the standard order: Kubernetes' {@code ActivePods}; the name ends it, so
 * that the order is the same each time.
 */
final class UpgradeOrder {

    private static final Pattern INTEGER = Pattern.compile("\\d+");
    private static final List<String> PHASES = List.of("Pending", "Unknown", "Running");
    private static final BigInteger NONE = BigInteger.ONE.negate();

    private static final Comparator<Pod> CHEAPEST = Comparator.comparing(
                    (Pod pod) -> pod.getSpec().getNodeName() != null
                            && !pod.getSpec().getNodeName().isEmpty())
            .thenComparing(pod -> PHASES.indexOf(InjectedPod.phase(pod)))
            .thenComparing(UpgradeOrder::ready)
            .thenComparing(UpgradeOrder::readySince, Comparator.reverseOrder())
            .thenComparing(UpgradeOrder::restarts, Comparator.reverseOrder())
            .thenComparing(UpgradeOrder::created, Comparator.reverseOrder())
            .thenComparing(pod -> pod.getMetadata().getNamespace())
            .thenComparing(pod -> pod.getMetadata().getName());

    private UpgradeOrder() {}

    /**
     * @throws IllegalArgumentException when a priority's selector is not valid
     */
    static Comparator<InjectedPod> of(UpdateStrategy strategy) {
        PriorityStrategy priority = strategy.priorityStrategy();
        if (priority == null) {
            return Comparator.comparing(InjectedPod::pod, CHEAPEST);
        }
        Comparator<Pod> order = priority.weightPriority().isEmpty()
                ? ordered(priority.orderPriority())
                : Comparator.comparingLong(weight(priority.weightPriority())).reversed();
        return Comparator.comparing(InjectedPod::pod, order.thenComparing(CHEAPEST));
    }

    /** The highest number first, key by key; a Pod without the label, or without a number in it, goes last. */
    private static Comparator<Pod> ordered(List<OrderPriority> keys) {
        return keys.stream()
                .map(key -> Comparator.comparing(
                        (Pod pod) -> lastInteger(label(pod, key.orderedKey())), Comparator.reverseOrder()))
                .reduce(Comparator::thenComparing)
                .orElse(CHEAPEST);
    }

    private static ToLongFunction<Pod> weight(List<WeightPriority> priorities) {
        record Weight(CompiledSelector selector, int weight) {}
        List<Weight> weights = priorities.stream()
                .map(priority -> new Weight(CompiledSelector.of(priority.matchSelector()), priority.weight()))
                .toList();
        return pod -> weights.stream()
                .filter(weight -> weight.selector().matches(pod.getMetadata().getLabels()))
                .mapToLong(Weight::weight)
                .sum();
    }

    private static BigInteger lastInteger(String value) {
        BigInteger last = NONE;
        for (Matcher found = INTEGER.matcher(value); found.find(); ) {
            last = new BigInteger(found.group());
        }
        return last;
    }

    private static String label(Pod pod, String key) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        return labels == null ? "" : labels.getOrDefault(key, "");
    }

    private static boolean ready(Pod pod) {
        return InjectedPod.condition(pod, "Ready")
                .filter(ready -> "True".equals(ready.getStatus()))
                .isPresent();
    }

    /** Times of the API sort as text. */
    private static String readySince(Pod pod) {
        return InjectedPod.condition(pod, "Ready")
                .filter(ready -> "True".equals(ready.getStatus()))
                .map(PodCondition::getLastTransitionTime)
                .orElse("");
    }

    private static int restarts(Pod pod) {
        return InjectedPod.statuses(pod).stream()
                .mapToInt(status -> status.getRestartCount() == null ? 0 : status.getRestartCount())
                .max()
                .orElse(0);
    }

    private static String created(Pod pod) {
        String created = pod.getMetadata().getCreationTimestamp();
        return created == null ? "" : created;
    }
}
