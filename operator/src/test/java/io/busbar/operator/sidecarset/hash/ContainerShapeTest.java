package io.busbar.operator.sidecarset.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import org.junit.jupiter.api.Test;

class ContainerShapeTest {

    @Test
    void orders_fields_as_the_go_structs_do_and_writes_what_is_never_omitted() {
        assertThat(known("""
                        tty: true
                        livenessProbe: {periodSeconds: 3, grpc: {port: 1}}
                        volumeMounts: [{subPath: s, name: v, mountPath: /v, readOnly: true}]
                        ports: [{protocol: TCP, name: p}]
                        env: [{valueFrom: {resourceFieldRef: {resource: limits.cpu}}, name: C}]
                        name: a
                        lifecycle: {preStop: {tcpSocket: {port: http}}}
                        """))
                .isEqualTo("{\"name\":\"a\",\"ports\":[{\"name\":\"p\",\"containerPort\":0,\"protocol\":\"TCP\"}],"
                        + "\"env\":[{\"name\":\"C\",\"valueFrom\":{\"resourceFieldRef\":{\"resource\":\"limits.cpu\",\"divisor\":\"0\"}}}],"
                        + "\"resources\":{},"
                        + "\"volumeMounts\":[{\"name\":\"v\",\"readOnly\":true,\"mountPath\":\"/v\",\"subPath\":\"s\"}],"
                        + "\"livenessProbe\":{\"grpc\":{\"port\":1,\"service\":null},\"periodSeconds\":3},"
                        + "\"lifecycle\":{\"preStop\":{\"tcpSocket\":{\"port\":\"http\"}}},"
                        + "\"tty\":true,\"upgradeStrategy\":{},\"shareVolumePolicy\":{}}");
    }

    @Test
    void keeps_unknown_fields_behind_the_known_ones_when_it_is_to_be_stored() {
        assertThat(GoJson.write(ContainerShape.stored(Yaml.read(
                        "{newer: [1], name: a, ports: [{newer: 1, containerPort: 2}]}", SidecarContainer.class))))
                .isEqualTo("{\"name\":\"a\",\"ports\":[{\"containerPort\":2,\"newer\":1}],\"resources\":{},"
                        + "\"upgradeStrategy\":{},\"shareVolumePolicy\":{},\"newer\":[1]}");
    }

    @Test
    void spells_text_as_go_does() {
        assertThat(known("{name: \"a<b>&\\u2028\\u0001\\b\\f\\t\\\"\\\\\\x7f\\u00e9\"}"))
                .startsWith("{\"name\":\"a\\u003cb\\u003e\\u0026\\u2028\\u0001\\b\\f\\t\\\"\\\\\u007fé\",");
    }

    @Test
    void replaces_half_of_a_surrogate_pair() {
        SidecarContainer container = new SidecarContainer();
        container.setName("a\ud83d!");

        assertThat(GoJson.write(ContainerShape.known(container))).startsWith("{\"name\":\"a\ufffd!\",");
    }

    @Test
    void refuses_a_declaration_that_names_what_no_line_declares() {
        assertThatThrownBy(() -> GoDeclarations.parse("a: b:*c"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'c'");
    }

    private static String known(String yaml) {
        return GoJson.write(ContainerShape.known(Yaml.read(yaml, SidecarContainer.class)));
    }
}
