package io.busbar.blueprint.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.blueprint.v1alpha1.BlueprintRunSpec;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import org.junit.jupiter.api.Test;

class InstanceKindTest {

    private final InstanceKind kind = InstanceKind.of(
            Blueprints.checked(Blueprints.with("", "")).blueprint().schema());

    private static BlueprintRun about(String apiVersion, String kind) {
        BlueprintRun run = new BlueprintRun();
        run.setSpec(
                new BlueprintRunSpec(new BlueprintRunSpec.Instance(apiVersion, kind, "it"), "work", null, null, null));
        return run;
    }

    @Test
    void a_run_is_about_a_kind_in_whatever_version() {
        assertThat(kind.isOf(about("busbar.io/v1", "Test"))).isTrue();
        assertThat(kind.isOf(about("busbar.io/v1beta1", "Test"))).isTrue();
        assertThat(kind.isOf(about("busbar.io/v1", "Other"))).isFalse();
        assertThat(kind.isOf(about("other.busbar.io/v1", "Test"))).isFalse();
        assertThat(kind.isOf(about("v1", "Test"))).isFalse();
        assertThat(kind.isOf(new BlueprintRun())).isFalse();
    }

    @Test
    void a_run_is_found_by_its_instance_in_whatever_version() {
        GenericKubernetesResource instance = new GenericKubernetesResource();
        instance.setApiVersion("busbar.io/v2");
        instance.setKind("Test");
        instance.setMetadata(new ObjectMetaBuilder().withName("it").build());
        assertThat(RunReconciler.BY_INSTANCE.values().apply(about("busbar.io/v1", "Test")))
                .containsExactly(RunReconciler.reference(instance));
    }
}
