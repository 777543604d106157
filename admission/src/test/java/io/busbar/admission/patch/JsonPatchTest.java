package io.busbar.admission.patch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class JsonPatchTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    void inserts_a_container_ahead_of_others_and_leaves_them_alone() {
        assertThat(diff(
                        "{'containers':[{'name':'app','image':'a'}]}",
                        "{'containers':[{'name':'log','image':'l'},{'name':'app','image':'a'}]}"))
                .isEqualTo(json("[{'op':'add','path':'/containers/0','value':{'name':'log','image':'l'}}]"));
    }

    @Test
    void changes_one_member_of_a_named_element() {
        assertThat(diff(
                        "[{'name':'a','image':'1'},{'name':'b','image':'2'}]",
                        "[{'name':'a','image':'1'},{'name':'b','image':'3'}]"))
                .isEqualTo(json("[{'op':'replace','path':'/1/image','value':'3'}]"));
    }

    @Test
    void removes_named_elements_from_the_end_and_then_changes_what_is_left() {
        assertThat(diff(
                        "[{'name':'a'},{'name':'b'},{'name':'c'},{'name':'d'}]",
                        "[{'name':'b'},{'name':'d','x':1},{'name':'e'}]"))
                .isEqualTo(json("[{'op':'remove','path':'/2'},{'op':'remove','path':'/0'},"
                        + "{'op':'add','path':'/1/x','value':1},{'op':'add','path':'/2','value':{'name':'e'}}]"));
    }

    @Test
    void moves_as_few_named_elements_as_it_can() {
        assertThat(diff("[{'name':'a'},{'name':'b'},{'name':'c'}]", "[{'name':'c'},{'name':'a'},{'name':'b'}]"))
                .isEqualTo(json("[{'op':'remove','path':'/2'},{'op':'add','path':'/0','value':{'name':'c'}}]"));
    }

    @Test
    void writes_a_list_anew_when_nothing_of_it_is_left() {
        assertThat(diff("['a','b']", "['c','d','e']"))
                .isEqualTo(json("[{'op':'replace','path':'','value':['c','d','e']}]"));
    }

    @Test
    void replaces_one_value_among_equals() {
        assertThat(diff("['a','b','c']", "['a','x','c']"))
                .isEqualTo(json("[{'op':'replace','path':'/1','value':'x'}]"));
    }

    @Test
    void escapes_slashes_and_tildes_in_names() {
        assertThat(diff("{}", "{'x.io/a~b':'1'}")).isEqualTo(json("[{'op':'add','path':'/x.io~1a~0b','value':'1'}]"));
    }

    @Test
    void tells_null_from_absent() {
        assertThat(diff("{'a':null}", "{}")).isEqualTo(json("[{'op':'remove','path':'/a'}]"));
    }

    @Test
    void takes_numbers_of_equal_value_for_equal() {
        assertThat(diff("{'a':1,'b':[1.50]}", "{'a':1.0,'b':[1.5]}")).isEmpty();
    }

    @Test
    void carries_a_typed_change_over_without_losing_what_the_type_does_not_know() {
        JsonNode raw = json("{'spec':{'new':1,'containers':[{'name':'a','alpha':true},{'name':'b'}]}}");
        JsonNode before = json("{'spec':{'containers':[{'name':'a'},{'name':'b'}]},'status':{}}");
        JsonNode after = json(
                "{'spec':{'containers':[{'name':'x'},{'name':'a','pull':'Always'},{'name':'b'}],'mode':'m'},'status':{}}");

        assertThat(JsonPatch.diff(raw, Overlay.apply(raw, before, after)))
                .isEqualTo(json("[{'op':'add','path':'/spec/containers/0','value':{'name':'x'}},"
                        + "{'op':'add','path':'/spec/containers/1/pull','value':'Always'},"
                        + "{'op':'add','path':'/spec/mode','value':'m'}]"));
    }

    @Test
    void creates_the_parents_that_only_the_type_has() {
        JsonNode raw = json("{'spec':{}}");
        JsonNode before = json("{'spec':{'strategy':{}}}");
        JsonNode after = json("{'spec':{'strategy':{'type':'Rolling'}}}");

        assertThat(JsonPatch.diff(raw, Overlay.apply(raw, before, after)))
                .isEqualTo(json("[{'op':'add','path':'/spec/strategy','value':{'type':'Rolling'}}]"));
    }

    private static JsonNode diff(String before, String after) {
        return JsonPatch.diff(json(before), json(after));
    }

    private static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
