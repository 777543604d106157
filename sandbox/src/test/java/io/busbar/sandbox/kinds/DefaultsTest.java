package io.busbar.sandbox.kinds;

import static io.busbar.sandbox.Json.json;
import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.kinds.pod.PodRules;
import io.busbar.sandbox.status.StatusException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a real server made of the same objects. */
class DefaultsTest {

    private static final String CONTAINER =
            "resources: {}, terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File'";
    private static final String POD =
            "restartPolicy: 'Always', terminationGracePeriodSeconds: 30, dnsPolicy: 'ClusterFirst',"
                    + " securityContext: {}, schedulerName: 'default-scheduler'";

    @Test
    void fills_in_a_minimal_pod() {
        ObjectNode pod = Rooms.decode("", "Pod", object("{spec: {containers: [{name: 'a', image: 'nginx'}]}}"));

        assertThat(pod)
                .isEqualTo(json("{spec: {containers: [{name: 'a', image: 'nginx', imagePullPolicy: 'Always', "
                        + CONTAINER + "}], " + POD + ", enableServiceLinks: true}}"));
    }

    @ParameterizedTest
    @CsvSource({
        "nginx, Always",
        "nginx:latest, Always",
        "nginx:1.19, IfNotPresent",
        "host:5000/x, Always",
        "host:5000/x:latest, Always",
        "host:5000/x:1, IfNotPresent",
        "nginx@sha256:abc, IfNotPresent"
    })
    void pulls_always_what_may_change_under_its_name(String image, String policy) {
        ObjectNode pod = Rooms.decode("", "Pod", object("{spec: {containers: [{image: '" + image + "'}]}}"));

        assertThat(pod.at("/spec/containers/0/imagePullPolicy").asText()).isEqualTo(policy);
    }

