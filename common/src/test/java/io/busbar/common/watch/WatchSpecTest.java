package io.busbar.common.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WatchSpecTest {

    @Test
    void specs_of_the_same_are_equal_in_whatever_order_they_were_said() {
        WatchSpec<Pod> one =
                WatchSpec.of(Pod.class).inNamespaces(Set.of("a", "b")).keeping("spec", "status");
        WatchSpec<Pod> other = WatchSpec.of(Pod.class).keeping("status", "spec").inNamespaces(Set.of("b", "a"));

        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(one.fields()).containsExactly("spec", "status");
    }

    @Test
    void names_the_field_that_is_no_path() {
        WatchSpec<Pod> pods = WatchSpec.of(Pod.class);

        assertThat(pods.keeping("metadata.annotations[kruise.io/*]").fields()).hasSize(1);
        for (String wrong : List.of("metadata.annotations[kruise.io/]", "metadata[a*].b", "spec.*", "[a*]", "")) {
            assertThatThrownBy(() -> pods.keeping(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("field '" + wrong + "' is not allowed; allowed: a dotted path");
        }
    }

    @Test
    void each_narrowing_leaves_the_rest_as_it_was() {
        WatchSpec<Pod> spec = WatchSpec.of(Pod.class)
                .withLabels("app=web")
                .withFields("spec.nodeName=n")
                .metadataOnlyWatch();

        assertThat(spec.labelSelector()).isEqualTo("app=web");
        assertThat(spec.fieldSelector()).isEqualTo("spec.nodeName=n");
        assertThat(spec.metadataOnly()).isTrue();
        assertThat(spec.resource().plural()).isEqualTo("pods");
        assertThat(spec).isNotEqualTo(WatchSpec.of(Pod.class));
    }
}
