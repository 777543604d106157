package io.busbar.sandbox.kinds.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.storage.Metadata;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a changed number of replicas is spread over the ReplicaSets when nothing is rolled out, or in the middle of it.
 *
 * <p>Immutable; pure functions of what is there. From {@code sync.go} of the deployment controller.
 */
record Scaling(ObjectNode deployment, Strategy strategy, Family family) {

    /** New sizes by name. */
    Map<String, Integer> sizes() {
        List<ObjectNode> active = family.active();
        Map<String, Integer> sizes = new LinkedHashMap<>();
        if (active.size() <= 1) {
            (active.isEmpty() ? latest() : active)
                    .forEach(set -> sizes.put(Metadata.of(set).name(), strategy.replicas()));
        } else if (family.current().filter(this::isSaturated).isPresent()) {
            family.activeOld().forEach(set -> sizes.put(Metadata.of(set).name(), 0));
        } else if (strategy.rolling()) {
            proportional(active, sizes);
        }
        return sizes;
    }

    private List<ObjectNode> latest() {
        return family.current()
                .or(() -> family.all().stream().reduce((older, newer) -> newer))
                .map(List::of)
                .orElse(List.of());
    }

    private boolean isSaturated(ObjectNode set) {
        return Family.replicas(set) == strategy.replicas()
                && Annotations.number(set, Annotations.DESIRED) == strategy.replicas()
                && Family.available(set) == strategy.replicas();
    }

    /** Each gets its share of what comes or goes; the largest what rounding leaves over. */
    private void proportional(List<ObjectNode> active, Map<String, Integer> sizes) {
        int allowed = strategy.replicas() > 0 ? strategy.most() : 0;
        int change = allowed - active.stream().mapToInt(Family::replicas).sum();
        Comparator<ObjectNode> age = change > 0 ? Pods.byAge().reversed() : Pods.byAge();
        List<ObjectNode> bySize = active.stream()
                .sorted(Comparator.<ObjectNode>comparingInt(Family::replicas)
                        .reversed()
                        .thenComparing(age))
                .toList();
        int done = 0;
        for (ObjectNode set : bySize) {
            int share = share(set, change, done);
            sizes.put(Metadata.of(set).name(), Family.replicas(set) + share);
            done += share;
        }
        int left = change - done;
        if (!bySize.isEmpty()) {
            sizes.merge(Metadata.of(bySize.get(0)).name(), left, (size, more) -> Math.max(0, size + more));
        }
    }

    private int share(ObjectNode set, int change, int done) {
        if (change == done) {
            return 0;
        }
        int fraction = fraction(set);
        return change > 0 ? Math.min(fraction, change - done) : Math.max(fraction, change - done);
    }

    private int fraction(ObjectNode set) {
        if (strategy.replicas() == 0) {
            return -Family.replicas(set);
        }
        int most = Annotations.number(set, Annotations.MOST);
        int before =
                most >= 0 ? most : deployment.path("status").path("replicas").asInt();
        if (before == 0) {
            return 0;
        }
        double size = (double) Family.replicas(set) * strategy.most() / before;
        return (int) Math.round(size) - Family.replicas(set);
    }
}
