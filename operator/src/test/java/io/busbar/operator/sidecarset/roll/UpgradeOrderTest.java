package io.busbar.operator.sidecarset.roll;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.sidecarset.Yaml;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UpgradeOrderTest {

    @Test
    void begins_with_the_pod_whose_restart_costs_least() {
        assertThat(sorted(
                        "{}",
                        pod("unassigned", "{}", "{phase: Running}", ""),
                        pod("pending", "{}", "{phase: Pending}", "n"),
                        pod("unknown", "{}", "{phase: Unknown}", "n"),
                        pod("not-ready", "{}", "{phase: Running}", "n"),
                        pod("ready-since-noon", "{}", ready("12:00:00", 0), "n"),
                        pod("ready-since-ten-often-restarted", "{}", ready("10:00:00", 3), "n"),
                        pod("ready-since-ten", "{}", ready("10:00:00", 0), "n"),
                        pod("ready-since-ten-older", "{}", ready("10:00:00", 0), "n", "2026-02-01T00:00:00Z")))
                .containsExactly(
                        "unassigned",
                        "pending",
                        "unknown",
                        "not-ready",
                        "ready-since-noon",
                        "ready-since-ten-often-restarted",
                        "ready-since-ten",
                        "ready-since-ten-older");
    }

    @Test
    void puts_the_highest_number_of_an_ordered_key_first_and_none_last() {
        assertThat(sorted(
                        "{priorityStrategy: {orderPriority: [{orderedKey: seat}]}}",
                        pod("a", "{seat: row-7}", "{phase: Running}", "n"),
                        pod("b", "{seat: row-30}", "{phase: Running}", "n"),
                        pod("c", "{seat: block-99-row-4}", "{phase: Running}", "n"),
                        pod("d", "{}", "{phase: Pending}", "n"),
                        pod("e", "{seat: front}", "{phase: Running}", "n")))
                .containsExactly("b", "a", "c", "d", "e");
    }

    @Test
    void puts_the_highest_sum_of_weights_first() {
        assertThat(sorted(
                        """
                        priorityStrategy:
                          weightPriority:
                          - {weight: 50, matchSelector: {matchLabels: {tier: edge}}}
                          - {weight: 30, matchSelector: {matchLabels: {team: harbor}}}
                          - {weight: 30, matchSelector: {matchExpressions: [{key: canary, operator: Exists}]}}
                        """,
                        pod("fifty", "{tier: edge}", "{phase: Running}", "n"),
                        pod("none", "{}", "{phase: Pending}", "n"),
                        pod("sixty", "{team: harbor, canary: ''}", "{phase: Running}", "n")))
                .containsExactly("sixty", "fifty", "none");
    }

    private static List<String> sorted(String strategy, Pod... pods) {
        Target target = Target.of(
                Yaml.set("web", "selector: {matchLabels: {app: web}}\nupdateStrategy:\n" + strategy.indent(2)), "");
        List<InjectedPod> shuffled = new ArrayList<>(Arrays.stream(pods)
                .map(pod -> new InjectedPod(pod, false, true, true, true, false))
                .toList());
        Collections.shuffle(shuffled, new Random(7));
        shuffled.sort(target.order());
        return shuffled.stream().map(pod -> pod.pod().getMetadata().getName()).toList();
    }

    private static String ready(String time, int restarts) {
        return "{phase: Running, conditions: [{type: Ready, status: 'True', lastTransitionTime: '2026-03-01T" + time
                + "Z'}], containerStatuses: [{name: a, restartCount: " + restarts + "}]}";
    }

    private static Pod pod(String name, String labels, String status, String node) {
        return pod(name, labels, status, node, "2026-03-01T00:00:00Z");
    }

    private static Pod pod(String name, String labels, String status, String node, String created) {
        return Yaml.read(
                "metadata: {namespace: shop, name: " + name + ", creationTimestamp: '" + created + "', labels: "
                        + labels + "}\nspec: {nodeName: '" + node + "'}\nstatus: " + status,
                Pod.class);
    }
}
