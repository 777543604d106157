package io.busbar.sandbox.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProtobufDecoderTest {

    /** Writes messages as Go's protobuf does. */
    private static final class Message {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Message text(int field, String value) {
            return bytes(field, value.getBytes(StandardCharsets.UTF_8));
        }

        Message message(int field, Message value) {
            return bytes(field, value.bytes.toByteArray());
        }

        Message number(int field, long value) {
            varint((long) field << 3);
            varint(value);
            return this;
        }

        Message bytes(int field, byte[] value) {
            varint(((long) field << 3) | 2);
            varint(value.length);
            bytes.writeBytes(value);
            return this;
        }

        private void varint(long value) {
            long rest = value;
            while ((rest & ~0x7fL) != 0) {
                bytes.write((int) ((rest & 0x7f) | 0x80));
                rest >>>= 7;
            }
            bytes.write((int) rest);
        }

        byte[] enveloped(String apiVersion, String kind) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(new byte[] {'k', '8', 's', 0});
            all.writeBytes(new Message()
                    .message(1, new Message().text(1, apiVersion).text(2, kind))
                    .message(2, this)
                    .text(3, "")
                    .text(4, "")
                    .bytes
                    .toByteArray());
            return all.toByteArray();
        }
    }

    private static Message metadata(String name) {
        return new Message()
                .text(1, name)
                .text(2, "")
                .text(5, "")
                .number(7, 0)
                .message(8, new Message())
                .message(11, new Message().text(1, "app").text(2, "web"));
    }

    private static byte[] deployment() {
        Message port = new Message().text(1, "").number(2, 0).number(3, 80).text(4, "TCP");
        Message limit = new Message().text(1, "cpu").message(2, new Message().text(1, "100m"));
        Message named = new Message().number(1, 1).number(2, 0).text(3, "http");
        Message get = new Message().text(1, "/ready").message(2, named);
        Message probe = new Message()
                .message(1, new Message().message(2, get))
                .number(3, 0)
                .number(4, 5);
        Message container = new Message()
                .text(1, "c")
                .text(2, "nginx")
                .text(5, "")
                .message(6, port)
                .message(8, new Message().message(1, limit))
                .message(11, probe);
        Message template = new Message()
                .message(
                        1,
                        new Message().message(11, new Message().text(1, "app").text(2, "web")))
                .message(2, new Message().message(2, container).number(11, 0).number(4, 0));
        Message spec = new Message()
                .number(1, 0)
                .message(
                        2, new Message().message(1, new Message().text(1, "app").text(2, "web")))
                .message(3, template)
                .message(
                        4,
                        new Message()
                                .text(1, "RollingUpdate")
                                .message(
                                        2,
                                        new Message()
                                                .message(
                                                        1,
                                                        new Message()
                                                                .number(1, 0)
                                                                .number(2, 0)
                                                                .text(3, ""))));
        return new Message().message(1, metadata("d")).message(2, spec).enveloped("apps/v1", "Deployment");
    }

    @Test
    void reads_the_schemas_of_definitions() {
        Message text = new Message().text(5, "string");
        Message schema = new Message()
                .text(5, "object")
                .message(29, new Message().text(1, "any").message(2, new Message().number(38, 1)))
                .message(
                        29,
                        new Message()
                                .text(1, "names")
                                .message(2, new Message().text(5, "array").message(24, new Message().message(1, text))))
                .message(
                        29,
                        new Message().text(1, "open").message(2, new Message().message(30, new Message().number(1, 1))))
                .message(
                        29,
                        new Message()
                                .text(1, "texts")
                                .message(
                                        2,
                                        new Message()
                                                .message(8, new Message().text(1, "{\"a\":1}"))
                                                .message(
                                                        30,
                                                        new Message()
                                                                .number(1, 1)
                                                                .message(2, text))));
        Message version = new Message()
                .text(1, "v1")
                .number(2, 1)
                .number(3, 0)
                .message(4, new Message().message(1, schema))
                .message(5, new Message().message(1, new Message()));
        byte[] bytes = new Message()
                .message(1, new Message().text(1, "jars.test.io"))
                .message(2, new Message().text(1, "test.io").message(7, version))
                .enveloped("apiextensions.k8s.io/v1", "CustomResourceDefinition");
        assertThat(ProtobufDecoder.decode(bytes))
                .isEqualTo(Json.json("{kind:'CustomResourceDefinition',apiVersion:'apiextensions.k8s.io/v1',"
                        + "metadata:{name:'jars.test.io'},spec:{group:'test.io',versions:[{name:'v1',served:true,"
                        + "storage:false,schema:{openAPIV3Schema:{type:'object',properties:{"
                        + "any:{'x-kubernetes-preserve-unknown-fields':true},"
                        + "names:{type:'array',items:{type:'string'}},open:{additionalProperties:true},"
                        + "texts:{default:{a:1},additionalProperties:{type:'string'}}}}},"
                        + "subresources:{status:{}}}]}}"));
    }

    @Test
    void reads_what_the_same_object_is_in_json() {
        ObjectNode expected =
                Json.object("{kind:'Deployment',apiVersion:'apps/v1',metadata:{name:'d',labels:{app:'web'}},"
                        + "spec:{replicas:0,selector:{matchLabels:{app:'web'}},template:{metadata:{labels:{app:'web'}},"
                        + "spec:{containers:[{name:'c',image:'nginx',ports:[{containerPort:80,protocol:'TCP'}],"
                        + "resources:{limits:{cpu:'100m'}},readinessProbe:{httpGet:{path:'/ready',port:'http'},periodSeconds:5}}],"
                        + "terminationGracePeriodSeconds:0}},"
                        + "strategy:{type:'RollingUpdate',rollingUpdate:{maxUnavailable:0}}}}");
        assertThat(ProtobufDecoder.decode(deployment())).isEqualTo(expected);
    }

    @Test
    void writes_bytes_in_base_64_and_times_in_utc() {
        byte[] secret = new Message()
                .message(1, new Message().text(1, "s").message(8, new Message().number(1, 1_700_000_000L)))
                .message(2, new Message().text(1, "k").bytes(2, new byte[] {1, 2, 3}))
                .text(3, "Opaque")
                .enveloped("v1", "Secret");
        assertThat(ProtobufDecoder.decode(secret))
                .isEqualTo(Json.object("{kind:'Secret',apiVersion:'v1',metadata:{name:'s',"
                        + "creationTimestamp:'2023-11-14T22:13:20Z'},data:{k:'AQID'},type:'Opaque'}"));
    }

    @Test
    void passes_over_fields_that_are_new() {
        byte[] namespace = new Message()
                .message(1, metadata("n"))
                .text(99, "later")
                .number(98, 7)
                .enveloped("v1", "Namespace");
        assertThat(ProtobufDecoder.decode(namespace)
                        .path("metadata")
                        .path("name")
                        .asText())
                .isEqualTo("n");
    }

    @Test
    void knows_no_other_kinds() {
        byte[] widget = new Message().enveloped("example.com/v1", "Widget");
        assertThatThrownBy(() -> ProtobufDecoder.decode(widget))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("no kind \"Widget\" is registered");
    }

    @Test
    void survives_any_bytes() {
        survive(new Random(42));
        survive(new Random(43));
    }

    private static void survive(Random random) {
        byte[] valid = deployment();
        int refused = 0;
        for (int round = 0; round < 5_000; round++) {
            byte[] bytes = valid.clone();
            for (int change = 0; change <= random.nextInt(4); change++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(ProtobufDecoder.decode(bytes)).isNotNull();
            } catch (WireException expected) {
                refused++;
            }
        }
        assertThat(refused).isBetween(100, 5_000);
    }

    @Test
    void reads_what_the_encoder_writes() {
        for (String text : new String[] {
            "{kind: 'ConfigMap', apiVersion: 'v1', metadata: {name: 'a', creationTimestamp: '2026-01-02T03:04:05Z',"
                    + " labels: {x: 'y'}, managedFields: [{manager: 'm', fieldsV1: {'f:data': {}}}]}, data: {k: 'v'},"
                    + " binaryData: {b: 'AAEC'}, immutable: false}",
            "{kind: 'Pod', apiVersion: 'v1', metadata: {name: 'p'}, spec: {containers: [{name: 'c', image: 'i',"
                    + " resources: {limits: {cpu: '100m'}}, livenessProbe: {httpGet: {path: '/', port: 'http'}}}],"
                    + " terminationGracePeriodSeconds: 0, nodeSelector: {a: 'b'}}}",
            "{kind: 'CustomResourceDefinition', apiVersion: 'apiextensions.k8s.io/v1', metadata: {name: 'd'}, spec: {"
                    + "group: 'g', versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {"
                    + "type: 'object', properties: {a: {type: 'array', items: {type: 'string', default: 'x'}},"
                    + " b: {additionalProperties: true}, c: {minimum: 1.5, additionalProperties: {type: 'string'}}}}}}]}}",
        }) {
            ObjectNode object = Json.object(text);
            String apiVersion = object.path("apiVersion").asText();
            String group = apiVersion.contains("/") ? apiVersion.replaceAll("/.*", "") : "";
            String version = apiVersion.replaceAll(".*/", "");
            assertThat(ProtobufDecoder.decode(ProtobufEncoder.object(group, version, object)))
                    .isEqualTo(object);
        }
    }
}
