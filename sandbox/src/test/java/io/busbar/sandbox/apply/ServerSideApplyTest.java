package io.busbar.sandbox.apply;

import static io.busbar.sandbox.Json.json;
import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.apply.ApplyResult.Applied;
import io.busbar.sandbox.apply.ApplyResult.Conflicts;
import io.busbar.sandbox.patch.PatchException;
import io.busbar.sandbox.schema.StructuralSchema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The same steps were taken with a real server, whose fieldsV1 and messages these are. */
class ServerSideApplyTest {

    static final ListTopology BAR = ListTopology.of(StructuralSchema.of(json("""
                            {type: 'object', properties: {
                              status: {type: 'object', properties: {ready: {type: 'integer'}}},
                              spec: {type: 'object', properties: {
                                req: {type: 'string'},
                                arr: {type: 'array', items: {type: 'object', properties: {k: {type: 'string'}}}},
                                uniq: {type: 'array', items: {type: 'string'}, 'x-kubernetes-list-type': 'set'},
                                lm: {type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k', 'p'],
                                  items: {type: 'object', required: ['k'], properties: {
                                    k: {type: 'string'}, p: {type: 'string', default: 'TCP'}, v: {type: 'integer'}}}},
                                m: {type: 'object', additionalProperties: {type: 'integer'}},
                                mo: {type: 'object', additionalProperties: {type: 'object', properties: {x: {type: 'integer'}}}},
                                at: {type: 'object', 'x-kubernetes-map-type': 'atomic', properties: {x: {type: 'integer'}}},
                                any: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}}}}}""")), ListTopology.PLAIN);
    static final Versions VERSIONS = Versions.same(BAR, FieldFilter.NONE);

    private static final String SPEC =
            "{req: 'x', mo: {k: {x: 1}}, lm: [{k: 'a', v: 1}], uniq: ['q'], arr: [{k: 'z'}], any: {p: {q: 1}}, m: {aa: 1}, at: {x: 1}}";

    @Test
    void owns_what_it_applied_field_by_field() {
        ObjectNode live = applied(null, "m1", bar(SPEC));

        assertThat(live.get("spec")).isEqualTo(json(SPEC));
        assertThat(fields(live, "m1")).isEqualTo(json("""
                {'f:metadata': {'f:labels': {'f:a': {}}}, 'f:spec': {'f:any': {'f:p': {'.': {}, 'f:q': {}}}, 'f:arr': {}, 'f:at': {},
                 'f:lm': {'k:{"k":"a","p":"TCP"}': {'.': {}, 'f:k': {}, 'f:v': {}}}, 'f:m': {'f:aa': {}},
                 'f:mo': {'f:k': {'.': {}, 'f:x': {}}}, 'f:req': {}, 'f:uniq': {'v:"q"': {}}}}"""));
    }

    @Test
    void an_update_owns_the_containers_that_it_brought_as_well() {
        ObjectNode live = ManagedFields.update(null, bar(SPEC), as("curl"), VERSIONS);

        assertThat(fields(live, "curl")).isEqualTo(json("""
                {'f:metadata': {'f:labels': {'.': {}, 'f:a': {}}}, 'f:spec': {'.': {}, 'f:any': {'.': {}, 'f:p': {'.': {}, 'f:q': {}}}, 'f:arr': {},
                 'f:at': {}, 'f:lm': {'.': {}, 'k:{"k":"a","p":"TCP"}': {'.': {}, 'f:k': {}, 'f:v': {}}},
                 'f:m': {'.': {}, 'f:aa': {}}, 'f:mo': {'.': {}, 'f:k': {'.': {}, 'f:x': {}}}, 'f:req': {},
                 'f:uniq': {'.': {}, 'v:"q"': {}}}}"""));
    }

    @Test
    void managers_share_maps_sets_and_lists_by_key() {
        ObjectNode live = applied(null, "m1", bar(SPEC));

        live = applied(live, "m2", bar("{uniq: ['r'], lm: [{k: 'b', v: 1}], m: {bb: 2}}"));

        assertThat(live.get("spec"))
                .isEqualTo(json(
                        "{req: 'x', mo: {k: {x: 1}}, lm: [{k: 'a', v: 1}, {k: 'b', v: 1}], uniq: ['q', 'r'], arr: [{k: 'z'}],"
                                + " any: {p: {q: 1}}, m: {aa: 1, bb: 2}, at: {x: 1}}"));
        assertThat(fields(live, "m2").at("/f:spec"))
                .isEqualTo(json("{'f:lm': {'k:{\"k\":\"b\",\"p\":\"TCP\"}': {'.': {}, 'f:k': {}, 'f:v': {}}},"
                        + " 'f:m': {'f:bb': {}}, 'f:uniq': {'v:\"r\"': {}}}"));
    }

