package io.busbar.operator.sidecarset.roll;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchTest {

    @Test
    void leaves_room_for_those_that_were_updated_and_are_not_ready_yet() {
        List<InjectedPod> pods = pods(100, 30, 26);

        assertThat(next(pods, "maxUnavailable: 10").upgrade()).hasSize(6);
    }

    @Test
    void holds_back_the_partition_of_all_pods() {
        List<InjectedPod> pods = pods(1000, 800, 760);

        assertThat(next(pods, "{maxUnavailable: 100, partition: 18%}").upgrade())
                .hasSize(20);
    }

    @ParameterizedTest
    @CsvSource({
        "'maxUnavailable: 5%', 1",
        "'maxUnavailable: 40%', 2",
        "'maxUnavailable: 41%', 3",
        "'maxUnavailable: 150%', 5",
        "'maxUnavailable: 0', 0",
        "'paused: false', 1",
        "'{maxUnavailable: 100%, partition: 99%}', 1",
        "'{maxUnavailable: 100%, partition: 1%}', 4",
        "'{maxUnavailable: 100%, partition: 100%}', 0",
        "'{maxUnavailable: 100%, partition: 0%}', 5",
        "'{maxUnavailable: 100%, partition: 3}', 2",
        "'{maxUnavailable: 100%, partition: 5}', 0",
        "'{maxUnavailable: 100%, partition: 9}', 0",
    })
    void rounds_percentages_up_but_leaves_one_pod_to_be_updated(String strategy, int expected) {
        assertThat(next(pods(5, 0, 0), strategy).upgrade()).hasSize(expected);
    }

    @Test
    void counts_nothing_for_pods_that_are_not_ready() {
        List<InjectedPod> pods =
                List.of(outdated("a", false), outdated("b", true), outdated("c", false), outdated("d", true));

        assertThat(next(pods, "maxUnavailable: 1").upgrade())
                .extracting(BatchTest::name)
                .containsExactly("a", "c", "b");
    }

    @Test
    void updates_only_what_the_strategys_selector_matches() {
        List<InjectedPod> pods = List.of(outdated("a", true, "0"), outdated("b", true, "1"), outdated("c", true, "0"));

        Batch batch = next(pods, "{maxUnavailable: 100%, selector: {matchLabels: {wave: '0'}}}");

        assertThat(batch.upgrade()).extracting(BatchTest::name).containsExactly("a", "c");
        assertThat(batch.notUpgradable()).isEmpty();
    }

    @Test
    void sets_pods_aside_that_differ_in_more_than_images() {
        InjectedPod stuck = new InjectedPod(pod("a", "0"), false, false, true, true, false);

        Batch batch = next(List.of(stuck, outdated("b", true)), "maxUnavailable: 2");

        assertThat(batch.upgrade()).extracting(BatchTest::name).containsExactly("b");
        assertThat(batch.notUpgradable()).containsExactly(stuck);
    }

    @Test
    void waits_for_a_pod_whose_last_update_has_not_come_to_its_end() {
        InjectedPod inFlight = new InjectedPod(pod("a", "0"), false, true, false, true, true);

        assertThat(next(List.of(inFlight), "maxUnavailable: 2").upgrade()).isEmpty();
    }

    @Test
    void stops_while_an_updated_pod_runs_but_not_what_its_spec_says() {
        InjectedPod inFlight = new InjectedPod(pod("a", "0"), true, true, false, true, false);

        assertThat(next(List.of(inFlight, outdated("b", true)), "maxUnavailable: 1")
                        .upgrade())
                .isEmpty();
    }

    private static Batch next(List<InjectedPod> pods, String strategy) {
        SidecarSet set = Yaml.set(
                "web",
                "selector: {matchLabels: {app: web}}\ncontainers: [{name: agent, image: 'agent:2'}]\nupdateStrategy: "
                        + (strategy.startsWith("{") ? strategy : "{" + strategy + "}"));
        return Batch.next(pods, Target.of(set, ""));
    }

    /** Of those, so many updated, and of these so many ready; the others are ready. */
    private static List<InjectedPod> pods(int all, int updated, int updatedReady) {
        List<InjectedPod> pods = new ArrayList<>();
        for (int i = 0; i < all; i++) {
            pods.add(
                    i < updated
                            ? new InjectedPod(pod("p" + i, "0"), true, true, true, i < updatedReady, false)
                            : outdated("p" + i, true));
        }
        return pods;
    }

    private static InjectedPod outdated(String name, boolean ready) {
        return outdated(name, ready, "0");
    }

    private static InjectedPod outdated(String name, boolean ready, String wave) {
        Pod pod = ready ? TestPods.running(pod(name, wave)) : pod(name, wave);
        return new InjectedPod(pod, false, true, true, ready, false);
    }

    private static String name(InjectedPod pod) {
        return pod.pod().getMetadata().getName();
    }

    private static Pod pod(String name, String wave) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName(name)
                .withLabels(Map.of("app", "web", "wave", wave))
                .endMetadata()
                .withNewSpec()
                .withNodeName("node-1")
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .endStatus()
                .build();
    }
}
