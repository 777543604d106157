package io.busbar.reconciler.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ResourceType;
import io.busbar.reconciler.write.Shape.Merge;
import org.junit.jupiter.api.Test;

class SchemaDocumentTest {

    private static final ResourceType SERVICE = new ResourceType("", "v1", "Service", "services", true);

    @Test
    void a_list_type_tells_how_a_list_merges() {
        Shape spec = SchemaText.thing("""
                        steps: {type: array, x-kubernetes-list-type: atomic, items: {type: string}},
                        tags: {type: array, x-kubernetes-list-type: set, items: {type: string}},
                        rules: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name, zone], items: {type: object}},
                        silent: {type: array, items: {type: object}}
                        """).field("spec");

        assertThat(spec.field("steps").merge()).isEqualTo(Merge.WHOLE);
        assertThat(spec.field("tags").merge()).isEqualTo(Merge.SET);
        assertThat(spec.field("rules").merge()).isEqualTo(Merge.KEYED);
        assertThat(spec.field("rules").keys()).containsExactly("name", "zone");
        assertThat(spec.field("silent")).isEqualTo(Shape.PLAIN);
    }

    @Test
    void what_older_kinds_say_of_strategic_merge_patches_holds_for_applies_too() {
        Shape service = SchemaText.read(SchemaText.second()).of(SERVICE).orElseThrow();

        assertThat(service.field("spec").field("ports").keys()).containsExactly("port", "protocol");
        assertThat(service.field("metadata").field("finalizers").merge()).isEqualTo(Merge.SET);
        assertThat(service.field("metadata").field("ownerReferences").merge()).isEqualTo(Merge.KEYED);
        assertThat(service.field("metadata").field("ownerReferences").keys()).containsExactly("uid");
    }

    @Test
    void a_map_type_tells_whether_an_object_is_one_value() {
        Shape spec = SchemaText.thing("""
                        selector: {type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: string}},
                        labels: {type: object, x-kubernetes-map-type: granular},
                        anything: {type: object, x-kubernetes-preserve-unknown-fields: true}
                        """).field("spec");

        assertThat(spec.field("selector").merge()).isEqualTo(Merge.WHOLE);
        assertThat(spec.field("labels").merge()).isEqualTo(Merge.FIELDS);
        assertThat(spec.field("anything").merge()).isEqualTo(Merge.WHOLE);
    }

    @Test
    void a_reference_is_followed_and_what_stands_beside_it_goes_first() {
        Shape thing = SchemaText.thing("""
                limits: {type: object, additionalProperties: {$ref: '#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity'}},
                whole: {allOf: [{$ref: '#/components/schemas/meta.v1.ObjectMeta'}], x-kubernetes-map-type: atomic, default: {a: b}}
                """);

        assertThat(thing.field("metadata").field("finalizers").merge()).isEqualTo(Merge.SET);
        assertThat(thing.field("spec").field("limits").field("cpu").quantity()).isTrue();
        Shape whole = thing.field("spec").field("whole");
        assertThat(whole.merge()).isEqualTo(Merge.WHOLE);
        assertThat(whole.standard()).isEqualTo(SchemaText.json("{a: b}"));
        assertThat(whole.field("finalizers").merge()).isEqualTo(Merge.SET);
    }

    @Test
    void a_kind_that_refers_to_itself_can_be_walked_as_deep_as_wanted() {
        SchemaDocument document = SchemaText.read(SchemaText.json("""
                        definitions:
                          Tree:
                            x-kubernetes-group-version-kind: [{group: example.com, version: v1, kind: Thing}]
                            properties:
                              tags: {type: array, x-kubernetes-list-type: set}
                              left: {$ref: '#/definitions/Tree'}
                        """).toString());
        Shape deep = document.of(SchemaText.THING).orElseThrow();
        for (int i = 0; i < 100; i++) {
            deep = deep.field("left");
        }

        assertThat(deep.field("tags").merge()).isEqualTo(Merge.SET);
    }

    @Test
    void a_kind_that_is_not_there_is_unknown_and_one_without_peculiarities_is_not() {
        assertThat(SchemaText.read(SchemaText.third("")).of(SERVICE)).isEmpty();
        assertThat(SchemaText.read("{\"definitions\":{\"A\":{\"type\":\"object\",\"" + "x-kubernetes-group-version-kind"
                                + "\":[{\"group\":\"example.com\",\"version\":\"v1\",\"kind\":\"Thing\"}]}}}")
                        .of(SchemaText.THING))
                .contains(Shape.PLAIN);
    }
}
