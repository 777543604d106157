package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Schemas as API servers publish them, cut to what tests look at. */
final class SchemaText {

    static final ResourceType THING = new ResourceType("example.com", "v1", "Thing", "things", true);

    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private SchemaText() {}

    static JsonNode json(String yaml) {
        return YAML.unmarshal("---\n" + yaml, JsonNode.class);
    }

    /** Version 3 of a document of one kind, whose {@code spec} has these properties. */
    static String third(String properties) {
        return json("""
                openapi: 3.0.0
                paths: {/apis/example.com/v1/things: {get: {description: "{definitions: no}"}}}
                components:
                  securitySchemes: {token: {type: apiKey}}
                  schemas:
                    com.example.v1.Thing:
                      type: object
                      x-kubernetes-group-version-kind: [{group: example.com, version: v1, kind: Thing}]
                      properties:
                        metadata: {default: {}, allOf: [{$ref: '#/components/schemas/meta.v1.ObjectMeta'}]}
                        spec: {type: object, properties: {%s}}
                    meta.v1.ObjectMeta:
                      type: object
                      properties:
                        finalizers: {type: array, items: {type: string}, x-kubernetes-list-type: set}
                        labels: {type: object, additionalProperties: {type: string}}
                        ownerReferences:
                          type: array
                          items: {type: object}
                          x-kubernetes-list-type: map
                          x-kubernetes-list-map-keys: [uid]
                    io.k8s.apimachinery.pkg.api.resource.Quantity: {oneOf: [{type: string}, {type: number}]}
                """.formatted(properties)).toString();
    }

    /** Version 2, as 1.20 has it, where older kinds say how they merge by the words of strategic merge patches. */
    static String second() {
        return json("""
                swagger: '2.0'
                paths: {}
                definitions:
                  v1.Service:
                    type: object
                    x-kubernetes-group-version-kind: [{group: '', version: v1, kind: Service}]
                    properties:
                      metadata: {$ref: '#/definitions/meta.v1.ObjectMeta'}
                      spec: {$ref: '#/definitions/v1.ServiceSpec'}
                  v1.ServiceSpec:
                    type: object
                    properties:
                      ports:
                        type: array
                        items: {$ref: '#/definitions/v1.ServicePort'}
                        x-kubernetes-list-type: map
                        x-kubernetes-list-map-keys: [port, protocol]
                        x-kubernetes-patch-merge-key: port
                        x-kubernetes-patch-strategy: merge
                  v1.ServicePort:
                    type: object
                    properties: {port: {type: integer}, protocol: {type: string}}
                  meta.v1.ObjectMeta:
                    type: object
                    properties:
                      finalizers: {type: array, items: {type: string}, x-kubernetes-patch-strategy: merge}
                      ownerReferences:
                        type: array
                        items: {type: object}
                        x-kubernetes-patch-merge-key: uid
                        x-kubernetes-patch-strategy: merge
                  com.example.v1.Thing:
                    type: object
                    x-kubernetes-group-version-kind: [{group: example.com, version: v1, kind: Thing}]
                    properties:
                      spec:
                        properties:
                          env: {type: array, items: {type: object}}
                """).toString();
    }

    static SchemaDocument read(String json) {
        try {
            return SchemaDocument.read(json.getBytes(StandardCharsets.UTF_8));
        } catch (IOException wrong) {
            throw new UncheckedIOException(wrong);
        }
    }

    /** The shape of the kind of {@link #third}. */
    static Shape thing(String properties) {
        return read(third(properties)).of(THING).orElseThrow();
    }
}
