package io.busbar.operator.podset;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.podset.v1alpha1.PodSet;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DesiredPodTest {

    private final PodSet set = TestSets.set("sleepers", 3, 1);

    @Test
    void is_a_busybox_that_sleeps_under_a_name_that_the_api_server_makes_up() {
        Pod pod = DesiredPod.of(set);

        assertThat(pod.getMetadata().getName()).isNull();
        assertThat(pod.getMetadata().getGenerateName()).isEqualTo("sleepers-");
        assertThat(pod.getMetadata().getNamespace()).isEqualTo("default");
        assertThat(pod.getSpec().getContainers()).singleElement().satisfies(container -> {
            assertThat(container.getImage()).isEqualTo("busybox");
            assertThat(container.getCommand()).containsExactly("sleep", "3600");
        });
    }

    @Test
    void has_the_labels_that_its_set_is_scaled_by() {
        assertThat(DesiredPod.of(set).getMetadata().getLabels())
                .isEqualTo(Map.of("app", "sleepers", "version", "v0.1"));
        assertThat(DesiredPod.selector(set)).isEqualTo("app=sleepers,version=v0.1");
    }
}