    @Test
    void fills_in_every_part_of_a_container() {
        ObjectNode pod = Rooms.decode("", "Pod", object("""
                        {spec: {hostNetwork: true, containers: [{name: 'a', image: 'x:1', env: [
                            {name: 'E', valueFrom: {fieldRef: {fieldPath: 'metadata.name'}}}, {name: 'E2', value: null},
                            {name: 'R', valueFrom: {resourceFieldRef: {resource: 'limits.cpu'}}}],
                          resources: {limits: {cpu: '1000m', memory: '1024Mi'}, requests: {memory: 1000000}},
                          ports: [{containerPort: 80}], livenessProbe: {httpGet: {port: 80}},
                          readinessProbe: {tcpSocket: {port: 'http'}, initialDelaySeconds: 5},
                          lifecycle: {preStop: {httpGet: {port: 80}}}}]}}"""));

        assertThat(pod.at("/spec/containers/0")).isEqualTo(json("""
                                {name: 'a', image: 'x:1', env: [
                                    {name: 'E', valueFrom: {fieldRef: {apiVersion: 'v1', fieldPath: 'metadata.name'}}}, {name: 'E2'},
                                    {name: 'R', valueFrom: {resourceFieldRef: {resource: 'limits.cpu', divisor: '0'}}}],
                                  resources: {limits: {cpu: '1', memory: '1Gi'}, requests: {memory: '1M', cpu: '1'}},
                                  ports: [{containerPort: 80, hostPort: 80, protocol: 'TCP'}],
                                  livenessProbe: {httpGet: {port: 80, path: '/', scheme: 'HTTP'}, timeoutSeconds: 1, periodSeconds: 10,
                                    successThreshold: 1, failureThreshold: 3},
                                  readinessProbe: {tcpSocket: {port: 'http'}, initialDelaySeconds: 5, timeoutSeconds: 1,
                                    periodSeconds: 10, successThreshold: 1, failureThreshold: 3},
                                  lifecycle: {preStop: {httpGet: {port: 80, path: '/', scheme: 'HTTP'}}},
                                  terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File',
                                  imagePullPolicy: 'IfNotPresent'}"""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {name: 'v'}                                       | {name: 'v', emptyDir: {}}
                    {name: 'v', secret: {secretName: 's'}}            | {name: 'v', secret: {secretName: 's', defaultMode: 420}}
                    {name: 'v', hostPath: {path: '/x'}}               | {name: 'v', hostPath: {path: '/x', type: ''}}
                    {name: 'v', emptyDir: {sizeLimit: '1024Ki'}}      | {name: 'v', emptyDir: {sizeLimit: '1Mi'}}
                    {name: 'v', projected: {sources: [{serviceAccountToken: {path: 'x'}}]}} | {name: 'v', projected: {defaultMode: 420, sources: [{serviceAccountToken: {path: 'x', expirationSeconds: 3600}}]}}
                    """)
    void fills_in_volumes(String volume, String result) {
        ObjectNode pod = Rooms.decode("", "Pod", object("{spec: {volumes: [" + volume + "]}}"));

        assertThat(pod.at("/spec/volumes/0")).isEqualTo(json(result));
    }

    @Test
    void fills_in_a_deployment_whose_template_has_fewer_defaults_than_a_pod() {
        ObjectNode deployment = Rooms.decode("apps", "Deployment", object("""
                        {spec: {selector: {matchLabels: {a: 'b'}}, template: {metadata: {labels: {a: 'b'}},
                          spec: {containers: [{name: 'c', image: 'x', resources: {limits: {cpu: 2}}}]}}}}"""));

        assertThat(deployment.get("spec"))
                .isEqualTo(json(
                        "{replicas: 1, selector: {matchLabels: {a: 'b'}}, template: {metadata: {labels: {a: 'b'}}, spec: {"
                                + POD + ", containers: [{name: 'c', image: 'x', imagePullPolicy: 'Always',"
                                + " resources: {limits: {cpu: '2'}}, terminationMessagePath: '/dev/termination-log',"
                                + " terminationMessagePolicy: 'File'}]}}, strategy: {type: 'RollingUpdate',"
                                + " rollingUpdate: {maxUnavailable: '25%', maxSurge: '25%'}}, revisionHistoryLimit: 10,"
                                + " progressDeadlineSeconds: 600}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    ``     | Service     | {spec: {ports: [{port: 80}]}}   | {spec: {ports: [{port: 80, protocol: 'TCP', targetPort: 80}], type: 'ClusterIP', sessionAffinity: 'None', internalTrafficPolicy: 'Cluster'}}
                    ``     | Service     | {spec: {clusterIP: 'None'}}      | {spec: {clusterIP: 'None', clusterIPs: ['None'], type: 'ClusterIP', sessionAffinity: 'None', internalTrafficPolicy: 'Cluster'}}
                    ``     | Secret      | {stringData: {a: 'b'}}           | {type: 'Opaque', data: {a: 'Yg=='}}
                    ``     | ConfigMap   | {data: {}, metadata: {labels: {}, name: null}} | {metadata: {}}
                    ``     | PersistentVolumeClaim | {spec: {resources: {requests: {storage: '1024Mi'}}}} | {spec: {resources: {requests: {storage: '1Gi'}}, volumeMode: 'Filesystem'}}
                    apps   | StatefulSet | {spec: {template: {spec: {}}}} | {spec: {replicas: 1, podManagementPolicy: 'OrderedReady', revisionHistoryLimit: 10, persistentVolumeClaimRetentionPolicy: {whenDeleted: 'Retain', whenScaled: 'Retain'}, updateStrategy: {type: 'RollingUpdate', rollingUpdate: {partition: 0}}, template: {metadata: {}, spec: {restartPolicy: 'Always', terminationGracePeriodSeconds: 30, dnsPolicy: 'ClusterFirst', securityContext: {}, schedulerName: 'default-scheduler'}}}}
                    rbac.authorization.k8s.io | RoleBinding | {roleRef: {name: 'x'}, subjects: [{kind: 'User'}, {kind: 'ServiceAccount'}]} | {roleRef: {name: 'x', apiGroup: 'rbac.authorization.k8s.io'}, subjects: [{kind: 'User', apiGroup: 'rbac.authorization.k8s.io'}, {kind: 'ServiceAccount'}]}
                    networking.k8s.io | NetworkPolicy | {spec: {podSelector: {}, ingress: [{ports: [{port: 80}]}]}} | {spec: {podSelector: {}, ingress: [{ports: [{port: 80, protocol: 'TCP'}]}], policyTypes: ['Ingress']}}
                    """)
    void fills_in_other_kinds(String group, String kind, String object, String result) {
        ObjectNode decoded = Rooms.decode(group, kind, object(object));

        assertThat(decoded).isEqualTo(json(result));
        assertThat(Rooms.decode(group, kind, decoded)).isEqualTo(decoded);
    }

    @Test
    void refuses_what_cannot_be_decoded() {
        assertThatThrownBy(() -> Rooms.decode(
                        "",
                        "Pod",
                        object("{apiVersion: 'v1', spec: {containers: [{resources: {limits: {cpu: 'abc'}}}]}}")))
                .isInstanceOf(StatusException.class)
                .hasMessage(
                        "Pod in version \"v1\" cannot be handled as a Pod: quantities must match the regular expression"
                                + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
        assertThatThrownBy(() -> Rooms.decode("", "Pod", object("{apiVersion: 'v1', metadata: {labels: {a: 1}}}")))
                .hasMessage("Pod in version \"v1\" cannot be handled as a Pod: json: cannot unmarshal number"
                        + " into Go struct field ObjectMeta.metadata.labels of type string");
    }

    @Test
    void tells_the_quality_of_service() {
        assertThat(PodRules.qualityOfService(json("{containers: [{}]}"))).isEqualTo("BestEffort");
        assertThat(PodRules.qualityOfService(json("{containers: [{resources: {requests: {cpu: '1'}}}]}")))
                .isEqualTo("Burstable");
        assertThat(
                        PodRules.qualityOfService(
                                json(
                                        "{containers: [{resources: {limits: {cpu: '1', memory: '1Gi'}, requests: {cpu: '1', memory: '1Gi'}}}]}")))
                .isEqualTo("Guaranteed");
    }
}
