package io.busbar.operator.sidecarset.roll;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.sidecarset.v1beta1.ScatterTerm;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScatterTest {

    private static final List<ScatterTerm> BY_GROUP = List.of(new ScatterTerm("group", "a"));

    @Test
    void updates_three_of_ten_first_sixth_and_tenth() {
        List<InjectedPod> pods = pods("aaabbbbbbb");

        assertThat(groups(Scatter.spread(pods, pods, BY_GROUP))).isEqualTo("abbbbabbba");
    }

    @Test
    void keeps_to_its_places_when_only_a_few_pods_are_left() {
        List<InjectedPod> pods = pods("aaabbbbbbb");
        List<InjectedPod> left = new ArrayList<>(Scatter.spread(pods, pods, BY_GROUP));
        StringBuilder updated = new StringBuilder();
        while (!left.isEmpty()) {
            List<InjectedPod> order = Scatter.spread(left, pods, BY_GROUP);
            updated.append(groups(order.subList(0, 1)));
            left.remove(order.get(0));
        }

        assertThat(updated).hasToString("abbbbabbba");
    }

    @Test
    void keeps_the_order_within_each_kind() {
        List<InjectedPod> pods = pods("aaabbbbbbb");

        assertThat(Scatter.spread(pods, pods, BY_GROUP))
                .filteredOn(pod -> group(pod).equals("b"))
                .isEqualTo(pods.subList(3, 10));
    }

    @Test
    void spreads_each_value_where_a_star_stands_for_all() {
        List<InjectedPod> pods = pods("aaaabbbbcccc");

        String order = groups(Scatter.spread(pods, pods, List.of(new ScatterTerm("group", "*"))));

        assertThat(order).hasSize(12).doesNotContain("aaa", "bbb", "ccc");
    }

    @Test
    void changes_nothing_for_a_label_that_none_or_all_have() {
        List<InjectedPod> pods = pods("aaaa");

        assertThat(Scatter.spread(pods, pods, BY_GROUP)).isEqualTo(pods);
        assertThat(Scatter.spread(pods, pods, List.of(new ScatterTerm("other", "*"))))
                .isEqualTo(pods);
        assertThat(Scatter.spread(pods, pods, List.of())).isEqualTo(pods);
    }

    private static List<InjectedPod> pods(String groups) {
        List<InjectedPod> pods = new ArrayList<>();
        for (int i = 0; i < groups.length(); i++) {
            pods.add(new InjectedPod(
                    new PodBuilder()
                            .withNewMetadata()
                            .withName("p-" + i)
                            .withLabels(Map.of("group", groups.substring(i, i + 1)))
                            .endMetadata()
                            .build(),
                    false,
                    true,
                    true,
                    true,
                    false));
        }
        return pods;
    }

    private static String group(InjectedPod pod) {
        return pod.pod().getMetadata().getLabels().get("group");
    }

    private static String groups(List<InjectedPod> pods) {
        StringBuilder text = new StringBuilder();
        pods.forEach(pod -> text.append(group(pod)));
        return text.toString();
    }
}