    @Test
    void removes_what_the_manager_no_longer_applies_unless_another_owns_it() {
        ObjectNode live = applied(null, "m1", bar(SPEC));
        live = applied(live, "m2", bar("{uniq: ['r', 'q'], m: {bb: 2}, lm: [{k: 'a'}]}"));

        live = applied(live, "m1", bar("{req: 'x'}"));

        assertThat(live.get("spec")).isEqualTo(json("{req: 'x', lm: [{k: 'a'}], uniq: ['r', 'q'], m: {bb: 2}}"));
        assertThat(live.at("/metadata/labels")).isEqualTo(json("{a: 'b'}"));
    }

    @Test
    void says_with_whom_and_where_it_conflicts() {
        ObjectNode live = applied(null, "m2", bar("{lm: [{k: 'b', v: 1}], m: {bb: 2}}"));
        live = ManagedFields.update(live, with(live, "/spec", "req", "curl's"), as("curl"), VERSIONS);

        ApplyResult one = ServerSideApply.apply(live, bar("{req: 'y'}"), as("m1"), VERSIONS);
        ApplyResult many =
                ServerSideApply.apply(live, bar("{req: 'y', lm: [{k: 'b', v: 2}], m: {bb: 3}}"), as("m1"), VERSIONS);

        assertThat(((Conflicts) one).message())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"curl\" using example.com/v1: .spec.req");
        assertThat(((Conflicts) many).message())
                .isEqualTo("Apply failed with 3 conflicts: conflicts with \"curl\" using example.com/v1:\n- .spec.req\n"
                        + "conflicts with \"m2\":\n- .spec.lm[k=\"b\",p=\"TCP\"].v\n- .spec.m.bb");
        assertThat(((Conflicts) many).causes().get(1).toString())
                .contains("FieldManagerConflict", ".spec.lm[k=\"b\",p=\"TCP\"].v", "conflict with \"m2\"");
    }

    @Test
    void force_takes_a_field_from_its_owner() {
        ObjectNode live = applied(null, "m2", bar("{req: 'x', m: {a: 1}}"));

        ApplyResult result = ServerSideApply.apply(
                live, bar("{req: 'y'}"), new ApplyOptions("m1", true, "", "example.com/v1", Clocks.LATER), VERSIONS);

        ObjectNode forced = ((Applied) result).object();
        assertThat(forced.at("/spec/req").asText()).isEqualTo("y");
        assertThat(fields(forced, "m2").at("/f:spec")).isEqualTo(json("{'f:m': {'f:a': {}}}"));
        assertThat(fields(forced, "m1").at("/f:spec")).isEqualTo(json("{'f:req': {}}"));
    }

    @Test
    void agreeing_on_a_value_is_sharing_it() {
        ObjectNode live = applied(null, "m1", bar("{req: 'x'}"));

        live = applied(live, "m2", bar("{req: 'x'}"));
        live = applied(live, "m1", bar("{}"));

        assertThat(live.at("/spec/req").asText()).isEqualTo("x");
    }

    @Test
    void an_update_takes_what_it_changes_and_gives_up_what_it_removes() {
        ObjectNode live = applied(null, "m1", bar("{req: 'x', m: {a: 1, b: 2}}"));
        ObjectNode changed = live.deepCopy();
        ((ObjectNode) changed.at("/spec/m")).put("a", 5).remove("b");

        ObjectNode updated = ManagedFields.update(live, changed, as("curl"), VERSIONS);

        assertThat(fields(updated, "m1").at("/f:spec")).isEqualTo(json("{'f:req': {}}"));
        assertThat(fields(updated, "curl")).isEqualTo(json("{'f:spec': {'f:m': {'f:a': {}}}}"));
    }

    @Test
    void an_update_that_changes_nothing_leaves_all_owners_as_they_are() {
        ObjectNode live = applied(null, "m1", bar(SPEC));
        ObjectNode sent = live.deepCopy();
        ((ObjectNode) sent.get("metadata")).remove("managedFields");

        assertThat(ManagedFields.update(live, sent, as("curl"), VERSIONS)).isEqualTo(live);
    }

    @Test
    void an_empty_list_of_managed_fields_forgets_all_owners() {
        ObjectNode live = applied(null, "m1", bar(SPEC));
        ObjectNode sent = live.deepCopy();
        ((ObjectNode) sent.get("metadata")).putArray("managedFields").addObject();

        assertThat(ManagedFields.update(live, sent, as("curl"), VERSIONS).at("/metadata/managedFields"))
                .isEmpty();
    }

    @Test
    void what_a_write_resets_is_nobodys_and_no_cause_of_conflict() {
        ObjectNode live = applied(null, "m1", bar("{req: 'x'}"));
        ObjectNode config = bar("{req: 'other'}");
        config.putObject("status").put("ready", 2);
        Versions status = Versions.same(BAR, FieldFilter.resetting("metadata", "spec"));
        ApplyOptions how = new ApplyOptions("m2", false, "status", "example.com/v1", Clocks.LATER);

        ObjectNode object = ((Applied) ServerSideApply.apply(live, config, how, status)).object();

        assertThat(object.at("/status/ready").asInt()).isEqualTo(2);
        assertThat(fields(object, "m2")).isEqualTo(json("{'f:status': {'f:ready': {}}}"));
        assertThat(fields(object, "m1").at("/f:spec")).isEqualTo(json("{'f:req': {}}"));
        assertThat(object.at("/metadata/managedFields/1/subresource").asText()).isEqualTo("status");

        Versions main = Versions.same(BAR, FieldFilter.resetting("status"));
        ObjectNode without = object.deepCopy().without("status");
        assertThat(fields(ManagedFields.update(object, without, as("curl"), main), "m2"))
                .as("a PUT without the status")
                .isEqualTo(json("{'f:status': {'f:ready': {}}}"));
    }

    @Test
    void who_agrees_changes_nothing_and_has_no_time() {
        ObjectNode live = applied(null, "m1", bar("{req: 'x'}"));

        live = applied(live, "m2", bar("{req: 'x'}"));

        assertThat(live.at("/metadata/managedFields/0").has("time")).isFalse();
        assertThat(live.at("/metadata/managedFields/0/manager").asText()).isEqualTo("m2");
    }

    @Test
    void one_who_applies_in_another_version_is_the_same_owner_and_gives_up_in_the_old_one() {
        Versions versions = new Renamed();
        ObjectNode live =
                ((Applied) ServerSideApply.apply(null, bar("{req: 'x', m: {a: 1}}"), as("m1"), versions)).object();
        ObjectNode second =
                object("{apiVersion: 'example.com/v2', kind: 'Bar', metadata: {name: 'f'}, spec: {m: {a: 1}}}");
        ApplyOptions how = new ApplyOptions("m1", false, "", "example.com/v2", Clocks.LATER);

        ObjectNode now =
                ((Applied) ServerSideApply.apply(Renamed.to(live, "example.com/v2"), second, how, versions)).object();

        assertThat(now.get("spec")).isEqualTo(json("{m: {a: 1}}"));
        assertThat(now.at("/metadata/managedFields")).hasSize(1);
        assertThat(now.at("/metadata/managedFields/0/apiVersion").asText()).isEqualTo("example.com/v2");

        ObjectNode other = bar("{req: 'mine'}");
        ObjectNode shared = ((Applied)
                        ServerSideApply.apply(Renamed.to(now, "example.com/v1"), other, as("m2"), versions))
                .object();
        ApplyResult refused = ServerSideApply.apply(
                Renamed.to(shared, "example.com/v2"),
                object(
                        "{apiVersion: 'example.com/v2', kind: 'Bar', metadata: {name: 'f'}, spec: {demand: 'yours', m: {a: 1}}}"),
                how,
                versions);
        assertThat(((Conflicts) refused).message())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"m2\": .spec.req");
    }

    @Test
    void ten_owners_by_update_are_told_apart_the_older_become_one() {
        ObjectNode live = bar("{m: {}}");
        live = ManagedFields.update(null, live, as("m0"), VERSIONS);
        for (int i = 1; i <= 12; i++) {
            ObjectNode changed = live.deepCopy();
            changed.withObject("/spec/m").put("k" + i, i);
            ApplyOptions how = new ApplyOptions("m" + i, false, "", "example.com/v1", Clocks.NOW.plusSeconds(i));
            live = ManagedFields.update(live, changed, how, VERSIONS);
        }

        assertThat(live.at("/metadata/managedFields")).hasSize(10);
        assertThat(fields(live, "ancient-changes").at("/f:spec/f:m").has("f:k3"))
                .isTrue();
        assertThat(fields(live, "m12").at("/f:spec/f:m")).isEqualTo(json("{'f:k12': {}}"));
    }

    /** What is {@code req} in the first version is {@code demand} in the second. */
    private static final class Renamed implements Versions {

        static ObjectNode to(ObjectNode object, String apiVersion) {
            ObjectNode other = object.deepCopy().put("apiVersion", apiVersion);
            ObjectNode spec = other.withObject("/spec");
            String then = apiVersion.endsWith("v2") ? "req" : "demand";
            if (spec.has(then)) {
                spec.set(then.equals("req") ? "demand" : "req", spec.remove(then));
            }
            return other;
        }

        @Override
        public ObjectNode convert(ObjectNode object, String apiVersion) {
            return object.path("apiVersion").asText(apiVersion).equals(apiVersion) ? object : to(object, apiVersion);
        }

        @Override
        public ListTopology lists(String apiVersion) {
            return apiVersion.endsWith("v2") ? ListTopology.PLAIN : BAR;
        }

        @Override
        public FieldFilter filter(String apiVersion) {
            return FieldFilter.NONE;
        }

        @Override
        public boolean looksBack() {
            return true;
        }
    }

    @Test
    void an_object_that_was_never_tracked_belongs_to_those_before_the_first_apply() {
        ApplyResult result = ServerSideApply.apply(bar("{req: 'x'}"), bar("{req: 'y'}"), as("m1"), VERSIONS);

        assertThat(((Conflicts) result).message())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"before-first-apply\" using example.com/v1:"
                        + " .spec.req");
    }

    @Test
    void refuses_a_configuration_that_cannot_be_meant() {
        assertThatThrownBy(() -> applied(null, "m1", bar("{uniq: ['a', 'a']}")))
                .hasMessage(
                        "failed to create typed patch object (/f; example.com/v1, Kind=Bar): .spec.uniq: duplicate entries for key [=\"a\"]");
        assertThatThrownBy(() -> applied(null, "m1", bar("{lm: [5], req: 1, odd: 2}")))
                .isInstanceOf(PatchException.class)
                .hasMessageEndingWith("""
                        errors:
                          .spec.lm: element 0: associative list with keys may not have non-map elements
                          .spec.req: expected string, got &value.valueUnstructured{Value:1}
                          .spec.odd: field not declared in schema""");
        ObjectNode managed = bar("{}");
        ((ObjectNode) managed.get("metadata")).putArray("managedFields");
        assertThatThrownBy(() -> applied(null, "m1", managed)).hasMessage("metadata.managedFields must be nil");
    }

    @Test
    void leaves_what_is_passed_in_as_it_was() {
        ObjectNode live = applied(null, "m1", bar(SPEC));
        ObjectNode before = live.deepCopy();

        applied(live, "m2", bar("{uniq: ['r'], lm: [{k: 'a', v: 1}], m: {bb: 2}}"));
        applied(live, "m1", bar("{req: 'x'}"));

        assertThat(live).isEqualTo(before);
    }

    static ObjectNode bar(String spec) {
        return object("{apiVersion: 'example.com/v1', kind: 'Bar', metadata: {name: 'f', labels: {a: 'b'}}, spec: "
                + spec + "}");
    }

    static ApplyOptions as(String manager) {
        return new ApplyOptions(manager, false, "", "example.com/v1", Clocks.NOW);
    }

    static ObjectNode applied(@Nullable ObjectNode live, String manager, ObjectNode config) {
        return ((Applied) ServerSideApply.apply(live, config, as(manager), VERSIONS)).object();
    }

    private static ObjectNode with(ObjectNode object, String at, String field, String value) {
        ObjectNode copy = object.deepCopy();
        ((ObjectNode) copy.at(at)).put(field, value);
        return copy;
    }

    private static JsonNode fields(ObjectNode object, String manager) {
        for (JsonNode entry : object.at("/metadata/managedFields")) {
            if (entry.path("manager").asText().equals(manager)) {
                return entry.get("fieldsV1");
            }
        }
        throw new AssertionError(manager + " owns nothing: " + object.at("/metadata/managedFields"));
    }
}
