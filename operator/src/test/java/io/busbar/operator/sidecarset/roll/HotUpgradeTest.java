package io.busbar.operator.sidecarset.roll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.history.RevisionHistory;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The two slots of a hot upgrade, from reconcile to reconcile. */
class HotUpgradeTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-03-01T13:00:00Z"), ZoneOffset.UTC);
    private static final String WORKING = "kruise.io/sidecarset-working-hotupgrade-container";

    private final SidecarSet set = Yaml.set("hot", "{}");
    private final InMemoryContext<SidecarSet> context = InMemoryContext.of(set);
    private final StoredPods pods = new StoredPods(context);
    private final RevisionHistory history = new RevisionHistory("busbar-system");
    /** Of the set, since its spec was changed last. */
    private String version = "";

    @BeforeEach
    void the_set() {
        set.getMetadata().setUid("u-1");
        set.getMetadata().setGeneration(0L);
        spec("mesh:1", "");
    }

    @Test
    void brings_the_new_image_into_the_empty_slot_and_empties_the_other_once_it_runs() throws Exception {
        injected("p-0");
        reconcile();
        assertThat(counts()).containsExactly(1, 1, 1, 1);

        spec("mesh:2", "");
        reconcile();
        assertThat(images("p-0")).isEqualTo("mesh-1=mesh:1 mesh-2=mesh:2");
        assertThat(counts()).containsExactly(1, 1, 0, 0);
        assertThat(annotations("p-0"))
                .containsEntry(WORKING, "{\"mesh\":\"mesh-2\"}")
                .containsEntry("version.sidecarset.kruise.io/mesh-2", version)
                .containsEntry("versionalt.sidecarset.kruise.io/mesh-2", "1")
                .containsEntry("version.sidecarset.kruise.io/mesh-1", "1")
                .containsEntry("versionalt.sidecarset.kruise.io/mesh-1", version);

        kubelet(TestPods::running);
        reconcile();
        assertThat(images("p-0")).isEqualTo("mesh-1=empty:1 mesh-2=mesh:2");
        assertThat(counts()).containsExactly(1, 1, 0, 0);
        assertThat(annotations("p-0"))
                .containsEntry("version.sidecarset.kruise.io/mesh-1", "0")
                .containsEntry("versionalt.sidecarset.kruise.io/mesh-2", "0");
        assertThat(context.toldEvents()).singleElement().asString().contains("ResetContainerSucceed: SidecarSet hot: ");

        kubelet(TestPods::running);
        reconcile();
        assertThat(counts()).containsExactly(1, 1, 1, 1);
        assertThat(pods.patched.stream().filter(name -> !name.endsWith("/status")))
                .containsExactly("p-0", "p-0");

        spec("mesh:3", "");
        reconcile();
        assertThat(images("p-0")).isEqualTo("mesh-1=mesh:3 mesh-2=mesh:2");
    }

    @Test
    void does_nothing_to_the_slot_that_works_before_the_kubelet_reports_the_new_image() throws Exception {
        injected("p-0");
        spec("mesh:2", "");
        reconcile();

        reconcile();

        assertThat(images("p-0")).isEqualTo("mesh-1=mesh:1 mesh-2=mesh:2");
    }

    @Test
    void counts_a_pod_as_unavailable_until_its_slot_is_emptied() throws Exception {
        injected("p-0", "p-1");
        spec("mesh:2", "{maxUnavailable: 1}");
        reconcile();
        kubelet(TestPods::running);
        reconcile();
        assertThat(pods.all())
                .extracting(HotUpgradeTest::images)
                .containsExactlyInAnyOrder("mesh-1=empty:1 mesh-2=mesh:2", "mesh-1=mesh:1 mesh-2=empty:1");

        kubelet(TestPods::running);
        reconcile();
        assertThat(pods.all())
                .extracting(HotUpgradeTest::images)
                .containsExactlyInAnyOrder("mesh-1=empty:1 mesh-2=mesh:2", "mesh-1=mesh:1 mesh-2=mesh:2");
    }

    @Test
    void holds_back_the_partition() throws Exception {
        injected("p-0", "p-1");
        spec("mesh:2", "{maxUnavailable: 100%, partition: 1}");
        reconcile();

        assertThat(pods.all())
                .extracting(HotUpgradeTest::images)
                .containsExactlyInAnyOrder("mesh-1=mesh:1 mesh-2=mesh:2", "mesh-1=mesh:1 mesh-2=empty:1");
    }

    @Test
    void replaces_an_image_that_cannot_be_pulled_while_the_old_one_goes_on_working() throws Exception {
        injected("p-0");
        spec("mesh:bad", "");
        reconcile();
        kubelet(pod -> TestPods.pullFailed(pod, "mesh-2"));
        notReady("mesh-2");

        spec("mesh:2", "");
        reconcile();

        assertThat(images("p-0")).isEqualTo("mesh-1=mesh:1 mesh-2=mesh:2");
        assertThat(annotations("p-0")).containsEntry(WORKING, "{\"mesh\":\"mesh-2\"}");
    }

    @Test
    void goes_back_to_the_version_before_without_a_restart_of_it() throws Exception {
        injected("p-0");
        spec("mesh:bad", "");
        reconcile();
        kubelet(pod -> TestPods.pullFailed(pod, "mesh-2"));
        notReady("mesh-2");

        spec("mesh:1", "");
        reconcile();

        assertThat(images("p-0")).isEqualTo("mesh-1=mesh:1 mesh-2=empty:1");
        assertThat(annotations("p-0")).containsEntry(WORKING, "{\"mesh\":\"mesh-1\"}");
        kubelet(TestPods::running);
        reconcile();
        assertThat(counts()).containsExactly(1, 1, 1, 1);
    }

    @Test
    void does_not_end_an_upgrade_while_the_set_is_paused() throws Exception {
        injected("p-0");
        spec("mesh:2", "");
        reconcile();
        kubelet(TestPods::running);

        spec("mesh:2", "{paused: true}");
        reconcile();
        assertThat(images("p-0")).isEqualTo("mesh-1=mesh:1 mesh-2=mesh:2");

        spec("mesh:2", "");
        reconcile();
        assertThat(images("p-0")).isEqualTo("mesh-1=empty:1 mesh-2=mesh:2");
    }

    @Test
    void tells_of_a_slot_that_cannot_be_emptied() throws Exception {
        injected("p-0");
        spec("mesh:2", "");
        reconcile();
        kubelet(TestPods::running);
        pods.before.add(pod -> {
            throw new KubernetesClientException("no", 422, null);
        });

        assertThatThrownBy(this::reconcile).isInstanceOf(KubernetesClientException.class);

        assertThat(context.toldEvents()).singleElement().asString().contains("ResetContainerFailed: ");
    }

    private void reconcile() throws Exception {
        try {
            context.reconcile(new SidecarSetReconciler(history, anything -> pods, CLOCK));
        } finally {
            set.setStatus(context.primary().getStatus());
        }
    }

    private void spec(String image, String strategy) {
        set.setSpec(Yaml.spec("""
                selector: {matchLabels: {app: web}}
                containers:
                - name: mesh
                  image: %s
                  upgradeStrategy: {upgradeType: HotUpgrade, hotUpgradeEmptyImage: "empty:1"}
                %s
                """.formatted(image, strategy.isEmpty() ? "" : "updateStrategy: " + strategy)));
        set.getMetadata().setGeneration(set.getMetadata().getGeneration() + 1);
        version = context.put(set).getMetadata().getResourceVersion();
    }

    private void injected(String... names) {
        for (String name : names) {
            pods.store(TestPods.running(TestPods.injected(name, set)));
        }
    }

    private void kubelet(UnaryOperator<Pod> report) {
        pods.all().forEach(pod -> pods.store(report.apply(pod)));
    }

    /** One container alone. */
    private void notReady(String container) {
        kubelet(pod -> {
            Pod copy = Yaml.copy(pod);
            copy.getStatus()
                    .getContainerStatuses()
                    .forEach(status -> status.setReady(!status.getName().equals(container)));
            return copy;
        });
    }

    private List<Integer> counts() {
        var status = set.getStatus();
        return List.of(status.matchedPods(), status.updatedPods(), status.readyPods(), status.updatedReadyPods());
    }

    private Map<String, String> annotations(String pod) {
        return pod(pod).getMetadata().getAnnotations();
    }

    private String images(String pod) {
        return images(pod(pod));
    }

    private Pod pod(String name) {
        return pods.named(name);
    }

    private static String images(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .filter(container -> container.getName().startsWith("mesh"))
                .map((Container container) -> container.getName() + "=" + container.getImage())
                .collect(Collectors.joining(" "));
    }
}
