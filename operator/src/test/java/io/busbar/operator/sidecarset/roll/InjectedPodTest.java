package io.busbar.operator.sidecarset.roll;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.pod.PodAnnotations;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

class InjectedPodTest {

    private static final String ZEROS = "@sha256:" + "0a".repeat(32);
    private static final String ONES = "@sha256:" + "0b".repeat(32);

    @Test
    void is_updated_and_ready_once_it_runs_what_was_injected() {
        InjectedPod pod = look(TestPods.running(TestPods.injected("p", set("agent:1"))), set("agent:1"));

        assertThat(pod.updated()).isTrue();
        assertThat(pod.ready()).isTrue();
    }

    @Test
    void is_upgradable_but_not_updated_after_a_change_of_images() {
        InjectedPod pod = look(TestPods.injected("p", set("agent:1")), set("agent:2"));

        assertThat(pod.updated()).isFalse();
        assertThat(pod.upgradable()).isTrue();
    }

    @Test
    void is_not_upgradable_after_a_change_of_anything_else() {
        SidecarSet changed = set("agent:1");
        changed.getSpec().containers().get(0).setArgs(List.of("--new"));

        assertThat(look(TestPods.injected("p", set("agent:1")), changed).upgradable())
                .isFalse();
    }

    @Test
    void reads_annotations_that_are_bare_hashes() {
        Pod pod = TestPods.injected("p", set("agent:1"));
        String hash = Target.of(set("agent:1"), "").version().hash();
        pod.getMetadata().getAnnotations().put(PodAnnotations.HASH, "{\"web\":\"" + hash + "\"}");

        assertThat(look(pod, set("agent:1")).updated()).isTrue();
    }

    @Test
    void is_not_updated_by_an_annotation_that_cannot_be_read() {
        Pod pod = TestPods.injected("p", set("agent:1"));
        pod.getMetadata().getAnnotations().put(PodAnnotations.HASH, "[");

        assertThat(look(pod, set("agent:1")).updated()).isFalse();
    }

    @Test
    void is_inconsistent_while_the_kubelet_still_reports_what_ran_before() {
        Pod upgraded = upgraded(TestPods.running(TestPods.injected("p", set("agent:1"))), set("agent:2"));

        assertThat(look(upgraded, set("agent:2")).consistent()).isFalse();
        assertThat(look(TestPods.running(upgraded), set("agent:2")).consistent())
                .isTrue();
    }

    @Test
    void is_consistent_when_another_tag_turns_out_to_be_the_same_image() {
        Pod upgraded = upgraded(TestPods.running(TestPods.injected("p", set("agent:1"))), set("agent:2"));
        Pod reported = TestPods.running(upgraded);
        reported.getStatus().getContainerStatuses().get(0).setImageID("test://agent:1");

        assertThat(look(reported, set("agent:2")).consistent()).isTrue();
    }

    @Test
    void holds_a_digest_against_what_runs() {
        Pod pod = TestPods.running(TestPods.injected("p", set("agent" + ZEROS)));
        Pod upgraded = upgraded(pod, set("agent" + ONES));

        assertThat(look(pod, set("agent" + ZEROS)).consistent()).isTrue();
        assertThat(look(upgraded, set("agent" + ONES)).consistent()).isFalse();
        assertThat(look(TestPods.running(upgraded), set("agent" + ONES)).consistent())
                .isTrue();
    }

    @Test
    void is_inconsistent_while_a_container_has_no_status() {
        Pod pod = TestPods.running(TestPods.injected("p", set("agent:1")));
        pod.getStatus()
                .setContainerStatuses(pod.getStatus().getContainerStatuses().subList(0, 1));

        assertThat(look(pod, set("agent:1")).ready()).isFalse();
    }

    @Test
    void is_not_ready_unless_it_runs_and_says_so() {
        Pod pod = TestPods.injected("p", set("agent:1"));

        assertThat(look(pod, set("agent:1")).podReady()).isFalse();
        assertThat(look(TestPods.notReady(pod), set("agent:1")).podReady()).isFalse();
    }

    @Test
    void carries_a_set_only_while_it_is_alive_listed_and_has_all_its_containers() {
        Target target = Target.of(set("agent:1"), "");
        Pod pod = TestPods.injected("p", set("agent:1"));
        Pod deleting = Yaml.copy(pod);
        deleting.getMetadata().setDeletionTimestamp("2026-03-01T12:00:00Z");
        Pod failed = Yaml.copy(pod);
        failed.getStatus().setPhase("Failed");
        Pod unlisted = Yaml.copy(pod);
        unlisted.getMetadata().getAnnotations().put(PodAnnotations.INJECTED_LIST, "webby,other");
        Pod lacking = Yaml.copy(pod);
        lacking.getSpec().getContainers().remove(0);

        assertThat(InjectedPod.carries(pod, target)).isTrue();
        assertThat(InjectedPod.carries(deleting, target)).isFalse();
        assertThat(InjectedPod.carries(failed, target)).isFalse();
        assertThat(InjectedPod.carries(unlisted, target)).isFalse();
        assertThat(InjectedPod.carries(lacking, target)).isFalse();
    }

    private static InjectedPod look(Pod pod, SidecarSet set) {
        return InjectedPod.of(pod, Target.of(set, ""));
    }

    /** Written to, and the kubelet has not looked yet. */
    private static Pod upgraded(Pod pod, SidecarSet set) {
        InMemoryContext<SidecarSet> context = InMemoryContext.of(set);
        Pod stored = context.put(pod);
        return new StoredPods(context).patch(stored, UpgradePatch.of(stored, Target.of(set, ""), TestPods.INJECTED));
    }

    private static SidecarSet set(String image) {
        return Yaml.set(
                "web", "selector: {matchLabels: {app: web}}\ncontainers: [{name: agent, image: '" + image + "'}]");
    }
}
