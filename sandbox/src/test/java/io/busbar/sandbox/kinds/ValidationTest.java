package io.busbar.sandbox.kinds;

import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.metadata.MetadataValidation;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a real server says to the same objects. */
class ValidationTest {

    private static final String LABEL =
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an"
                    + " alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is"
                    + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {}                                                    | spec.containers: Required value
                    {containers: [{}]}                                    | spec.containers[0].name: Required value; spec.containers[0].image: Required value
                    {containers: [{name: 'a', image: ' x'}]}              | spec.containers[0].image: Invalid value: " x": must not have leading or trailing whitespace
                    {containers: [{name: 'a', image: 'x'}, {name: 'a', image: 'x'}]} | spec.containers[1].name: Duplicate value: "a"
                    {initContainers: [{name: 'a', image: 'x'}], containers: [{name: 'a', image: 'x'}]} | spec.initContainers[0].name: Duplicate value: "a"
                    {containers: [{name: 'a', image: 'x', volumeMounts: [{name: 'v', mountPath: '/a'}]}]} | spec.containers[0].volumeMounts[0].name: Not found: "v"
                    {volumes: [{name: 'v'}, {name: 'v'}], containers: [{name: 'a', image: 'x', volumeMounts: [{name: 'v', mountPath: '/a'}, {name: 'v', mountPath: '/a'}, {name: 'v'}, {mountPath: '/q'}]}]} | spec.volumes[1].name: Duplicate value: "v"; spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/a": must be unique; spec.containers[0].volumeMounts[2].mountPath: Required value; spec.containers[0].volumeMounts[3].name: Required value; spec.containers[0].volumeMounts[3].name: Not found: ""
                    {restartPolicy: 'Foo', dnsPolicy: 'Bar', containers: [{name: 'a', image: 'x', imagePullPolicy: 'Q', terminationMessagePolicy: 'Z'}]} | spec.containers[0].terminationMessagePolicy: Unsupported value: "Z": supported values: "File", "FallbackToLogsOnError"; spec.containers[0].imagePullPolicy: Unsupported value: "Q": supported values: "Always", "IfNotPresent", "Never"; spec.restartPolicy: Unsupported value: "Foo": supported values: "Always", "OnFailure", "Never"; spec.dnsPolicy: Unsupported value: "Bar": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"
                    {containers: [{name: 'a', image: 'x', ports: [{containerPort: 0}, {containerPort: 70000, protocol: 'FOO'}, {containerPort: 80, name: 'http'}, {containerPort: 81, name: 'http'}]}]} | spec.containers[0].ports[0].containerPort: Required value; spec.containers[0].ports[1].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive; spec.containers[0].ports[1].protocol: Unsupported value: "FOO": supported values: "SCTP", "TCP", "UDP"; spec.containers[0].ports[3].name: Duplicate value: "http"
                    {containers: [{name: 'a', image: 'x', env: [{}, {name: 'ok', value: 'a', valueFrom: {fieldRef: {fieldPath: 'metadata.name'}}}, {name: 'b', valueFrom: {}}]}]} | spec.containers[0].env[0].name: Required value; spec.containers[0].env[1].valueFrom: Invalid value: "": may not be specified when `value` is not empty; spec.containers[0].env[2].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`
                    {containers: [{name: 'a', image: 'x', resources: {limits: {cpu: '1'}, requests: {cpu: '2', memory: '-1'}}}]} | spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1; spec.containers[0].resources.requests[memory]: Invalid value: "-1": must be greater than or equal to 0
                    {containers: [{name: 'a', image: 'x', livenessProbe: {}}, {name: 'b', image: 'x', readinessProbe: {successThreshold: 2, httpGet: {port: 1}, exec: {}}}]} | spec.containers[0].livenessProbe: Required value: must specify a handler type; spec.containers[1].readinessProbe.exec.command: Required value; spec.containers[1].readinessProbe.httpGet: Forbidden: may not specify more than 1 handler type
                    {containers: [{name: 'a', image: 'x', livenessProbe: {successThreshold: 2, exec: {command: ['a']}}, lifecycle: {preStop: {}}}]} | spec.containers[0].lifecycle.preStop: Required value: must specify a handler type; spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1
                    {activeDeadlineSeconds: 0, containers: [{name: 'a', image: 'x'}]} | spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive
                    {containers: [{name: 'a', image: 'x'}]}               | ``
                    """)
    void checks_a_pod(String spec, @Nullable String message) {
        ObjectNode pod = Rooms.decode("", "Pod", object("{metadata: {name: 'x'}, spec: " + spec + "}"));

        assertComplaints(Rooms.complaints("", "Pod", pod, null, ""), message);
    }

    @Test
    void checks_names_of_containers_and_volumes() {
        ObjectNode pod = Rooms.decode(
                "",
                "Pod",
                object(
                        "{metadata: {name: 'x'}, spec: {volumes: [{name: 'V_'}], containers: [{name: 'A', image: 'x'}]}}"));

        assertComplaints(
                Rooms.complaints("", "Pod", pod, null, ""),
                "spec.volumes[0].name: Invalid value: \"V_\": " + LABEL
                        + "; spec.containers[0].name: Invalid value: \"A\": " + LABEL);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {}                                  | metadata.name: Required value: name or generateName is required
                    {name: 'a', labels: {a: 'c d'}}     | metadata.labels: Invalid value: "c d": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')
                    {name: 'a', annotations: {Ab: 'x'}, finalizers: ['x']} | metadata.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified
                    {name: 'a', generation: -1}         | metadata.generation: Invalid value: -1: must be greater than or equal to 0
                    {name: 'a', ownerReferences: [{name: 'b'}]} | metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty; metadata.ownerReferences.kind: Invalid value: "": must not be empty; metadata.ownerReferences.uid: Invalid value: "": must not be empty
                    {name: 'a', finalizers: ['a/b', 'kubernetes'], labels: {'a.b/c': 'd'}, generateName: 'a-'} | ``
                    """)
    void checks_metadata(String metadata, @Nullable String message) {
        ObjectNode lease = object("{metadata: " + metadata + "}");
        assertComplaints(Rooms.complaints("coordination.k8s.io", "Lease", lease, null, ""), message);
    }

    @Test
    void lets_custom_resources_have_plain_finalizers() {
        ObjectNode custom = object("{metadata: {name: 'a', finalizers: ['x']}}");
        assertThat(MetadataValidation.of(custom, null)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {containers: [{name: 'a', image: 'y'}]}                          | ``
                    {containers: [{name: 'a', image: 'x'}], activeDeadlineSeconds: 5}| ``
                    {containers: [{name: 'a', image: 'x'}], tolerations: [{key: 'k', operator: 'Exists'}]} | ``
                    {containers: [{name: 'a', image: 'x'}, {name: 'b', image: 'x'}]} | spec.containers: Forbidden: pod updates may not add or remove containers
                    {containers: [{name: 'a', image: 'x', env: [{name: 'E'}]}]}      | spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)
                    {containers: [{name: 'a', image: 'x'}], nodeName: 'n'}           | spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)
                    """)
    void lets_little_of_a_pod_change(String spec, @Nullable String message) {
        ObjectNode before = Rooms.decode(
                "",
                "Pod",
                object(
                        "{metadata: {name: 'x'}, spec: {containers: [{name: 'a', image: 'x', imagePullPolicy: 'Never'}]}}"));
        ObjectNode after = Rooms.decode("", "Pod", object("{metadata: {name: 'x'}, spec: " + spec + "}"));
        after.at("/spec/containers").forEach(container -> ((ObjectNode) container).put("imagePullPolicy", "Never"));

        assertComplaints(Rooms.complaints("", "Pod", after, before, ""), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    selector: {matchLabels: {x: 'y'}}   | spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`; spec.selector: Invalid value: {"matchLabels":{"x":"y"}}: field is immutable
                    selector: {}                        | spec.selector: Invalid value: {}: empty selector is invalid for deployment; spec.selector: Invalid value: {}: field is immutable
                    selector: null                      | spec.selector: Required value; spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`; spec.selector: Invalid value: null: field is immutable
                    replicas: -1                        | spec.replicas: Invalid value: -1: must be greater than or equal to 0
                    strategy: {type: 'Recreate', rollingUpdate: {maxSurge: 1}} | spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'
                    strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0}} | spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0
                    replicas: 3                         | ``
                    """)
    void checks_a_deployment(String change, @Nullable String message) {
        String rest = ", template: {metadata: {labels: {a: 'b'}}, spec: {containers: [{name: 'c', image: 'x'}]}}}}";
        ObjectNode before = Rooms.decode(
                "apps",
                "Deployment",
                object("{metadata: {name: 'd'}, spec: {selector: {matchLabels: {a: 'b'}}" + rest));
        ObjectNode changed = before.deepCopy();
        ((ObjectNode) changed.get("spec")).setAll(object("{" + change + "}"));
        ObjectNode after = Rooms.decode("apps", "Deployment", changed);

        assertComplaints(Rooms.complaints("apps", "Deployment", after, before, ""), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    ConfigMap | {data: {'a b': 'c'}}                        | {}                                       | data[a b]: Invalid value: "a b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')
                    Secret    | {type: 'Opaque', immutable: true, data: {a: 'Yw=='}} | {type: 'Opaque', immutable: true, data: {a: 'Yg=='}} | data: Forbidden: field is immutable when `immutable` is set
                    Secret    | {type: 'foo'}                               | {type: 'Opaque'}                         | type: Invalid value: "foo": field is immutable
                    Secret    | {type: 'kubernetes.io/tls'}                 | {type: 'kubernetes.io/tls'}              | data[tls.crt]: Required value; data[tls.key]: Required value
                    Service   | {spec: {ports: [{port: 80}], clusterIP: '10.0.0.99'}} | {spec: {ports: [{port: 80}], clusterIP: '10.0.0.1'}} | spec.clusterIPs[0]: Invalid value: ["10.0.0.99"]: may not change once set
                    Service   | {spec: {}}                                  | {spec: {}}                               | spec.ports: Required value
                    """)
    void checks_other_kinds(String kind, String after, String before, String message) {
        ObjectNode now = Rooms.decode("", kind, object(after));
        ObjectNode old = Rooms.decode("", kind, object(before));
        now.putObject("metadata").put("name", "x");
        old.putObject("metadata").put("name", "x");

        assertComplaints(Rooms.complaints("", kind, now, old, ""), message);
    }

    @Test
    void keeps_identity_and_lets_no_finalizer_join_a_deletion() {
        ObjectNode before = object(
                "{metadata: {name: 'a', uid: 'u', generation: 2, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a/b']}}");
        ObjectNode after = object(
                "{metadata: {name: 'a', uid: 'v', generation: 1, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['c/d']}}");

        assertComplaints(
                Rooms.texts(MetadataValidation.of(after, before)),
                "metadata.uid: Invalid value: \"v\": field is immutable; metadata.generation: Invalid value: 1: must not"
                        + " be decremented; metadata.finalizers: Forbidden: no new finalizers can be added if the object is being"
                        + " deleted, found new finalizers []string{\"c/d\"}");
    }

    private static void assertComplaints(List<String> complaints, @Nullable String message) {
        assertThat(complaints.stream().distinct())
                .containsExactlyInAnyOrder(
                        message == null || message.isEmpty() ? new String[0] : message.split("; ", -1));
    }
}
