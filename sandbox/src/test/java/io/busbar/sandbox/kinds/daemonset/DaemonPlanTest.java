package io.busbar.sandbox.kinds.daemonset;

import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.Metadata;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DaemonPlanTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:01:00Z");

    private static ObjectNode node(String name, String spec) {
        return object("{metadata: {name: '" + name + "'}, spec: " + spec + "}");
    }

    private static ObjectNode pod(String name, String node, String revision, boolean ready) {
        return object("{metadata: {name: '" + name + "', labels: {controller-revision-hash: '" + revision
                + "'}}, spec: {nodeName: '" + node
                + "'}, status: {phase: 'Running', conditions: [{type: 'Ready', status: '"
                + (ready ? "True" : "False") + "', lastTransitionTime: '2026-01-01T00:00:00Z'}]}}");
    }

    private static DaemonPlan plan(String more, List<ObjectNode> nodes, ObjectNode... pods) {
        return new DaemonPlan(
                object("{metadata: {name: 'd'}, spec: {template: {spec: {}}" + more + "}}"), nodes, List.of(pods), NOW);
    }

    private static List<String> names(List<ObjectNode> pods) {
        return pods.stream().map(pod -> Metadata.of(pod).name()).toList();
    }

    @Test
    void a_cordon_does_not_matter_and_a_taint_does() {
        List<ObjectNode> nodes = List.of(
                node("a", "{unschedulable: true}"),
                node("b", "{taints: [{key: 'x', effect: 'NoSchedule'}]}"),
                node("c", "{taints: [{key: 'node.kubernetes.io/not-ready', effect: 'NoExecute'}]}"));
        assertThat(plan("", nodes).lacking()).containsExactly("a", "c");
    }

    @Test
    void a_pod_stays_on_a_node_that_takes_no_new_ones() {
        List<ObjectNode> nodes = List.of(node("a", "{taints: [{key: 'x', effect: 'NoSchedule'}]}"));
        assertThat(plan("", nodes, pod("p", "a", "new", true)).superfluous()).isEmpty();
        List<ObjectNode> hostile = List.of(node("a", "{taints: [{key: 'x', effect: 'NoExecute'}]}"));
        assertThat(names(plan("", hostile, pod("p", "a", "new", true)).superfluous()))
                .containsExactly("p");
    }

    @Test
    void a_pod_that_is_not_alone_goes_and_so_does_one_whose_node_is_gone() {
        List<ObjectNode> nodes = List.of(node("a", "{}"));
        DaemonPlan plan =
                plan("", nodes, pod("p", "a", "new", true), pod("q", "a", "new", true), pod("r", "b", "new", true));
        assertThat(names(plan.superfluous())).containsExactly("q", "r");
    }

    @Test
    void old_pods_go_within_the_limit_and_useless_ones_at_once() {
        List<ObjectNode> nodes = List.of(node("a", "{}"), node("b", "{}"), node("c", "{}"));
        String two = ", updateStrategy: {type: 'RollingUpdate', rollingUpdate: {maxUnavailable: 2}}";
        assertThat(names(plan(
                                two,
                                nodes,
                                pod("p", "a", "old", true),
                                pod("q", "b", "old", false),
                                pod("r", "c", "old", true))
                        .outdated("new")))
                .containsExactly("p", "q");
        assertThat(plan(", updateStrategy: {type: 'OnDelete'}", nodes, pod("p", "a", "old", true))
                        .outdated("new"))
                .isEmpty();
    }

    @Test
    void a_daemon_is_meant_for_one_node() {
        ObjectNode set = object(
                "{metadata: {name: 'd', namespace: 'n', uid: 'u'}, spec: {template: {spec: {affinity: {nodeAffinity:"
                        + " {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions:"
                        + " [{key: 'x', operator: 'Exists'}]}]}}}}}}}");
        ObjectNode pod = DaemonPods.pod(set, "a", "r");
        assertThat(DaemonPods.node(pod)).isEqualTo("a");
        assertThat(pod.at(
                                "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms")
                        .size())
                .isEqualTo(1);
    }
}
