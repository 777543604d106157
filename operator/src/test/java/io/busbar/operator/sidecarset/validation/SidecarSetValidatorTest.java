package io.busbar.operator.sidecarset.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.FieldProblem;
import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.defaulting.SidecarSetDefaulter;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SidecarSetValidatorTest {

    private static final String SELECTOR = "selector: {matchLabels: {app: shop}}\n";
    private static final String CONTAINER = "containers: [{name: agent, image: \"a:1\"}]\n";

    /** No rule reads the request. */
    private static final AdmissionRequest NO_REQUEST = null;

    private final StoredSets stored = new StoredSets();
    private final SidecarSetValidator validator = new SidecarSetValidator(
            stored,
            (set, wanted) ->
                    "known".equals(wanted.revisionName()) ? Optional.of(new ControllerRevision()) : Optional.empty(),
            new PodMetadataWhitelist(Optional::empty, true));

    @Test
    void accepts_a_set_with_everything() {
        assertThat(problems("""
                        selector: {matchExpressions: [{key: app, operator: In, values: [a, b]}, {key: x, operator: DoesNotExist}]}
                        namespaceSelector: {matchLabels: {team: harbor}}
                        volumes: [{name: data, emptyDir: {sizeLimit: 1Gi}}, {name: disk, persistentVolumeClaim: {claimName: d}}]
                        containers:
                        - name: agent
                          image: depot/agent
                          podInjectPolicy: AfterAppContainer
                          ports: [{name: http, containerPort: 80, hostPort: 8080}]
                          env: [{name: A.b-c_D, value: x}, {name: N, valueFrom: {fieldRef: {fieldPath: "metadata.labels['a/b']"}}},
                            {name: C, valueFrom: {configMapKeyRef: {name: m, key: k}}}]
                          envFrom: [{prefix: P_, secretRef: {name: s}}]
                          volumeMounts: [{name: data, mountPath: /data, subPath: a/b}]
                          volumeDevices: [{name: disk, devicePath: /dev/x}]
                          livenessProbe: {httpGet: {port: http, httpHeaders: [{name: X-A, value: v}]}}
                          readinessProbe: {grpc: {port: 9000}}
                          startupProbe: {exec: {command: [ok]}, successThreshold: 1}
                          lifecycle: {preStop: {sleep: {seconds: 1}}}
                          resources: {limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 500m}}
                          securityContext: {runAsUser: 0, seccompProfile: {type: RuntimeDefault}}
                          transferEnv: [{sourceContainerNameFrom: {fieldRef: {fieldPath: "metadata.annotations['Main']"}}, envName: A}]
                        initContainers: [{name: gate, image: "g:1", volumeMounts: [{name: data, mountPath: /data}]}]
                        updateStrategy: {partition: 10%, maxUnavailable: 150%, scatterStrategy: [{key: a, value: "1"}, {key: a, value: "2"}],
                          priorityStrategy: {weightPriority: [{weight: 100, matchSelector: {matchLabels: {a: b}}}]}}
                        injectionStrategy: {revision: {revisionName: known}}
                        patchPodMetadata: [{annotations: {Example.com/Key: v}}, {annotations: {other: v}, patchPolicy: Overwrite}]
                        """)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            revisionHistoryLimit: 1                       | spec.selector: Required value: no selector defined for SidecarSet
            selector: {}                                  | spec.selector: Invalid value: "{}": empty selector is not valid for sidecarset.
            selector: {matchLabels: {"-a": b}}            | spec.selector.matchLabels: Invalid value: "-a": name part must consist of
            selector: {matchLabels: {a: "-"}}             | spec.selector.matchLabels[a]: Invalid value: "-": a valid label must
            selector: {matchExpressions: [{key: a, operator: In}]} | spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'
            selector: {matchExpressions: [{key: a, operator: Exists, values: [b]}]} | spec.selector.matchExpressions[0].values: Forbidden
            selector: {matchExpressions: [{key: a, operator: Near}]} | spec.selector.matchExpressions[0].operator: Invalid value: "Near"
            """)
    void refuses_selectors(String spec, String problem) {
        assertThat(problems(spec + "\n" + CONTAINER)).singleElement().asString().startsWith(problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            namespaceSelector: {matchLabels: {}}          | spec.namespaceSelector: Invalid value: "{}": empty selector is not valid for sidecarset.
            revisionHistoryLimit: -1                      | spec.revisionHistoryLimit: Invalid value: "-1": must be greater than or equal to 0
            updateStrategy: {type: Sometimes}             | spec.updateStrategy.type: Unsupported value: "Sometimes"
            updateStrategy: {partition: 2, selector: {matchLabels: {a: b}}} | spec.updateStrategy: Forbidden: Partition and Selector cannot be used together
            updateStrategy: {selector: {}}                | spec.updateStrategy.selector: Invalid value: "{}": empty selector is not valid for sidecarset.
            updateStrategy: {maxUnavailable: -1}          | spec.updateStrategy.maxUnavailable: Invalid value: "-1": must be greater than or equal to 0
            updateStrategy: {partition: ten}              | spec.updateStrategy.partition: Invalid value: "ten": a valid percent string
            updateStrategy: {scatterStrategy: [{key: "", value: x}]} | spec.updateStrategy.scatterStrategy[0].key: Required value: key should not be empty
            updateStrategy: {scatterStrategy: [{key: a, value: x}, {key: a, value: x}]} | spec.updateStrategy.scatterStrategy[1]: Invalid value: "a=x": duplicated key=a value=x
            updateStrategy: {priorityStrategy: {orderPriority: [{orderedKey: ""}]}} | spec.updateStrategy.priorityStrategy.orderPriority[0].orderedKey: Required value
            updateStrategy: {priorityStrategy: {orderPriority: [{orderedKey: a}], weightPriority: [{weight: 1, matchSelector: {matchLabels: {a: b}}}]}} | spec.updateStrategy.priorityStrategy: Forbidden: only one of weightPriority and orderPriority can be used
            updateStrategy: {priorityStrategy: {weightPriority: [{weight: 101, matchSelector: {matchLabels: {a: b}}}]}} | spec.updateStrategy.priorityStrategy.weightPriority[0].weight: Invalid value: "101": weight must be valid number in the range 1-100
            updateStrategy: {priorityStrategy: {weightPriority: [{weight: 1, matchSelector: {}}]}} | spec.updateStrategy.priorityStrategy.weightPriority[0].matchSelector: Invalid value: "{}"
            injectionStrategy: {revision: {}}             | spec.injectionStrategy.revision: Required value: revisionName and customVersion cannot be empty simultaneously
            injectionStrategy: {revision: {revisionName: gone}} | spec.injectionStrategy.revision.revisionName: Invalid value: "gone": Cannot find specific ControllerRevision
            injectionStrategy: {revision: {revisionName: known, policy: Never}} | spec.injectionStrategy.revision.policy: Unsupported value: "Never"
            patchPodMetadata: [{patchPolicy: Retain}]     | spec.patchPodMetadata[0].annotations: Required value: no annotations defined for SidecarSet
            patchPodMetadata: [{annotations: {k: v}}, {annotations: {k: w}}] | spec.patchPodMetadata[1].annotations: Invalid value: "k": patch annotation[k] already exist
            patchPodMetadata: [{annotations: {k: v}, patchPolicy: Sometimes}] | spec.patchPodMetadata[0].patchPolicy: Unsupported value: "Sometimes"
            patchPodMetadata: [{annotations: {"/k": v}}]  | spec.patchPodMetadata[0].annotations: Invalid value: "/k": prefix part must be non-empty
            volumes: [{name: Vol, emptyDir: {}}]          | spec.volumes[0].name: Invalid value: "Vol"
            volumes: [{name: v, emptyDir: {}}, {name: v, emptyDir: {}}] | spec.volumes[1].name: Duplicate value: "v"
            volumes: [{name: v, emptyDir: {}, hostPath: {path: /a}}] | spec.volumes[0]: Forbidden: may not specify more than 1 volume type
            volumes: [{name: v, hostPath: {path: /a/../b}}] | spec.volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain '..'
            volumes: [{name: v, emptyDir: {sizeLimit: much}}] | spec.volumes[0].emptyDir.sizeLimit: Invalid value: "much"
            volumes: [{name: v, secret: {defaultMode: 512}}] | spec.volumes[0].secret.secretName: Required value
            """)
    void refuses_the_rest_of_a_spec(String spec, String problem) {
        assertThat(problems(SELECTOR + CONTAINER + spec)).first().asString().startsWith(problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            name: Bad_Name                                | name: Invalid value: "Bad_Name": a lowercase RFC 1123 label
            image: ""                                     | image: Required value
            image: " a"                                   | image: Invalid value: " a": must not have leading
            imagePullPolicy: Seldom                       | imagePullPolicy: Unsupported value: "Seldom": supported values: "Always", "IfNotPresent", "Never"
            terminationMessagePolicy: Seldom              | terminationMessagePolicy: Unsupported value: "Seldom"
            podInjectPolicy: Around                       | podInjectPolicy: Invalid value: "Around": unsupported pod inject policy
            shareVolumePolicy: {type: maybe}              | shareVolumePolicy.type: Invalid value: "maybe": unsupported share volume policy
            shareVolumeDevicePolicy: {type: maybe}        | shareVolumeDevicePolicy.type: Invalid value: "maybe": unsupported share volume policy
            upgradeStrategy: {upgradeType: HotUpgrade}    | upgradeStrategy.hotUpgradeEmptyImage: Required value
            upgradeStrategy: {upgradeType: Warm}          | upgradeStrategy.upgradeType: Unsupported value: "Warm"
            ports: [{containerPort: 70000}]               | ports[0].containerPort: Invalid value: "70000": must be between 1 and 65535, inclusive
            ports: [{name: p}]                            | ports[0].containerPort: Invalid value: "0": must be between
            ports: [{containerPort: 1, name: a--b}]       | ports[0].name: Invalid value: "a--b": must not contain consecutive hyphens
            ports: [{containerPort: 1, name: p}, {containerPort: 2, name: p}] | ports[1].name: Duplicate value: "p"
            ports: [{containerPort: 1, hostPort: 9}, {containerPort: 2, hostPort: 9}] | ports[1].hostPort: Duplicate value: "9"
            ports: [{containerPort: 1, protocol: IP}]     | ports[0].protocol: Unsupported value: "IP"
            env: [{name: 1A}]                             | env[0].name: Invalid value: "1A": a valid environment variable name
            env: [{value: x}]                             | env[0].name: Required value
            env: [{name: A, valueFrom: {}}]               | env[0].valueFrom: Invalid value: must specify one of
            env: [{name: A, value: x, valueFrom: {secretKeyRef: {name: s, key: k}}}] | env[0].valueFrom: Invalid value: may not be specified when `value` is not empty
            env: [{name: A, valueFrom: {fieldRef: {fieldPath: spec.tolerations}}}] | env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.tolerations"
            env: [{name: A, valueFrom: {secretKeyRef: {name: s}}}] | env[0].valueFrom.secretKeyRef.key: Required value
            env: [{name: A, valueFrom: {resourceFieldRef: {resource: limits.disk}}}] | env[0].valueFrom.resourceFieldRef.resource: Invalid value: "limits.disk"
            envFrom: [{prefix: P}]                        | envFrom[0]: Invalid value: must specify one of: `configMapRef` or `secretRef`
            volumeMounts: [{name: nowhere, mountPath: /x}] | volumeMounts[0].name: Not found: "nowhere"
            volumeMounts: [{name: v}]                     | volumeMounts[0].mountPath: Required value
            volumeMounts: [{name: v, mountPath: /x}, {name: v, mountPath: /x}] | volumeMounts[1].mountPath: Invalid value: "/x": must be unique
            volumeMounts: [{name: v, mountPath: /x, subPath: /abs}] | volumeMounts[0].subPath: Invalid value: "/abs": must be a relative path
            volumeMounts: [{name: v, mountPath: /x, subPath: a, subPathExpr: b}] | volumeMounts[0].subPathExpr: Invalid value: "b": subPathExpr and subPath are mutually exclusive
            volumeMounts: [{name: v, mountPath: /x, mountPropagation: Bidirectional}] | volumeMounts[0].mountPropagation: Forbidden
            volumeDevices: [{name: v, devicePath: /dev/x}] | volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim
            livenessProbe: {}                             | livenessProbe: Required value: must specify a handler type
            livenessProbe: {exec: {command: [a]}, tcpSocket: {port: 1}} | livenessProbe: Forbidden: may not specify more than 1 handler type
            livenessProbe: {exec: {command: [a]}, successThreshold: 2} | livenessProbe.successThreshold: Invalid value: "2": must be 1
            livenessProbe: {httpGet: {port: 0}}           | livenessProbe.httpGet.port: Invalid value: "0": must be between 1 and 65535
            livenessProbe: {httpGet: {port: Http}}        | livenessProbe.httpGet.port: Invalid value: "Http"
            readinessProbe: {exec: {}}                    | readinessProbe.exec.command: Required value
            readinessProbe: {exec: {command: [a]}, terminationGracePeriodSeconds: 1} | readinessProbe.terminationGracePeriodSeconds: Invalid value: "1": must not be set
            startupProbe: {httpGet: {port: 80}}           | startupProbe.httpGet.path: Required value
            lifecycle: {preStop: {}}                      | lifecycle.preStop: Required value: must specify a handler type
            resources: {limits: {cpu: some}}              | resources.limits[cpu]: Invalid value: "some": quantities must match
            resources: {limits: {cpu: -1}}                | resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0
            resources: {limits: {cpu: 1}, requests: {cpu: 1100m}} | resources.requests[cpu]: Invalid value: "1.100": must be less than or equal to cpu limit
            securityContext: {runAsUser: -1}              | securityContext.runAsUser: Invalid value: "-1"
            securityContext: {privileged: true, allowPrivilegeEscalation: false} | securityContext: Invalid value: cannot set
            securityContext: {seccompProfile: {type: Localhost}} | securityContext.seccompProfile.localhostProfile: Required value
            transferEnv: [{sourceContainerNameFrom: {fieldRef: {fieldPath: spec.nodeName}}, envName: A}] | transferEnv[0].sourceContainerNameFrom.fieldRef.fieldPath: Invalid value: "spec.nodeName": error converting fieldPath
            resourcesPolicy: {targetContainersMode: mean, resourcesExpr: {limits: {cpu: cpu}}} | resourcesPolicy.targetContainersMode: Unsupported value: "mean"
            resourcesPolicy: {targetContainersMode: sum, targetContainersNameRegex: "[a", resourcesExpr: {limits: {cpu: cpu}}} | resourcesPolicy.targetContainersNameRegex: Invalid value: "[a": invalid regex pattern
            resourcesPolicy: {targetContainersMode: sum, resourcesExpr: {}} | resourcesPolicy.resourcesExpr: Required value: at least one of limits or requests must be configured
            resourcesPolicy: {targetContainersMode: sum, resourcesExpr: {limits: {memory: "memory - 32Mi"}}} | resourcesPolicy.resourcesExpr.limits.memory: Invalid value: "memory - 32Mi": invalid expression: calculation result is negative: -33554431
            resourcesPolicy: {targetContainersMode: sum, resourcesExpr: {requests: {cpu: memory}}} | resourcesPolicy.resourcesExpr.requests.cpu: Invalid value: "memory": invalid expression: undefined variable: memory
            """)
    void refuses_what_no_pod_may_have(String part, String problem) {
        assertThat(problems(SELECTOR + "volumes: [{name: v, emptyDir: {}}]\ncontainers:\n- " + named(part) + "\n"))
                .first()
                .asString()
                .startsWith("spec.containers[0]." + problem);
    }

    /** A container of which one field is given, and what else it needs. */
    private static String named(String field) {
        String name = field.startsWith("name:") ? "" : "\n  name: agent";
        String image = field.startsWith("image:") ? "" : "\n  image: a:1";
        return field + name + image;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            containers: [{name: twin, image: a}, {name: twin, image: a}] | spec.containers[1].name: Duplicate value: "twin"
            containers: [{name: twin, image: a}], initContainers: [{name: twin, image: a}] | spec.initContainers[0].name: Duplicate value: "twin"
            containers: [] | spec: Required value: no initContainer or container defined for SidecarSet
            initContainers: [{name: a, image: a, livenessProbe: {exec: {command: [a]}}}] | spec.initContainers[0].livenessProbe: Forbidden
            initContainers: [{name: a, image: a, restartPolicy: Sometimes}] | spec.initContainers[0].restartPolicy: Unsupported value
            initContainers: [{name: a, image: a, restartPolicy: Always}] | spec.updateStrategy: Required value: The initContainer in-place upgrade is not currently supported.
            initContainers: [{name: a, image: a, resourcesPolicy: {targetContainersMode: sum, resourcesExpr: {limits: {cpu: cpu}}}}] | spec.initContainers[0].resourcesPolicy: Forbidden: resourcesPolicy is only supported for containers with RestartPolicy Always
            """)
    void refuses_containers_that_do_not_go_together(String spec, String problem) {
        assertThat(problems(SELECTOR + spec.replace(", initContainers", "\ninitContainers")))
                .singleElement()
                .asString()
                .startsWith(problem);
    }

    @Test
    void lets_a_native_sidecar_be_where_nothing_is_updated() {
        assertThat(problems(SELECTOR + """
                        initContainers: [{name: a, image: a, restartPolicy: Always, livenessProbe: {exec: {command: [a]}}}]
                        updateStrategy: {type: NotUpdate}
                        """)).isEmpty();
    }

    @Test
    void takes_a_partition_of_zero_for_none() {
        assertThat(problems(SELECTOR + CONTAINER + "updateStrategy: {partition: 0, selector: {matchLabels: {a: b}}}"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"logs.v1", "logs_v1", "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghij1234"})
    void refuses_names_that_no_label_could_hold(String name) {
        assertThat(problems(Yaml.set(name, SELECTOR + CONTAINER)))
                .singleElement()
                .asString()
                .startsWith("metadata.name: Invalid value: \"" + name + "\": ");
    }

    @Test
    void refuses_a_set_without_a_spec_by_what_it_lacks() {
        SidecarSet set = new SidecarSet();
        set.getMetadata().setName("logs");

        assertThat(validator.create(set, NO_REQUEST).problems())
                .extracting(FieldProblem::path)
                .containsExactly("spec.selector", "spec");
    }

    @Test
    void lets_containers_go_but_none_come_or_change_their_kind_of_upgrade() {
        SidecarSet before = set("containers: [{name: one, image: a}, {name: two, image: b}]");

        assertThat(updated(before, "containers: [{name: two, image: c}]")).isEmpty();
        assertThat(updated(before, "containers: [{name: one, image: a}, {name: new, image: b}]"))
                .containsExactly("spec.containers[1].name: Invalid value: \"new\": container new is not found");
        assertThat(
                        updated(
                                before,
                                "containers: [{name: one, image: a, upgradeStrategy: {upgradeType: HotUpgrade, hotUpgradeEmptyImage: e}}]"))
                .containsExactly(
                        "spec.containers[0].upgradeStrategy.upgradeType: Invalid value: \"HotUpgrade\": container one"
                                + " upgradeType is immutable");
    }

    @Test
    void lets_a_set_that_is_being_deleted_lose_its_finalizers() {
        SidecarSet before = set("containers: [{name: one, image: a}]");
        SidecarSet after = set("containers: [{name: Wrong_, image: a}]");
        after.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");

        assertThat(validator.update(before, after, NO_REQUEST).problems()).isEmpty();
    }

    private SidecarSet set(String spec) {
        return defaulted(Yaml.set("logs", SELECTOR + spec));
    }

    private List<String> updated(SidecarSet before, String spec) {
        return validator.update(before, set(spec), NO_REQUEST).problems().stream()
                .map(FieldProblem::toString)
                .toList();
    }

    private List<String> problems(String spec) {
        return problems(Yaml.set("logs", spec));
    }

    private List<String> problems(SidecarSet set) {
        return validator.create(defaulted(set), NO_REQUEST).problems().stream()
                .map(FieldProblem::toString)
                .toList();
    }

    private static SidecarSet defaulted(SidecarSet set) {
        return new SidecarSetDefaulter().withDefaults(set);
    }
}
