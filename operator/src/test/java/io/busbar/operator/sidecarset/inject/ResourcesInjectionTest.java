package io.busbar.operator.sidecarset.inject;

import static io.busbar.operator.sidecarset.inject.Injector.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.admission.AdmissionDecision;
import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourcesInjectionTest {

    private static final String TWO_CONTAINERS = """
            metadata: {labels: {app: web}}
            spec:
              containers:
              - {name: shop, image: i, resources: {limits: {cpu: 200m, memory: 512Mi}, requests: {cpu: 100m, memory: 256Mi}}}
              - {name: till, image: i, resources: {limits: {cpu: 400m, memory: 256Mi}, requests: {memory: 128Mi}}}
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sum | {limits: {cpu: cpu*50%}}                                | {"limits":{"cpu":"300m"}}
            max | {limits: {cpu: cpu*50%}}                                | {"limits":{"cpu":"200m"}}
            sum | {limits: {memory: 'max(memory*25%+68Mi,200Mi)'}}        | {"limits":{"memory":"260Mi"}}
            max | {requests: {memory: memory, cpu: 'min(cpu, 1)'}}        | {"requests":{"cpu":"400m","memory":"256Mi"}}
            sum | {requests: {cpu: 2, memory: 1.5}}                       | {"requests":{"cpu":"2","memory":"1"}}
            sum | {limits: {cpu: ''}, requests: {cpu: cpu+10m}}           | {"requests":{"cpu":"510m"}}
            """)
    void works_resources_out_from_those_of_the_pods_containers(String mode, String expressions, String expected) {
        assertThat(gauge(mode, ".*", expressions, TWO_CONTAINERS)).isEqualTo(json(expected));
    }

    @Test
    void leaves_a_limit_out_when_one_container_has_none() {
        String unlimited = TWO_CONTAINERS + "  - {name: free, image: i, resources: {limits: {memory: 1Gi}}}\n";

        assertThat(gauge("sum", ".*", "{limits: {cpu: cpu, memory: memory}}", unlimited))
                .isEqualTo(json("{\"limits\":{\"memory\":\"1792Mi\"}}"));
    }

    @Test
    void takes_the_spelling_of_what_is_added_to_nothing() {
        String bare = "metadata: {labels: {app: web}}\nspec: {containers: [{name: shop, image: i}]}";

        assertThat(gauge("sum", ".*", "{requests: {cpu: cpu, memory: memory*50%+32Mi}}", bare))
                .isEqualTo(json("{\"requests\":{\"cpu\":\"0\",\"memory\":\"32Mi\"}}"));
    }

    @Test
    void counts_only_what_the_expression_names_and_native_sidecars_but_nothing_that_is_injected() {
        String pod = TWO_CONTAINERS + """
                  initContainers:
                  - {name: till-proxy, image: i, restartPolicy: Always, resources: {requests: {cpu: 1}}}
                  - {name: till-setup, image: i, resources: {requests: {cpu: 8}}}
                  - {name: till-mesh, image: i, restartPolicy: Always, env: [{name: IS_INJECTED, value: "true"}], resources: {requests: {cpu: 16}}}
                """;

        JsonNode once = Injector.with(set("sum", "^(till|tank)", "{requests: {cpu: cpu}}"))
                .inject(Injector.pod(pod));

        assertThat(once.at("/spec/containers/0/resources/requests/cpu").asText())
                .isEqualTo("1400m");
    }

    @Test
    void comes_to_the_same_for_a_pod_that_is_injected_already() {
        Injector injector = Injector.with(set("sum", ".*", "{limits: {cpu: cpu*2}, requests: {memory: memory}}"));
        var pod = injector.inject(Injector.pod(TWO_CONTAINERS));

        assertThat(injector.review(PodReview.creating(pod))).isEqualTo(AdmissionDecision.allowed());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ^none$ | {limits: {cpu: cpu}}        | no containers match the regex pattern "^none$"
            .*     | {requests: {cpu: 1-cpu*8}}  | calculation result is negative
            .*     | {requests: {cpu: cpu*cpu}}  | multiplication of two quantities
            """)
    void refuses_a_pod_that_it_has_no_result_for_and_names_set_and_container(
            String regex, String expressions, String reason) {
        AdmissionDecision decision =
                Injector.with(set("sum", regex, expressions)).review(PodReview.creating(Injector.pod(TWO_CONTAINERS)));

        assertThat(decision)
                .isInstanceOfSatisfying(
                        AdmissionDecision.Denied.class,
                        denied -> assertThat(denied.message())
                                .startsWith("SidecarSet meters cannot be injected: resources of container gauge: ")
                                .contains(reason));
    }

    private static JsonNode gauge(String mode, String regex, String expressions, String pod) {
        return Injector.with(set(mode, regex, expressions))
                .inject(Injector.pod(pod))
                .at("/spec/containers/0/resources");
    }

    private static SidecarSet set(String mode, String regex, String expressions) {
        return Yaml.set("meters", """
                selector: {matchLabels: {app: web}}
                containers:
                - name: gauge
                  image: i
                  resourcesPolicy:
                    targetContainersMode: %s
                    targetContainersNameRegex: %s
                    resourcesExpr: %s
                - {name: tank, image: i, resources: {limits: {cpu: 4}}}
                """.formatted(mode, regex, expressions));
    }
}
