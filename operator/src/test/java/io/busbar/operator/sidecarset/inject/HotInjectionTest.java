package io.busbar.operator.sidecarset.inject;

import static io.busbar.operator.sidecarset.inject.Injector.annotation;
import static io.busbar.operator.sidecarset.inject.Injector.names;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionDecision;
import io.busbar.operator.sidecarset.Yaml;
import org.junit.jupiter.api.Test;

class HotInjectionTest {

    private final Injector injector = Injector.with(Yaml.set("hot", """
            selector: {matchLabels: {app: web}}
            containers:
            - name: mesh
              image: mesh:1
              upgradeStrategy: {upgradeType: HotUpgrade, hotUpgradeEmptyImage: "empty:1"}
              transferEnv: [{sourceContainerName: shop, envName: AREA}]
            - {name: plain, image: "plain:1"}
            """));

    @Test
    void puts_a_hot_sidecar_into_two_slots_of_which_one_idles() {
        JsonNode pod = injector.inject(pod());

        assertThat(names(pod.at("/spec/containers"))).containsExactly("mesh-1", "mesh-2", "plain", "shop");
        assertThat(pod.at("/spec/containers/0/image").asText()).isEqualTo("mesh:1");
        assertThat(pod.at("/spec/containers/1/image").asText()).isEqualTo("empty:1");
        assertThat(annotation(pod, "kruise.io/sidecarset-working-hotupgrade-container"))
                .isEqualTo("{\"mesh\":\"mesh-1\"}");
        assertThat(annotation(pod, "kruise.io/sidecarset-hash")).contains("\"sidecarList\":[\"mesh\",\"plain\"]");
    }

    @Test
    void tells_each_slot_its_version_and_that_of_the_one_beside() {
        JsonNode pod = injector.inject(pod());

        assertThat(annotation(pod, "version.sidecarset.kruise.io/mesh-1")).isEqualTo("1");
        assertThat(annotation(pod, "versionalt.sidecarset.kruise.io/mesh-1")).isEqualTo("0");
        assertThat(annotation(pod, "version.sidecarset.kruise.io/mesh-2")).isEqualTo("0");
        assertThat(annotation(pod, "versionalt.sidecarset.kruise.io/mesh-2")).isEqualTo("1");
        JsonNode env = pod.at("/spec/containers/1/env");
        assertThat(names(env)).containsExactly("IS_INJECTED", "AREA", "SIDECARSET_VERSION", "SIDECARSET_VERSION_ALT");
        assertThat(env.at("/2/valueFrom/fieldRef/fieldPath").asText())
                .isEqualTo("metadata.annotations['version.sidecarset.kruise.io/mesh-2']");
    }

    @Test
    void leaves_a_pod_as_it_is_that_has_both_slots() {
        ObjectNode pod = injector.inject(pod());

        assertThat(injector.review(PodReview.creating(pod))).isEqualTo(AdmissionDecision.allowed());
    }

    @Test
    void begins_anew_with_the_first_slot_in_a_copy_of_a_pod_whose_second_works() {
        ObjectNode copy = injector.inject(pod());
        copy.withObject("/metadata/annotations")
                .put("kruise.io/sidecarset-working-hotupgrade-container", "{\"mesh\":\"mesh-2\",\"other\":\"other-2\"}")
                .put("version.sidecarset.kruise.io/mesh-2", "4711");

        JsonNode pod = injector.inject(copy);

        assertThat(annotation(pod, "kruise.io/sidecarset-working-hotupgrade-container"))
                .isEqualTo("{\"mesh\":\"mesh-1\",\"other\":\"other-2\"}");
        assertThat(annotation(pod, "version.sidecarset.kruise.io/mesh-2")).isEqualTo("0");
    }

    private static ObjectNode pod() {
        return Injector.pod("metadata: {labels: {app: web}}\n"
                + "spec: {containers: [{name: shop, image: i, env: [{name: AREA, value: west}]}]}");
    }
}
