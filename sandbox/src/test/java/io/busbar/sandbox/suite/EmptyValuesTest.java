package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Empty texts and nulls in custom resources. */
class EmptyValuesTest {

    private static final String SCHEMA = """
            {'type':'object','properties':{
              'spec':{'type':'object','properties':{
                'note':{'type':'string'},'notes':{'type':'array','items':{'type':'string'}}}},
              'status':{'type':'object','properties':{'conditions':{'type':'array',
                'x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['type'],
                'items':{'type':'object','required':['type'],
                  'properties':{'type':{'type':'string'},'message':{'type':'string'}}}}}}}}""";

    private final Api api = Server.api();
    private final CustomGroup group = new CustomGroup(api);
    private final String widgets = group.url("v1", api.newNamespace());

    @BeforeEach
    void define() {
        group.serve(group.widgets("", CustomGroup.version("v1", true, SCHEMA, ",'subresources':{'status':{}}")));
    }

    @AfterEach
    void forget() {
        group.close();
    }

    private Answer apply(String path, String more) {
        return api.patch(widgets + path + "?fieldManager=m", Api.APPLY, group.widget("v1", "w", more));
    }

    @Test
    @Since(
            value = "1.21",
            why = "empty texts in servers built by Go 1.16 or later, to which 1.20's sources take them for null,")
    void empty_texts_are_texts() {
        Answer made = api.post(widgets, group.widget("v1", "w", ",'spec':{'note':'','notes':['']}"));
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        assertThat(made.body().path("spec").toString()).isEqualTo("{\"note\":\"\",\"notes\":[\"\"]}");
        Answer applied = apply("/w/status", ",'status':{'conditions':[{'type':'Ready','message':''}]}");
        assertThat(applied.code()).as(applied.message()).isEqualTo(200);
        assertThat(applied.body().at("/status/conditions"))
                .isEqualTo(Api.json("[{\"type\":\"Ready\",\"message\":\"\"}]".getBytes(StandardCharsets.UTF_8)));
        Answer merged =
                api.patch(widgets + "/w/status", Api.MERGE, "{'status':{'conditions':[{'type':'Done','message':''}]}}");
        assertThat(merged.code()).as(merged.message()).isEqualTo(200);
    }

    @Test
    void a_null_in_the_place_of_a_text_is_left_out_when_an_object_is_made() {
        Answer made = api.post(widgets, group.widget("v1", "w", ",'spec':{'note':null}"));
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        assertThat(made.body().path("spec").toString()).isEqualTo("{}");
    }

    @Test
    void a_null_in_a_list_of_texts_is_refused() {
        Answer refused = api.post(widgets, group.widget("v1", "w", ",'spec':{'notes':[null]}"));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("in body must be of type string: \"null\"");
    }

    @Test
    void a_null_that_is_applied_is_refused() {
        Answer refused = apply("/w", ",'spec':{'note':null}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .endsWith("spec.note: Invalid value: \"null\": spec.note in body must be of type string: \"null\"");
        assertThat(apply("/w", ",'spec':null").code()).isEqualTo(422);
        assertThat(apply("/w", ",'spec':{'note':'x'}").code()).isEqualTo(201);
        assertThat(apply("/w", ",'spec':{'note':null}").code()).isEqualTo(422);
        String other = widgets + "/w?fieldManager=n";
        Answer bare = api.patch(other, Api.APPLY, group.widget("v1", "w", ",'spec':null"));
        assertThat(bare.code()).as(bare.message()).isEqualTo(200);
        assertThat(bare.text("/spec/note")).isEqualTo("x");
    }

    @Test
    void a_null_in_an_item_of_a_list_is_left_out_by_a_merge() {
        api.post(widgets, group.widget("v1", "w", ",'spec':{}"));
        Answer merged = api.patch(
                widgets + "/w/status", Api.MERGE, "{'status':{'conditions':[{'type':'Done','message':null}]}}");
        assertThat(merged.code() + merged.message()).isEqualTo("200");
    }

    @Test
    void a_time_that_is_the_first_of_all_is_none() {
        String namespace = api.newNamespace();
        Answer event = api.post(
                "/api/v1/namespaces/" + namespace + "/events",
                "{'metadata':{'name':'e'},'involvedObject':{'kind':'Pod','namespace':'" + namespace + "','name':'p'},"
                        + "'firstTimestamp':'0001-01-01T00:00:00Z'}");
        assertThat(event.code()).as(event.message()).isEqualTo(201);
        assertThat(event.body().hasNonNull("firstTimestamp")).isFalse();
    }
}
