package io.busbar.operator.sidecarset.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.sidecarset.StoredObjects;
import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CanaryRulesTest {

    private static final String BASE = "metadata.annotations[apps.kruise.io/sidecarset-base]: ";

    private final StoredObjects<SidecarSet> stored =
            StoredObjects.of(Yaml.set("mesh", "{}"), canary("mesh-canary", "mesh", "NotUpdate"));
    private final CanaryRules rules = new CanaryRules(stored);

    @Test
    void accepts_a_canary_of_a_set_that_is_there_and_any_other_set() {
        assertThat(problems(null, canary("mesh-b", "mesh", "NotUpdate"))).isEmpty();
        assertThat(problems(null, Yaml.set("other", "{}"))).isEmpty();
    }

    @Test
    void refuses_a_base_that_is_absent_itself_or_a_canary() {
        assertThat(problems(null, canary("mesh-b", null, "NotUpdate")))
                .containsExactly(BASE + "Required value: a canary names its base");
        assertThat(problems(null, canary("mesh-b", "gone", "NotUpdate")))
                .containsExactly(BASE + "Invalid value: \"gone\": there is no SidecarSet of this name");
        assertThat(problems(null, canary("mesh-b", "mesh-b", "NotUpdate")))
                .containsExactly(BASE + "Invalid value: \"mesh-b\": the base of a canary must be another SidecarSet");
        assertThat(problems(null, canary("mesh-b", "mesh-canary", "NotUpdate")))
                .containsExactly(
                        BASE + "Invalid value: \"mesh-canary\": the base of a canary must not be a canary itself");
    }

    @Test
    void refuses_a_canary_that_would_update_pods() {
        assertThat(problems(null, canary("mesh-b", "mesh", "RollingUpdate")))
                .containsExactly(
                        "spec.updateStrategy.type: Invalid value: \"RollingUpdate\": a canary must be NotUpdate");
    }

    @Test
    void refuses_another_base_for_a_canary_or_none() {
        SidecarSet before = canary("mesh-canary", "mesh", "NotUpdate");

        assertThat(problems(before, canary("mesh-canary", "other", "NotUpdate")))
                .containsExactly(BASE + "Invalid value: \"other\": the base of a canary is immutable: it was mesh");
        assertThat(problems(before, Yaml.set("mesh-canary", "{}"))).hasSize(1);
    }

    private List<String> problems(SidecarSet before, SidecarSet set) {
        Field root = Field.root();
        rules.check(root, before, set);
        return root.problems().stream().map(Object::toString).toList();
    }

    private static SidecarSet canary(String name, String base, String type) {
        SidecarSet set = Yaml.set(name, "updateStrategy: {type: " + type + "}");
        set.getMetadata()
                .setAnnotations(
                        base == null
                                ? Map.of(SidecarSet.CANARY, "true")
                                : Map.of(SidecarSet.CANARY, "true", SidecarSet.BASE, base));
        return set;
    }
}
