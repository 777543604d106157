package io.busbar.operator.sidecarset.inject;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.sidecarset.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SidecarSetSnapshotTest {

    private static final List<String> SELECTORS = List.of(
            "{matchLabels: {app: a}}",
            "{matchLabels: {app: b}}",
            "{matchLabels: {app: a, tier: x}}",
            "{matchLabels: {tier: x}}",
            "{matchExpressions: [{key: app, operator: In, values: [a, b]}]}",
            "{matchExpressions: [{key: app, operator: NotIn, values: [a]}]}",
            "{matchExpressions: [{key: tier, operator: Exists}]}",
            "{matchExpressions: [{key: tier, operator: Exists}, {key: app, operator: In, values: [b]}]}",
            "{matchExpressions: [{key: app, operator: DoesNotExist}]}",
            "{matchExpressions: [{key: app, operator: DoesNotExist}]}\nnamespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}",
            "{matchExpressions: [{key: tier, operator: Exists}]}\nnamespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [bank, till]}]}");

    private static final List<Map<String, String>> PODS = List.of(
            Map.of(),
            Map.of("app", "a"),
            Map.of("app", "b"),
            Map.of("app", "c"),
            Map.of("tier", "x"),
            Map.of("app", "a", "tier", "x"),
            Map.of("app", "b", "tier", "y"));

    @Test
    void selects_after_any_changes_just_what_a_look_at_every_set_would() {
        Random random = new Random(20260301);
        SidecarSetSnapshot snapshot = SidecarSetSnapshot.EMPTY;
        Map<String, CompiledSidecarSet> truth = new TreeMap<>();
        for (int change = 0; change < 600; change++) {
            String name = "set-" + random.nextInt(12);
            Optional<CompiledSidecarSet> next = random.nextInt(4) == 0
                    ? Optional.empty()
                    : Optional.of(compiled(name, SELECTORS.get(random.nextInt(SELECTORS.size()))));
            SidecarSetSnapshot before = snapshot;
            List<List<String>> selectedBefore = selected(before);

            snapshot = snapshot.with(name, next);
            truth.remove(name);
            next.ifPresent(set -> truth.put(name, set));

            assertThat(selected(snapshot)).isEqualTo(selectedAmong(truth));
            assertThat(snapshot.size()).isEqualTo(truth.size());
            assertThat(selected(before)).as("the snapshot before").isEqualTo(selectedBefore);
        }
    }

    private static List<List<String>> selected(SidecarSetSnapshot snapshot) {
        return PODS.stream()
                .map(pod -> snapshot.selecting("shop", pod).stream()
                        .filter(set -> set.matching().matchesNamespace("shop", null))
                        .map(CompiledSidecarSet::name)
                        .toList())
                .toList();
    }

    private static List<List<String>> selectedAmong(Map<String, CompiledSidecarSet> sets) {
        List<List<String>> all = new ArrayList<>();
        for (Map<String, String> pod : PODS) {
            all.add(sets.values().stream()
                    .filter(set -> set.matching().matches(pod, "shop", null))
                    .map(CompiledSidecarSet::name)
                    .toList());
        }
        return all;
    }

    private static CompiledSidecarSet compiled(String name, String selector) {
        return CompiledSidecarSet.compile(
                        Yaml.set(name, "selector: " + selector + "\ncontainers: [{name: " + name + ", image: i}]"),
                        (set, wanted) -> Optional.empty())
                .orElseThrow();
    }
}
