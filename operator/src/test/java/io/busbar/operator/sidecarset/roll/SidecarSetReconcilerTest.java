package io.busbar.operator.sidecarset.roll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.history.RevisionHistory;
import io.busbar.operator.sidecarset.pod.PodAnnotations;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetStatus;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.TerminalException;
import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SidecarSetReconcilerTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-03-01T13:00:00Z"), ZoneOffset.UTC);

    private final SidecarSet set = Yaml.set("web", "{}");
    private final InMemoryContext<SidecarSet> context = InMemoryContext.of(set);
    private final StoredPods pods = new StoredPods(context);
    private final RevisionHistory history = new RevisionHistory("busbar-system");

    @BeforeEach
    void the_set() {
        set.getMetadata().setUid("u-1");
        set.getMetadata().setGeneration(0L);
        spec("agent:1", "");
    }

    @Test
    void counts_and_rolls_two_pods_one_by_one() throws Exception {
        injected("p-0", "p-1");
        kubelet(TestPods::running);
        reconcile();

        spec("agent:2", "");
        reconcile();
        kubelet(TestPods::running);
        reconcile();
        kubelet(TestPods::running);
        reconcile();

        assertThat(statuses())
                .extracting(s -> List.of(s.matchedPods(), s.updatedPods(), s.readyPods(), s.updatedReadyPods()))
                .containsExactly(
                        List.of(2, 2, 2, 2),
                        List.of(2, 0, 2, 0),
                        List.of(2, 1, 1, 0),
                        List.of(2, 1, 2, 1),
                        List.of(2, 2, 1, 1),
                        List.of(2, 2, 2, 2));
        assertThat(statuses()).last().satisfies(status -> {
            assertThat(status.observedGeneration()).isEqualTo(2);
            assertThat(status.latestRevision()).startsWith("web-");
        });
        assertThat(images()).containsOnly("agent:2");
    }

    @Test
    void writes_to_each_pod_once_and_nothing_more_when_all_is_done() throws Exception {
        injected("p-0", "p-1", "p-2");
        kubelet(TestPods::running);
        spec("agent:2", "{maxUnavailable: 100%}");
        reconcile();
        kubelet(TestPods::running);
        reconcile();
        pods.patched.clear();
        context.forget();

        reconcile();
        reconcile();

        assertThat(pods.patched).isEmpty();
        assertThat(statuses()).isEmpty();
        assertThat(context.toldEvents()).isEmpty();
        assertThat(context.writes()).isEmpty();
    }

    @Test
    void carries_on_after_a_crash_without_touching_a_pod_twice() throws Exception {
        injected("p-0", "p-1", "p-2", "p-3");
        kubelet(TestPods::running);
        spec("agent:2", "{maxUnavailable: 100%}");
        pods.before.add(pod -> {});
        pods.before.add(pod -> {});
        pods.before.add(pod -> {
            throw new KubernetesClientException("the server is away", 503, null);
        });

        assertThatThrownBy(this::reconcile).isInstanceOf(KubernetesClientException.class);
        reconcile();

        assertThat(pods.patched.stream().filter(name -> !name.endsWith("/status")))
                .containsExactlyInAnyOrder("p-0", "p-1", "p-2", "p-3");
    }

    @Test
    void makes_a_patch_anew_that_does_not_apply_to_what_the_pod_has_become() throws Exception {
        injected("p-0");
        kubelet(TestPods::running);
        spec("agent:2", "");
        pods.before.add(pod -> {
            Status invalid =
                    new StatusBuilder().withCode(422).withReason("Invalid").build();
            throw new KubernetesClientException("the server rejected our request", 422, invalid);
        });

        reconcile();

        assertThat(pods.patched).contains("p-0");
    }

    @Test
    void remembers_in_the_pod_what_ran_before() throws Exception {
        injected("p-0");
        kubelet(TestPods::running);
        spec("agent:2", "");

        reconcile();

        Pod pod = pod("p-0");
        String hash = Target.of(set, "").version().hash();
        assertThat(pod.getMetadata().getAnnotations().get(PodAnnotations.UPDATE_STATE))
                .isEqualTo("{\"web\":{\"revision\":\"" + hash + "\",\"updateTimestamp\":\"2026-03-01T13:00:00Z\","
                        + "\"lastContainerStatuses\":{\"agent\":{\"imageID\":\"test://agent:1\"}}}}");
        assertThat(pod.getMetadata().getAnnotations().get(PodAnnotations.HASH))
                .isEqualTo("{\"web\":{\"updateTimestamp\":\"2026-03-01T13:00:00Z\",\"hash\":\"" + hash
                        + "\",\"sidecarSetName\":\"web\",\"sidecarList\":[\"agent\"],\"controllerRevision\":\""
                        + set.getStatus().latestRevision() + "\"}}");
        assertThat(pod.getSpec().getContainers().get(1).getImage()).isEqualTo("app:1");
    }

    @Test
    void tells_an_updated_pod_that_it_is_upgradable() throws Exception {
        injected("p-0");
        kubelet(TestPods::running);
        spec("agent:2", "");

        reconcile();

        assertThat(condition("p-0").getStatus()).isEqualTo("True");
        assertThat(condition("p-0").getReason()).isEqualTo("AllSidecarsetUpgradable");
        assertThat(condition("p-0").getMessage()).isEqualTo("{\"web\":true}");
        assertThat(condition("p-0").getLastTransitionTime()).isEqualTo("2026-03-01T13:00:00Z");
    }

    @Test
    void stops_at_a_bad_image_and_recovers_with_a_good_one() throws Exception {
        injected("p-0", "p-1", "p-2");
        kubelet(TestPods::running);
        spec("agent:bad", "");
        reconcile();
        kubelet(pod -> pod.getSpec().getContainers().get(0).getImage().equals("agent:bad")
                ? TestPods.pullFailed(pod, "agent")
                : TestPods.running(pod));
        reconcile();
        assertThat(images()).containsExactlyInAnyOrder("agent:bad", "agent:1", "agent:1");
        assertThat(set.getStatus().updatedReadyPods()).isZero();

        spec("agent:2", "");
        reconcile();
        assertThat(images()).containsExactlyInAnyOrder("agent:2", "agent:2", "agent:1");
        kubelet(TestPods::running);
        reconcile();
        kubelet(TestPods::running);
        reconcile();

        assertThat(images()).containsOnly("agent:2");
        assertThat(set.getStatus().updatedReadyPods()).isEqualTo(3);
    }

    @Test
    void sets_pods_aside_that_cannot_be_updated_in_place_and_says_so_once() throws Exception {
        injected("p-0", "p-1");
        kubelet(TestPods::running);
        spec("agent:1", "");
        set.getSpec().containers().get(0).setArgs(List.of("--new"));

        reconcile();
        reconcile();

        assertThat(set.getStatus().updatedPods()).isZero();
        assertThat(condition("p-0").getStatus()).isEqualTo("False");
        assertThat(condition("p-0").getReason()).isEqualTo("UpdateImmutableField");
        assertThat(condition("p-0").getMessage()).isEqualTo("{\"web\":false}");
        assertThat(context.toldEvents()).singleElement().asString().contains("NotUpgradablePods: 2 Pods");
        assertThat(pods.patched).containsExactlyInAnyOrder("p-0/status", "p-1/status");
    }

    @Test
    void says_nothing_new_to_a_pod_that_waits_for_its_turn_again() throws Exception {
        injected("p-0", "p-1");
        kubelet(TestPods::running);
        set.getSpec().containers().get(0).setArgs(List.of("--new"));
        reconcile();

        spec("agent:2", "");
        reconcile();

        assertThat(List.of(condition("p-0").getMessage(), condition("p-1").getMessage()))
                .containsExactlyInAnyOrder("{\"web\":true}", "{\"web\":false}");
    }

    @Test
    void keeps_another_sets_answer_in_the_condition() throws Exception {
        injected("p-0");
        kubelet(TestPods::running);
        Pod pod = Yaml.copy(pod("p-0"));
        pod.getStatus().getConditions().add(0, new PodCondition() {
            private static final long serialVersionUID = 1L;

            {
                setType("SidecarSetUpgradable");
                setStatus("False");
                setMessage("{\"other\":false}");
            }
        });
        pods.store(pod);
        spec("agent:2", "");

        reconcile();

        assertThat(condition("p-0").getMessage()).isEqualTo("{\"other\":false,\"web\":true}");
        assertThat(condition("p-0").getStatus()).isEqualTo("False");
    }

    @Test
    void rolls_no_further_while_it_is_paused_and_counts_all_the_same() throws Exception {
        injected("p-0", "p-1");
        kubelet(TestPods::running);
        spec("agent:2", "");
        reconcile();
        kubelet(TestPods::running);

        spec("agent:2", "{paused: true}");
        reconcile();
        assertThat(set.getStatus().updatedPods()).isEqualTo(1);
        assertThat(set.getStatus().updatedReadyPods()).isEqualTo(1);

        spec("agent:2", "{maxUnavailable: 2}");
        reconcile();
        assertThat(set.getStatus().updatedPods()).isEqualTo(2);
    }

    @Test
    void never_updates_pods_of_a_set_that_says_so() throws Exception {
        injected("p-0");
        kubelet(TestPods::running);
        spec("agent:2", "{type: NotUpdate}");

        reconcile();

        assertThat(pods.patched).isEmpty();
        assertThat(set.getStatus().readyPods()).isEqualTo(1);
        assertThat(set.getStatus().updatedPods()).isZero();
    }

    @Test
    void counts_only_pods_that_the_selectors_still_match() throws Exception {
        injected("p-0", "p-1", "p-2");
        Pod relabelled = Yaml.copy(pod("p-1"));
        relabelled.getMetadata().setLabels(Map.of("app", "elsewhere"));
        pods.store(relabelled);
        pods.remove("p-2");

        reconcile();
        assertThat(set.getStatus().matchedPods()).isEqualTo(1);

        set.setSpec(Yaml.spec("""
                selector: {matchLabels: {app: web}}
                namespaceSelector: {matchLabels: {team: harbor}}
                containers: [{name: agent, image: "agent:1"}]
                """));
        reconcile();
        assertThat(set.getStatus().matchedPods()).isZero();
    }

    @Test
    void decides_anew_when_somebody_else_was_first() throws Exception {
        injected("p-0");
        kubelet(TestPods::running);
        spec("agent:2", "");
        pods.before.add(pod -> {
            Pod changed = Yaml.copy(pod);
            changed.getMetadata().getAnnotations().put("note", "mine");
            pods.store(changed);
        });

        reconcile();

        assertThat(images()).containsExactly("agent:2");
        assertThat(pod("p-0").getMetadata().getAnnotations()).containsEntry("note", "mine");
        assertThat(pods.patched).containsExactly("p-0", "p-0/status");
    }

    @Test
    void leaves_a_pod_to_whoever_updated_it_first() throws Exception {
        injected("p-0");
        kubelet(TestPods::running);
        spec("agent:2", "");
        Target target = Target.of(set, "");
        pods.before.add(pod -> pods.patch(pod, UpgradePatch.of(pod, target, TestPods.INJECTED)));

        reconcile();

        assertThat(pods.patched.stream().filter("p-0"::equals)).hasSize(1);
    }

    @Test
    void does_not_mind_a_pod_that_is_gone() throws Exception {
        injected("p-0", "p-1");
        kubelet(TestPods::running);
        spec("agent:2", "{maxUnavailable: 100%}");
        pods.before.add(pod -> pods.remove(pod.getMetadata().getName()));

        assertThat(reconcile()).isEqualTo(ReconcileResult.awaitChange());
        assertThat(images()).containsExactly("agent:2");
    }

    @Test
    void updates_the_others_when_one_pod_is_refused_and_fails_in_the_end() {
        injected("p-0", "p-1", "p-2");
        kubelet(TestPods::running);
        spec("agent:2", "{maxUnavailable: 100%}");
        pods.before.add(pod -> {
            throw new KubernetesClientException("a policy forbids it", 403, null);
        });

        assertThatThrownBy(this::reconcile).hasMessageContaining("a policy forbids it");
        assertThat(images()).containsExactlyInAnyOrder("agent:1", "agent:2", "agent:2");
        assertThat(set.getStatus().updatedPods()).isEqualTo(2);
    }

    @Test
    void brings_its_annotations_along_by_what_the_pod_has_now() throws Exception {
        injected("p-0");
        kubelet(TestPods::running);
        set.setSpec(Yaml.spec("""
                selector: {matchLabels: {app: web}}
                containers: [{name: agent, image: "agent:2"}]
                patchPodMetadata:
                - annotations: {colour: blue, size: xl}
                - {patchPolicy: Overwrite, annotations: {team: harbor}}
                """));
        Pod whole = Yaml.copy(pod("p-0"));
        whole.getMetadata().getAnnotations().putAll(Map.of("colour", "red", "team", "orchard"));
        pods.store(whole);

        reconcile();

        assertThat(pod("p-0").getMetadata().getAnnotations())
                .containsEntry("colour", "red")
                .containsEntry("size", "xl")
                .containsEntry("team", "harbor");
        assertThat(images()).containsExactly("agent:2");
    }

    @Test
    void fails_for_good_with_an_event_when_the_set_is_not_valid() {
        spec("agent:2", "{maxUnavailable: plenty}");

        assertThatThrownBy(this::reconcile)
                .isInstanceOf(TerminalException.class)
                .hasMessageContaining("plenty");
        assertThat(context.toldEvents()).singleElement().asString().contains("InvalidSidecarSet: ");
    }

    @Test
    void says_that_it_is_degraded_when_the_set_is_not_valid() {
        spec("agent:2", "{maxUnavailable: plenty}");

        assertThatThrownBy(this::reconcile).isInstanceOf(TerminalException.class);

        assertThat(conditions())
                .containsExactly("Progressing=False InvalidSidecarSet", "Degraded=True InvalidSidecarSet");
    }

    @Test
    void says_how_far_it_is_and_what_it_waits_for() throws Exception {
        injected("p-0", "p-1");
        kubelet(TestPods::running);
        reconcile();
        assertThat(conditions()).containsExactly("Progressing=False UpToDate", "Degraded=False AsExpected");

        spec("agent:2", "{partition: 1}");
        reconcile();
        assertThat(conditions()).first().isEqualTo("Progressing=True RollingOut");
        kubelet(TestPods::running);
        reconcile();
        assertThat(conditions()).first().isEqualTo("Progressing=False HeldBack");

        spec("agent:2", "{paused: true}");
        reconcile();
        assertThat(conditions()).first().isEqualTo("Progressing=False Paused");

        spec("agent:2", "{type: NotUpdate}");
        reconcile();
        assertThat(conditions()).first().isEqualTo("Progressing=False NotUpdate");
    }

    @Test
    void says_that_it_is_degraded_while_pods_need_more_than_images() throws Exception {
        injected("p-0");
        kubelet(TestPods::running);
        set.setSpec(Yaml.spec("selector: {matchLabels: {app: web}}\n"
                + "containers: [{name: agent, image: 'agent:1', env: [{name: A, value: b}]}]"));

        reconcile();

        assertThat(conditions()).containsExactly("Progressing=False NotUpgradable", "Degraded=True NotUpgradablePods");
    }

    @Test
    void says_why_a_pod_is_not_updated_and_takes_it_back_once_it_is() throws Exception {
        injected("p-0");
        kubelet(TestPods::running);
        spec("agent:2", "");
        pods.before.add(pod -> {
            throw new KubernetesClientException("a policy forbids it", 403, null);
        });
        assertThatThrownBy(this::reconcile).hasMessageContaining("a policy forbids it");
        assertThat(conditions()).last().isEqualTo("Degraded=True UpdateRefused");
        context.forget();

        reconcile();

        assertThat(conditions()).last().isEqualTo("Degraded=False AsExpected");
        assertThat(statuses()).hasSize(1);
    }

    @Test
    void takes_over_a_pod_that_an_openkruise_of_old_injected() throws Exception {
        injected("p-0");
        kubelet(TestPods::running);
        reconcile();
        Pod pod = Yaml.copy(pod("p-0"));
        String hash = Target.of(set, "").version().hash();
        String withoutImage = Target.of(set, "").version().hashWithoutImage();
        pod.getMetadata()
                .setAnnotations(new HashMap<>(Map.of(
                        PodAnnotations.HASH, "{\"web\":\"" + hash + "\"}",
                        PodAnnotations.HASH_WITHOUT_IMAGE, "{\"web\":\"" + withoutImage + "\"}")));
        pods.store(pod);
        pods.patched.clear();

        reconcile();
        assertThat(set.getStatus().updatedReadyPods()).isEqualTo(1);
        assertThat(pods.patched).isEmpty();

        spec("agent:2", "");
        reconcile();
        assertThat(images()).containsExactly("agent:2");
        assertThat(pod("p-0").getMetadata().getAnnotations())
                .containsEntry(PodAnnotations.INJECTED_LIST, "web")
                .hasEntrySatisfying(
                        PodAnnotations.HASH,
                        text -> assertThat(text)
                                .contains("\"sidecarSetName\":\"web\"")
                                .contains("\"sidecarList\":[\"agent\"]"));
    }

    private List<String> conditions() {
        return set.getStatus().conditions().stream()
                .map(condition -> condition.getType() + "=" + condition.getStatus() + " " + condition.getReason())
                .toList();
    }

    private ReconcileResult reconcile() throws Exception {
        context.put(set);
        try {
            return context.reconcile(new SidecarSetReconciler(history, any -> pods, CLOCK));
        } finally {
            set.setStatus(context.primary().getStatus());
        }
    }

    private List<SidecarSetStatus> statuses() {
        return context.statuses().stream().map(SidecarSet::getStatus).toList();
    }

    private void spec(String image, String strategy) {
        set.setSpec(Yaml.spec("selector: {matchLabels: {app: web}}\ncontainers: [{name: agent, image: '" + image
                + "'}]\nupdateStrategy: " + (strategy.isEmpty() ? "{}" : strategy)));
        set.getMetadata().setGeneration(set.getMetadata().getGeneration() + 1);
    }

    private void injected(String... names) {
        for (String name : names) {
            pods.store(TestPods.injected(name, set));
        }
    }

    private void kubelet(UnaryOperator<Pod> report) {
        pods.all().forEach(pod -> pods.store(report.apply(pod)));
    }

    private List<String> images() {
        return pods.all().stream()
                .map(pod -> pod.getSpec().getContainers().get(0).getImage())
                .toList();
    }

    private Pod pod(String name) {
        return pods.named(name);
    }

    private PodCondition condition(String name) {
        return InjectedPod.condition(pod(name), UpgradableCondition.TYPE).orElseThrow();
    }
}
