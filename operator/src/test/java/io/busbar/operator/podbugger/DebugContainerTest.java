package io.busbar.operator.podbugger;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.podbugger.v1beta1.Podbuggertool;
import io.busbar.operator.podbugger.v1beta1.PodbuggertoolSpec;
import io.fabric8.kubernetes.api.model.EphemeralContainer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DebugContainerTest {

    @Test
    void is_a_terminal_in_the_image_asked_for() {
        EphemeralContainer container = DebugContainer.of(tool("shell", "busybox:1"));

        assertThat(container.getName()).matches("debug-shell-[0-9a-f]{8}");
        assertThat(container.getImage()).isEqualTo("busybox:1");
        assertThat(container.getCommand()).containsExactly("sh");
        assertThat(container.getTargetContainerName()).isEqualTo("app");
        assertThat(container.getStdin()).isTrue();
        assertThat(container.getTty()).isTrue();
        assertThat(container.getImagePullPolicy()).isEqualTo("IfNotPresent");
    }

    @Test
    void another_image_is_another_container() {
        assertThat(DebugContainer.name(tool("shell", "busybox:1")))
                .isEqualTo(DebugContainer.name(tool("shell", "busybox:1")))
                .isNotEqualTo(DebugContainer.name(tool("shell", "busybox:2")));
    }

    @Test
    void names_that_no_container_may_have_are_cut_and_stay_apart() {
        String stem = "a".repeat(60);
        List<String> names = List.of(
                DebugContainer.name(tool(stem + "1", "busybox:1")),
                DebugContainer.name(tool(stem + "2", "busybox:1")),
                DebugContainer.name(tool("a.b", "busybox:1")),
                DebugContainer.name(tool("a-b", "busybox:1")));

        assertThat(names)
                .doesNotHaveDuplicates()
                .allSatisfy(name -> assertThat(name)
                        .matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?")
                        .hasSizeLessThanOrEqualTo(63));
    }

    @Test
    void goes_into_a_pod_or_into_the_older_list() {
        EphemeralContainer container = DebugContainer.of(tool("shell", "busybox:1"));
        Map<String, Object> list = Map.of("ephemeralContainers", List.of(container));

        assertThat(EphemeralContainers.body("Pod", container)).isEqualTo(Map.of("spec", list));
        assertThat(EphemeralContainers.body("EphemeralContainers", container)).isEqualTo(list);
    }

    private static Podbuggertool tool(String name, String image) {
        Podbuggertool tool = new Podbuggertool();
        tool.getMetadata().setName(name);
        tool.setSpec(new PodbuggertoolSpec("app=shop", image, "app", List.of(), false));
        return tool;
    }
}
