package io.busbar.sandbox.model;

import static io.busbar.sandbox.Json.json;
import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.apply.ApplyOptions;
import io.busbar.sandbox.apply.ApplyResult;
import io.busbar.sandbox.apply.FieldFilter;
import io.busbar.sandbox.apply.ManagedFields;
import io.busbar.sandbox.apply.ServerSideApply;
import io.busbar.sandbox.apply.Versions;
import io.busbar.sandbox.kinds.Rooms;
import io.busbar.sandbox.patch.MergeKeys;
import io.busbar.sandbox.patch.StrategicMergePatch;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Field sets as a real server wrote them. */
class ModelTopologyTest {

    private static final MergeKeys PODS =
            ModelType.of(new ResourceType("", "v1", "Pod", "pods", true)).mergeKeys();
    private static final Versions DEPLOYMENTS = Versions.same(
            ModelType.of(new ResourceType("apps", "v1", "Deployment", "deployments", true))
                    .topology(),
            FieldFilter.NONE);
    private static final ObjectNode DEPLOYMENT = object("""
            {apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name: 'd', labels: {a: 'b'}}, spec: {replicas: 0,
              selector: {matchLabels: {a: 'b'}}, template: {metadata: {labels: {a: 'b'}}, spec: {containers: [
                {name: 'c', image: 'x', env: [{name: 'E', value: '1'}], resources: {limits: {cpu: '1'}},
                 ports: [{containerPort: 80}]}]}}}}""");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {containers: [{name: 'b', image: 'y'}]}   | {containers: [{name: 'a', image: 'x', ports: [{containerPort: 80}]}, {name: 'b', image: 'y'}], tolerations: [{key: 'a'}]}
                    {containers: [{name: 'c', image: 'z'}]}   | {containers: [{name: 'c', image: 'z'}, {name: 'a', image: 'x', ports: [{containerPort: 80}]}, {name: 'b', image: 'x'}], tolerations: [{key: 'a'}]}
                    {containers: [{name: 'a', ports: [{containerPort: 80, name: 'http'}]}]} | {containers: [{name: 'a', image: 'x', ports: [{containerPort: 80, name: 'http'}]}, {name: 'b', image: 'x'}], tolerations: [{key: 'a'}]}
                    {tolerations: [{key: 'b'}]}               | {containers: [{name: 'a', image: 'x', ports: [{containerPort: 80}]}, {name: 'b', image: 'x'}], tolerations: [{key: 'b'}]}
                    {containers: [{$patch: 'delete', name: 'a'}]} | {containers: [{name: 'b', image: 'x'}], tolerations: [{key: 'a'}]}
                    """)
    void strategic_patches_merge_the_lists_of_a_pod(String patch, String result) {
        ObjectNode pod = object(
                "{spec: {containers: [{name: 'a', image: 'x', ports: [{containerPort: 80}]}, {name: 'b', image: 'x'}], tolerations: [{key: 'a'}]}}");

        ObjectNode patched = StrategicMergePatch.apply(pod, object("{spec: " + patch + "}"), PODS);

        assertThat(patched.get("spec")).isEqualTo(json(result));
    }

    @Test
    void strategic_patches_replace_the_selector_of_a_budget() {
        MergeKeys budgets = ModelType.of(
                        new ResourceType("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", true))
                .mergeKeys();

        ObjectNode patched = StrategicMergePatch.apply(
                object("{spec: {minAvailable: 1, selector: {matchLabels: {a: 'x', b: 'y'}}}}"),
                object("{spec: {selector: {matchLabels: {a: 'z'}}}}"),
                budgets);

        assertThat(patched).isEqualTo(json("{spec: {minAvailable: 1, selector: {matchLabels: {a: 'z'}}}}"));
    }

    @Test
    void strategic_patches_merge_finalizers_and_conditions() {
        ObjectNode pod =
                object("{metadata: {finalizers: ['a/a']}, status: {conditions: [{type: 'Ready', status: 'True'}]}}");

        ObjectNode patched = StrategicMergePatch.apply(
                pod,
                object("{metadata: {finalizers: ['b/b']}, status: {conditions: [{type: 'Ready', status: 'False'}]}}"),
                PODS);

        assertThat(patched)
                .isEqualTo(
                        json(
                                "{metadata: {finalizers: ['b/b', 'a/a']}, status: {conditions: [{type: 'Ready', status: 'False'}]}}"));
    }

    @Test
    void a_creation_owns_all_but_what_the_type_holds_anyway() {
        ObjectNode created = ManagedFields.update(
                null,
                Rooms.decode("apps", "Deployment", DEPLOYMENT),
                new ApplyOptions("curl", false, "", "apps/v1", Instant.EPOCH),
                DEPLOYMENTS);

        assertThat(created.at("/metadata/managedFields/0/fieldsV1")).isEqualTo(json("""
                        {'f:metadata': {'f:labels': {'.': {}, 'f:a': {}}}, 'f:spec': {'f:progressDeadlineSeconds': {}, 'f:replicas': {},
                         'f:revisionHistoryLimit': {}, 'f:selector': {}, 'f:strategy': {'f:rollingUpdate': {'.': {}, 'f:maxSurge': {},
                         'f:maxUnavailable': {}}, 'f:type': {}}, 'f:template': {'f:metadata': {'f:labels': {'.': {}, 'f:a': {}}},
                         'f:spec': {'f:containers': {'k:{"name":"c"}': {'.': {}, 'f:env': {'.': {}, 'k:{"name":"E"}': {'.': {},
                         'f:name': {}, 'f:value': {}}}, 'f:image': {}, 'f:imagePullPolicy': {}, 'f:name': {}, 'f:ports': {'.': {},
                         'k:{"containerPort":80,"protocol":"TCP"}': {'.': {}, 'f:containerPort': {}, 'f:protocol': {}}},
                         'f:resources': {'.': {}, 'f:limits': {'.': {}, 'f:cpu': {}}}, 'f:terminationMessagePath': {},
                         'f:terminationMessagePolicy': {}}}, 'f:dnsPolicy': {}, 'f:restartPolicy': {}, 'f:schedulerName': {},
                         'f:securityContext': {}, 'f:terminationGracePeriodSeconds': {}}}}}"""));
    }

    @Test
    void an_apply_owns_what_it_names() {
        ApplyResult result = ServerSideApply.apply(
                null, DEPLOYMENT, new ApplyOptions("m1", false, "", "apps/v1", Instant.EPOCH), DEPLOYMENTS);

        assertThat(((ApplyResult.Applied) result).object().at("/metadata/managedFields/0/fieldsV1"))
                .isEqualTo(json("""
                        {'f:metadata': {'f:labels': {'f:a': {}}}, 'f:spec': {'f:replicas': {}, 'f:selector': {}, 'f:template':
                         {'f:metadata': {'f:labels': {'f:a': {}}}, 'f:spec': {'f:containers': {'k:{"name":"c"}': {'.': {}, 'f:env':
                         {'k:{"name":"E"}': {'.': {}, 'f:name': {}, 'f:value': {}}}, 'f:image': {}, 'f:name': {}, 'f:ports':
                         {'k:{"containerPort":80,"protocol":"TCP"}': {'.': {}, 'f:containerPort': {}}}, 'f:resources': {'f:limits':
                         {'f:cpu': {}}}}}}}}}"""));
    }

    @Test
    void an_apply_finds_the_port_that_a_client_wrote_without_its_protocol() {
        ObjectNode live = Rooms.decode("apps", "Deployment", DEPLOYMENT);

        ApplyResult result = ServerSideApply.apply(
                live, DEPLOYMENT, new ApplyOptions("m1", true, "", "apps/v1", Instant.EPOCH), DEPLOYMENTS);

        assertThat(((ApplyResult.Applied) result).object().at("/spec/template/spec/containers/0/ports"))
                .isEqualTo(json("[{containerPort: 80, protocol: 'TCP'}]"));
    }
}
