package io.busbar.operator.sidecarset.inject;

import static io.busbar.operator.sidecarset.inject.Injector.json;
import static io.busbar.operator.sidecarset.inject.Injector.names;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionDecision;
import io.busbar.operator.sidecarset.Yaml;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BorrowingTest {

    private static final String POD = """
            metadata: {labels: {app: web, main: till}, annotations: {lender: shop}}
            spec:
              volumes: [{name: data, emptyDir: {}}, {name: logs, emptyDir: {}}]
              containers:
              - name: shop
                image: shop:1
                env: [{name: POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}, {name: AREA, value: west}, {name: PORT, value: "80"}]
                volumeMounts:
                - {name: data, mountPath: /data, subPathExpr: $(AREA)/$(POD_NAME)/$(ABSENT)}
                - {name: logs, mountPath: /logs, readOnly: true}
              - name: till
                image: till:1
                env: [{name: PORT, value: "81"}, {name: OWN, value: till}]
                volumeMounts: [{name: data, mountPath: /till}, {name: logs, mountPath: /logs}]
                volumeDevices: [{name: blk, devicePath: /dev/xvda}]
            """;

    @Test
    void shares_the_pods_mounts_once_each_and_keeps_its_own() {
        JsonNode sidecar = sidecar("""
                shareVolumePolicy: {type: enabled}
                volumeMounts: [{name: mine, mountPath: /data}]
                """);

        assertThat(sidecar.path("volumeMounts")).isEqualTo(json("""
                        [{"mountPath":"/data","name":"mine"},{"mountPath":"/logs","name":"logs","readOnly":true},
                         {"mountPath":"/till","name":"data"}]
                        """));
        assertThat(sidecar.has("volumeDevices")).isFalse();
    }

    @Test
    void brings_the_variables_that_a_shared_path_names_along() {
        JsonNode sidecar = sidecar("shareVolumePolicy: {type: enabled}\nenv: [{name: OWN, value: o}]");

        assertThat(names(sidecar.path("env"))).containsExactly("OWN", "IS_INJECTED", "AREA", "POD_NAME");
    }

    @Test
    void shares_nothing_unless_it_is_asked_to() {
        JsonNode sidecar = sidecar("shareVolumePolicy: {type: disabled}");

        assertThat(sidecar.has("volumeMounts")).isFalse();
    }

    @Test
    void shares_devices_by_a_policy_of_their_own() {
        JsonNode sidecar = sidecar("shareVolumeDevicePolicy: {type: enabled}");

        assertThat(sidecar.path("volumeDevices")).isEqualTo(json("[{\"devicePath\":\"/dev/xvda\",\"name\":\"blk\"}]"));
        assertThat(sidecar.has("volumeMounts")).isFalse();
    }

    @Test
    void transfers_variables_sorted_in_each_entry_and_skips_what_is_absent() {
        JsonNode sidecar = sidecar("""
                env: [{name: OWN, value: mine}]
                transferEnv:
                - {sourceContainerName: shop, envName: PORT, envNames: [AREA, ABSENT, PORT]}
                - {sourceContainerName: ghost, envName: PORT}
                - {sourceContainerName: till, envName: OWN}
                """);

        assertThat(sidecar.path("env")).isEqualTo(json("""
                        [{"name":"OWN","value":"mine"},{"name":"IS_INJECTED","value":"true"},
                         {"name":"AREA","value":"west"},{"name":"PORT","value":"80"}]
                        """));
    }

    @Test
    void finds_the_lender_by_label_or_annotation() {
        String transfer =
                "transferEnv: [{sourceContainerNameFrom: {fieldRef: {fieldPath: \"metadata.%s\"}}, envName: PORT}]";

        assertThat(sidecar(transfer.formatted("labels['main']"))
                        .at("/env/1/value")
                        .asText())
                .isEqualTo("81");
        assertThat(sidecar(transfer.formatted("annotations['lender']"))
                        .at("/env/1/value")
                        .asText())
                .isEqualTo("80");
        assertThat(names(sidecar(transfer.formatted("labels['absent']")).path("env")))
                .containsExactly("IS_INJECTED");
    }

    @Test
    void lends_to_init_containers_too() {
        Injector injector = Injector.with(Yaml.set("web", """
                        selector: {matchLabels: {app: web}}
                        initContainers:
                        - name: scribe
                          image: i
                          shareVolumePolicy: {type: enabled}
                          transferEnv: [{sourceContainerName: shop, envNames: [PORT, AREA]}]
                        """));

        JsonNode scribe = injector.inject(Injector.pod(POD)).at("/spec/initContainers/0");

        assertThat(names(scribe.path("env"))).containsExactly("IS_INJECTED", "AREA", "POD_NAME", "PORT");
        assertThat(names(scribe.path("volumeMounts"))).containsExactly("data", "logs", "data");
    }

    @Test
    void borrows_nothing_from_other_sidecars_and_changes_nothing_when_asked_again() {
        Injector injector = Injector.with(Yaml.set("web", """
                        selector: {matchLabels: {app: web}}
                        containers:
                        - {name: agent, image: i, shareVolumePolicy: {type: enabled}}
                        - {name: other, image: i, volumeMounts: [{name: mine, mountPath: /mine}]}
                        volumes: [{name: mine, emptyDir: {}}]
                        """));

        ObjectNode once = injector.inject(Injector.pod(POD));

        List<String> paths = new ArrayList<>();
        once.at("/spec/containers/0/volumeMounts")
                .forEach(mount -> paths.add(mount.path("mountPath").asText()));
        assertThat(paths).containsExactly("/data", "/logs", "/till");
        assertThat(injector.review(PodReview.creating(once))).isEqualTo(AdmissionDecision.allowed());
    }

    private static JsonNode sidecar(String settings) {
        return Injector.with(Yaml.set(
                        "web",
                        "selector: {matchLabels: {app: web}}\ncontainers:\n- name: agent\n  image: i\n"
                                + settings.indent(2)))
                .inject(Injector.pod(POD))
                .at("/spec/containers/0");
    }
}
