package io.busbar.sandbox.kinds;

import static io.busbar.sandbox.Json.json;
import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.resource.BuiltIn;
import io.busbar.sandbox.resource.Release;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.table.Tables;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What kubectl shows of built-in kinds. */
class ColumnsTest {

    private static final Tables TABLES = new Tables(InstantSource.fixed(Instant.parse("2026-01-01T01:00:00Z")));
    private static final List<Resource> RESOURCES = BuiltIn.resources(Rooms.KINDS, Release.of("v1.36.2"));

    @Test
    void every_kind_shows_an_object_that_says_nothing() {
        for (Resource resource : RESOURCES) {
            ObjectNode table = render(resource, object("{metadata: {name: 'a'}}"));

            assertThat(table.at("/rows/0/cells"))
                    .as(resource.toString())
                    .hasSameSizeAs(table.path("columnDefinitions"))
                    .contains(json("'a'"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    deployments | {spec: {replicas: 3, selector: {matchLabels: {a: 'b', c: 'd'}}, template: {spec: {containers: [{name: 'x', image: 'i:1'}, {name: 'y', image: 'j'}]}}}, status: {readyReplicas: 2}} | ['2/3', 0, 0, '60m', 'x,y', 'i:1,j', 'a=b,c=d']
                    pods        | {spec: {nodeName: 'n', containers: [{}, {}]}, status: {phase: 'Running', containerStatuses: [{ready: true, restartCount: 2, state: {running: {}}}, {restartCount: 1, state: {waiting: {reason: 'CrashLoopBackOff'}}}]}} | ['1/2', 'CrashLoopBackOff', 3, '60m', '<none>', 'n', '<none>', '<none>']
                    nodes       | {metadata: {labels: {'node-role.kubernetes.io/x': ''}}, spec: {unschedulable: true}, status: {conditions: [{type: 'Ready', status: 'True'}], addresses: [{type: 'Hostname', address: 'h'}, {type: 'InternalIP', address: '10.0.0.1'}]}} | ['Ready,SchedulingDisabled', 'x', '60m', '', '10.0.0.1', '<none>', '', '', '']
                    services    | {spec: {type: 'NodePort', clusterIP: '10.0.0.1', selector: {a: 'b'}, ports: [{port: 80, nodePort: 30000, protocol: 'TCP'}, {port: 53, protocol: 'UDP'}]}} | ['NodePort', '10.0.0.1', '<none>', '80:30000/TCP,53/UDP', '60m', 'a=b']
                    configmaps  | {data: {a: 'b'}, binaryData: {c: 'd', e: 'f'}} | [3, '60m']
                    cronjobs    | {spec: {schedule: '* * * * *', suspend: true}, status: {active: [{}, {}], lastScheduleTime: '2026-01-01T00:59:50Z'}} | ['* * * * *', true, 2, '10s', '60m']
                    persistentvolumes | {spec: {accessModes: ['ReadOnlyMany'], claimRef: {namespace: 'n', name: 'c'}}, status: {phase: 'Bound'}} | ['', 'ROX', '', 'Bound', 'n/c', '', '', '60m', '']
                    endpointslices | {addressType: 'IPv4', ports: [{port: 1}, {port: 2}, {port: 3}, {port: 4}]} | ['IPv4', '1,2,3 + 1 more...', '<unset>', '60m']
                    poddisruptionbudgets | {spec: {minAvailable: 1}, status: {disruptionsAllowed: 2}} | ['1', 'N/A', 2, '60m']
                    validatingadmissionpolicies | {spec: {validations: [{}], paramKind: {apiVersion: 'v1', kind: 'ConfigMap'}}} | [1, 'v1/ConfigMap', '60m']
                    mutatingadmissionpolicies | {spec: {mutations: []}} | [0, '<unset>', '60m']
                    """)
    void shows_what_a_kind_has_to_tell(String plural, String said, String cells) {
        ObjectNode object = object(said);
        object.withObject("/metadata").put("name", "a").put("creationTimestamp", "2026-01-01T00:00:00Z");
        Resource resource = RESOURCES.stream()
                .filter(each -> each.type().plural().equals(plural))
                .findFirst()
                .orElseThrow();

        ObjectNode row = (ObjectNode) render(resource, object).at("/rows/0");
        row.withArray("cells").remove(0);

        assertThat(row.path("cells")).hasToString(json(cells).toString());
    }

    private static ObjectNode render(Resource resource, ObjectNode object) {
        return TABLES.render(
                resource.rules().columns(), List.of(object), object("{resourceVersion: '1'}"), "None", true);
    }
}
