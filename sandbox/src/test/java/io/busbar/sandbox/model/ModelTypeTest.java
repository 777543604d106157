package io.busbar.sandbox.model;

import static io.busbar.sandbox.Json.json;
import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelTypeTest {

    private static final ModelType POD = ModelType.of(new ResourceType("", "v1", "Pod", "pods", true));

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {spec: {containers: 5}}                  | json: cannot unmarshal number into Go struct field PodSpec.spec.containers of type []v1.Container
            {spec: {containers: [{name: 5}]}}        | json: cannot unmarshal number into Go struct field Container.spec.containers.name of type string
            {spec: {nodeSelector: 'x'}}              | json: cannot unmarshal string into Go struct field PodSpec.spec.nodeSelector of type map[string]string
            {spec: {priority: 5000000000}}           | json: cannot unmarshal number 5000000000 into Go struct field PodSpec.spec.priority of type int32
            {spec: {hostNetwork: 'x', priority: ''}} | json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool
            {spec: {overhead: {cpu: 'lots'}}}        | quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
            {spec: {overhead: {cpu: '1ki'}}}         | unable to parse quantity's suffix
            {spec: {priority: ''}, metadata: {creationTimestamp: 'x'}} | parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"
            {metadata: {creationTimestamp: 5}}       | json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string
            {spec: {containers: [{livenessProbe: {httpGet: {port: true}}}]}} | json: cannot unmarshal bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.httpGet.port of type int32
            {spec: {volumes: [{configMap: {items: {}}}]}} | json: cannot unmarshal object into Go struct field ConfigMapVolumeSource.spec.volumes.configMap.items of type []v1.KeyToPath
            """)
    void a_value_of_a_wrong_type_is_told_of_in_words_of_go(String pod, String problem) {
        assertThat(POD.problem(object(pod))).isEqualTo(problem);
    }

    @ParameterizedTest
    @CsvSource({"YQ==,", "'',", "!!,0", "YQ,0", "YQ=a,2", "YQ==a,4", "Y=Q=,1", "YWI=,", "YWJj,"})
    void bytes_are_base64(String text, Integer place) {
        ModelType secret = ModelType.of(new ResourceType("", "v1", "Secret", "secrets", true));
        ObjectNode object = object("{}");
        object.putObject("data").put("k", text);

        assertThat(secret.problem(object))
                .isEqualTo(place == null ? null : "illegal base64 data at input byte " + place);
    }

    @Test
    void what_newer_releases_have_is_known_and_the_rest_is_named_by_its_place() {
        ObjectNode pod = object("""
                {kind: 'Pod', Kind: 'x', metadata: {lables: {}}, spec: {hostnameOverride: 'a', containers: [{name: 'a', imagee: 'x',
                  restartPolicyRules: [{action: 'Restart', exitCode: {}}]}], overhead: {x: 1}}}""");

        assertThat(POD.unknownFields(pod))
                .containsExactly(
                        "Kind",
                        "metadata.lables",
                        "spec.containers[0].imagee",
                        "spec.containers[0].restartPolicyRules[0].exitCode");
        POD.prune(pod);
        assertThat(POD.unknownFields(pod)).isEmpty();
        assertThat(pod.path("spec").path("hostnameOverride")).isEqualTo(json("'a'"));
    }

    @Test
    void nulls_in_lists_and_maps_are_zero_values() {
        ObjectNode pod = object("{spec: {containers: [null, {args: [null]}], nodeSelector: {a: null}}}");

        POD.fillNulls(pod);

        assertThat(pod).isEqualTo(json("{spec: {containers: [{}, {args: ['']}], nodeSelector: {a: ''}}}"));
    }
}
