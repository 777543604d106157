package io.busbar.operator.sidecarset.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.FieldProblem;
import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.defaulting.SidecarSetDefaulter;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SetConflictsTest {

    private static final AdmissionRequest NO_REQUEST = null;

    private final StoredSets stored = new StoredSets();
    private final SidecarSetValidator validator = new SidecarSetValidator(
            stored, (set, wanted) -> Optional.empty(), new PodMetadataWhitelist(Optional::empty, true));

    @BeforeEach
    void store_a_set() {
        stored.store(set("first", "app: shop", """
                containers: [{name: agent, image: "a:1"}]
                initContainers: [{name: gate, image: "g:1"}]
                volumes: [{name: data, hostPath: {path: /a}}]
                patchPodMetadata: [{annotations: {over: v}, patchPolicy: Overwrite}, {annotations: {merge: v}, patchPolicy: MergePatchJson},
                  {annotations: {keep: v}, patchPolicy: Retain}]
                """));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            containers: [{name: agent, image: b}]         | spec.containers[0].name: Invalid value: "agent": container agent already exist in first
            initContainers: [{name: gate, image: b}]      | spec.initContainers[0].name: Invalid value: "gate": container gate already exist in first
            volumes: [{name: data, hostPath: {path: /b}}] | spec.volumes[0].name: Invalid value: "data": volume data is in conflict with sidecarset first
            patchPodMetadata: [{annotations: {over: w}, patchPolicy: Overwrite}] | spec.patchPodMetadata[0].annotations[over]: Invalid value: "over": annotation over is in conflict with sidecarset first
            patchPodMetadata: [{annotations: {merge: w}, patchPolicy: Overwrite}] | spec.patchPodMetadata[0].annotations[merge]: Invalid value: "merge"
            """)
    void refuses_what_another_set_brings_to_the_same_pods(String spec, String problem) {
        assertThat(problems(set("second", "app: shop", spec)))
                .singleElement()
                .asString()
                .startsWith(problem);
        assertThat(problems(set("second", "role: any", spec))).hasSize(1);
        assertThat(problems(set("second", "app: till", spec))).isEmpty();
        assertThat(problems(set("first", "app: shop", spec))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            initContainers: [{name: agent, image: b}]
            containers: [{name: gate, image: b}]
            volumes: [{name: data, hostPath: {path: /a}}]
            patchPodMetadata: [{annotations: {merge: w}, patchPolicy: MergePatchJson}]
            patchPodMetadata: [{annotations: {over: w}, patchPolicy: Retain}]
            patchPodMetadata: [{annotations: {keep: w}, patchPolicy: Overwrite}]
            """)
    void lets_be_what_gets_along(String spec) {
        assertThat(problems(set("second", "app: shop", spec))).isEmpty();
    }

    @Test
    void lets_a_canary_bring_what_its_base_brings() {
        SidecarSet canary =
                set("second", "app: shop", "containers: [{name: agent, image: b}]\nupdateStrategy: {type: NotUpdate}");
        canary.getMetadata().getAnnotations().putAll(Map.of(SidecarSet.CANARY, "true", SidecarSet.BASE, "first"));

        assertThat(problems(canary)).isEmpty();
    }

    @Test
    void names_the_first_of_several_sets() {
        stored.store(set("another", "app: shop", "containers: [{name: agent, image: c}]"));

        assertThat(problems(set("second", "app: shop", "containers: [{name: agent, image: c}]")))
                .singleElement()
                .asString()
                .endsWith("already exist in another");
    }

    @Test
    void looks_only_at_sets_that_bring_something_of_the_same_name() {
        for (int i = 0; i < 1000; i++) {
            stored.store(set("other-" + i, "app: shop", "containers: [{name: other-" + i + ", image: c}]"));
        }

        assertThat(problems(set("second", "app: shop", "containers: [{name: agent, image: c}, {name: new, image: c}]")))
                .hasSize(1);
        assertThat(stored.handedOut()).isEqualTo(1);
    }

    private List<String> problems(SidecarSet set) {
        return validator.create(set, NO_REQUEST).problems().stream()
                .map(FieldProblem::toString)
                .toList();
    }

    private static SidecarSet set(String name, String label, String spec) {
        String container = spec.startsWith("containers") ? "" : "containers: [{name: c-" + name + ", image: c}]\n";
        return new SidecarSetDefaulter()
                .withDefaults(Yaml.set(name, "selector: {matchLabels: {" + label + "}}\n" + container + spec));
    }
}
