package io.busbar.operator.sidecarset.defaulting;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.hash.SidecarSetHash;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SidecarSetDefaulterTest {

    private final SidecarSetDefaulter defaulter = new SidecarSetDefaulter();

    @Test
    void completes_a_minimal_set() {
        assertStored("""
                selector: {matchLabels: {app: shop}}
                containers: [{name: agent, image: depot/agent}]
                initContainers: [{name: gate, image: "depot/gate:1"}]
                """, """
                selector: {matchLabels: {app: shop}}
                containers:
                - name: agent
                  image: depot/agent
                  imagePullPolicy: Always
                  resources: {}
                  terminationMessagePath: /dev/termination-log
                  terminationMessagePolicy: File
                  podInjectPolicy: BeforeAppContainer
                  upgradeStrategy: {upgradeType: ColdUpgrade}
                  shareVolumePolicy: {type: disabled}
                initContainers:
                - name: gate
                  image: depot/gate:1
                  imagePullPolicy: IfNotPresent
                  resources: {}
                  terminationMessagePath: /dev/termination-log
                  terminationMessagePolicy: File
                  podInjectPolicy: AfterAppContainer
                  upgradeStrategy: {upgradeType: ColdUpgrade}
                  shareVolumePolicy: {type: disabled}
                updateStrategy: {type: RollingUpdate, partition: 0, maxUnavailable: 1}
                revisionHistoryLimit: 10
                """);
    }

    @Test
    void keeps_what_the_author_has_chosen() {
        String chosen = """
                selector: {matchLabels: {app: shop}}
                containers:
                - name: agent
                  image: depot/agent
                  imagePullPolicy: Never
                  resources: {}
                  terminationMessagePath: /log
                  terminationMessagePolicy: FallbackToLogsOnError
                  podInjectPolicy: AfterAppContainer
                  upgradeStrategy: {upgradeType: HotUpgrade, hotUpgradeEmptyImage: "e:1"}
                  shareVolumePolicy: {type: enabled}
                  newer: {a: 1}
                updateStrategy: {type: NotUpdate, paused: true, partition: 5%, maxUnavailable: 2}
                injectionStrategy: {paused: true, revision: {customVersion: v1, policy: Partial}}
                revisionHistoryLimit: 3
                patchPodMetadata: [{annotations: {k: v}, patchPolicy: Overwrite}]
                """;
        assertStored(chosen, chosen);
    }

    @Test
    void completes_ports_probes_hooks_and_references_but_no_startup_probe() {
        assertStored("""
                containers:
                - name: agent
                  image: a:1
                  ports: [{containerPort: 80}, {containerPort: 53, protocol: UDP}]
                  livenessProbe: {httpGet: {port: 80}, timeoutSeconds: 0}
                  readinessProbe: {tcpSocket: {port: dns}, periodSeconds: 3}
                  startupProbe: {httpGet: {port: 80}}
                  lifecycle: {postStart: {httpGet: {port: 80, path: x}}, preStop: {exec: {command: [sleep]}}}
                  env:
                  - {name: N, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
                  - {name: C, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}
                  transferEnv: [{envName: Q, sourceContainerNameFrom: {fieldRef: {fieldPath: "metadata.labels['x']"}}}]
                patchPodMetadata: [{annotations: {k: v}}]
                injectionStrategy: {revision: {revisionName: r}}
                """, """
                containers:
                - name: agent
                  image: a:1
                  imagePullPolicy: IfNotPresent
                  ports: [{containerPort: 80, protocol: TCP}, {containerPort: 53, protocol: UDP}]
                  livenessProbe: {httpGet: {port: 80, path: /, scheme: HTTP}, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1,
                    failureThreshold: 3}
                  readinessProbe: {tcpSocket: {port: dns}, periodSeconds: 3, timeoutSeconds: 1, successThreshold: 1, failureThreshold: 3}
                  startupProbe: {httpGet: {port: 80}}
                  lifecycle: {postStart: {httpGet: {port: 80, path: x, scheme: HTTP}}, preStop: {exec: {command: [sleep]}}}
                  env:
                  - {name: N, valueFrom: {fieldRef: {fieldPath: metadata.name, apiVersion: v1}}}
                  - {name: C, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: "0"}}}
                  transferEnv: [{envName: Q, sourceContainerNameFrom: {fieldRef: {fieldPath: "metadata.labels['x']", apiVersion: v1}}}]
                  resources: {}
                  terminationMessagePath: /dev/termination-log
                  terminationMessagePolicy: File
                  podInjectPolicy: BeforeAppContainer
                  upgradeStrategy: {upgradeType: ColdUpgrade}
                  shareVolumePolicy: {type: disabled}
                updateStrategy: {type: RollingUpdate, partition: 0, maxUnavailable: 1}
                revisionHistoryLimit: 10
                patchPodMetadata: [{annotations: {k: v}, patchPolicy: Retain}]
                injectionStrategy: {revision: {revisionName: r, policy: Always}}
                """);
    }

    @Test
    void completes_volumes() {
        assertStored("""
                volumes:
                - {name: host, hostPath: {path: /a}}
                - {name: map, configMap: {name: c}}
                - {name: secret, secret: {secretName: s, defaultMode: 256}}
                - {name: many, projected: {sources: [{serviceAccountToken: {path: t}}, {configMap: {name: c}}]}}
                - {name: labels, downwardAPI: {items: [{path: l, fieldRef: {fieldPath: metadata.labels}}]}}
                - {name: none}
                - {name: later, newKindOfVolume: {a: 1}}
                """, """
                volumes:
                - {name: host, hostPath: {path: /a, type: ""}}
                - {name: map, configMap: {name: c, defaultMode: 420}}
                - {name: secret, secret: {secretName: s, defaultMode: 256}}
                - {name: many, projected: {defaultMode: 420, sources: [{serviceAccountToken: {path: t, expirationSeconds: 3600}},
                    {configMap: {name: c}}]}}
                - {name: labels, downwardAPI: {defaultMode: 420, items: [{path: l, fieldRef: {fieldPath: metadata.labels, apiVersion: v1}}]}}
                - {name: none, emptyDir: {}}
                - {name: later, newKindOfVolume: {a: 1}}
                updateStrategy: {type: RollingUpdate, partition: 0, maxUnavailable: 1}
                revisionHistoryLimit: 10
                """);
    }

    /** What these have by default stands in the published types, and OpenKruise fills in none of that. */
    @Test
    void leaves_volumes_of_other_kinds_as_they_are() {
        String volumes = """
                volumes:
                - {name: iscsi, iscsi: {targetPortal: "10.0.0.1:3260", iqn: "iqn.2001-04.com.example:a", lun: 0}}
                - {name: rbd, rbd: {monitors: [a], image: i}}
                - {name: azure, azureDisk: {diskName: d, diskURI: /d}}
                - {name: scale, scaleIO: {gateway: g, system: s, secretRef: {name: c}, volumeName: v}}
                """;
        assertStored(volumes, volumes + """
                updateStrategy: {type: RollingUpdate, partition: 0, maxUnavailable: 1}
                revisionHistoryLimit: 10
                """);
    }

    @Test
    void writes_the_hashes_and_keeps_other_annotations() {
        SidecarSet set = Yaml.set("logs", "containers: [{name: agent, image: a:1}]");
        set.getMetadata().setAnnotations(Map.of("mine", "1", SidecarSet.HASH, "outdated"));

        SidecarSet stored = defaulter.withDefaults(set);

        SidecarSetHash hash = SidecarSetHash.of(stored.getSpec());
        assertThat(stored.getMetadata().getAnnotations())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "mine",
                        "1",
                        SidecarSet.HASH,
                        hash.whole(),
                        SidecarSet.HASH_WITHOUT_IMAGE,
                        hash.withoutImage()));
    }

    @Test
    void copes_with_a_set_that_has_no_spec() {
        SidecarSet stored = defaulter.withDefaults(new SidecarSet());

        assertThat(stored.getSpec().revisionHistoryLimit()).isEqualTo(10);
    }

    private void assertStored(String written, String stored) {
        assertThat(defaulter.withDefaults(Yaml.set("logs", written)).getSpec()).isEqualTo(Yaml.spec(stored));
    }
}
