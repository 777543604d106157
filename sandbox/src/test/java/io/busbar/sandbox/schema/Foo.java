package io.busbar.sandbox.schema;

import static io.busbar.sandbox.Json.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.Json;

/** A schema with one field for each thing that a schema can say. */
final class Foo {

    static final StructuralSchema SCHEMA = StructuralSchema.of(json("""
            {type: 'object', properties: {spec: {type: 'object', required: ['req'], properties: {
              req: {type: 'string'},
              size: {type: 'integer', minimum: 1, maximum: 10},
              exMin: {type: 'integer', minimum: 1, exclusiveMinimum: true},
              exMax: {type: 'integer', maximum: 9, exclusiveMaximum: true},
              mul: {type: 'integer', multipleOf: 3},
              f: {type: 'number', minimum: 0.5},
              name: {type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]*$'},
              en: {type: 'string', enum: ['a', 'b']},
              eni: {type: 'integer', enum: [1, 2]},
              date: {type: 'string', format: 'date-time'},
              uri: {type: 'string', format: 'uri'},
              b: {type: 'boolean'},
              arr: {type: 'array', minItems: 1, maxItems: 2, items: {type: 'object', required: ['k'], properties: {
                k: {type: 'string'}, d: {type: 'integer', default: 7}}}},
              uniq: {type: 'array', items: {type: 'string'}, 'x-kubernetes-list-type': 'set'},
              lm: {type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'],
                items: {type: 'object', required: ['k'], properties: {k: {type: 'string'}, v: {type: 'integer'}}}},
              m: {type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: {type: 'integer'}},
              ios: {'x-kubernetes-int-or-string': true},
              emb: {type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true},
              any: {'x-kubernetes-preserve-unknown-fields': true},
              pres: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: {
                known: {type: 'object', properties: {a: {type: 'string'}}}}},
              nul: {type: 'string', nullable: true},
              defnul: {type: 'string', default: 'dd'},
              nuldef: {type: 'string', nullable: true, default: 'nn'},
              def: {type: 'object', default: {a: 1}, properties: {a: {type: 'integer'}, b: {type: 'integer', default: 2}}},
              one: {type: 'object', properties: {a: {type: 'string'}, b: {type: 'string'}},
                oneOf: [{required: ['a']}, {required: ['b']}]},
              any2: {type: 'object', properties: {a: {type: 'string'}, b: {type: 'string'}},
                anyOf: [{required: ['a']}, {required: ['b']}]},
              nt: {type: 'object', properties: {a: {type: 'string'}}, not: {required: ['a']}},
              all: {type: 'integer', allOf: [{minimum: 5}, {maximum: 6}]}}}}}"""));

    private Foo() {}

    static ObjectNode of(String spec) {
        return Json.object(
                "{apiVersion: 'example.com/v1', kind: 'Foo', metadata: {name: 'f', x: 1}, spec: " + spec + "}");
    }

    static ObjectNode admitted(String spec) {
        return SCHEMA.withDefaults(SCHEMA.prune(of(spec)));
    }

    static JsonNode specOf(String spec) {
        return admitted(spec).get("spec");
    }
}
