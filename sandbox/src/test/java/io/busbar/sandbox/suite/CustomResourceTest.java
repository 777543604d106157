package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CustomResourceTest {

    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String SCHEMA = """
            {'openAPIV3Schema':{'type':'object','properties':{
              'spec':{'type':'object','required':['size'],'properties':{
                'size':{'type':'integer','minimum':1},'replicas':{'type':'integer'},
                'color':{'type':'string','default':'red'}}},
              'status':{'type':'object','properties':{'phase':{'type':'string'},'replicas':{'type':'integer'}}}}}}""";

    private final Api api = Server.api();
    private final String namespace = api.newNamespace();
    private final String group =
            "g" + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), 36) + ".example.com";
    private final String widgets = "/apis/" + group + "/v1/namespaces/" + namespace + "/widgets";

    @BeforeEach
    void define() {
        Answer made = api.post(DEFINITIONS, """
                {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':{'name':'widgets.%1$s'},
                 'spec':{'group':'%1$s','scope':'Namespaced',
                  'names':{'plural':'widgets','singular':'widget','kind':'Widget','shortNames':['wd']},
                  'versions':[
                   {'name':'v1','served':true,'storage':true,'schema':%2$s,
                    'subresources':{'status':{},'scale':{'specReplicasPath':'.spec.replicas','statusReplicasPath':'.status.replicas'}},
                    'additionalPrinterColumns':[{'name':'Size','type':'integer','jsonPath':'.spec.size'},
                     {'name':'Phase','type':'string','jsonPath':'.status.phase'}]},
                   {'name':'v1alpha1','served':true,'storage':false,'schema':%2$s}]}}""".formatted(group, SCHEMA));
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        assertThat(made.text("/status/storedVersions/0")).isEqualTo("v1");
        assertThat(made.text("/spec/conversion/strategy")).isEqualTo("None");
        assertThat(made.text("/spec/names/listKind")).isEqualTo("WidgetList");
        Api.until(
                () -> api.get(DEFINITIONS + "/widgets." + group),
                answer -> answer.body().at("/status/conditions").toString().contains("\"Established\""));
        Api.until(() -> api.get(widgets), answer -> answer.code() == 200);
    }

    @AfterEach
    void forget() {
        api.delete(DEFINITIONS + "/widgets." + group);
    }

    private String widget(String name, String spec) {
        return "{'apiVersion':'" + group + "/v1','kind':'Widget','metadata':{'name':'" + name + "'},'spec':" + spec
                + "}";
    }

    @Test
    void are_discovered() {
        Answer list = api.get("/apis/" + group + "/v1");
        assertThat(list.text("/resources/0/name")).isEqualTo("widgets");
        assertThat(list.text("/resources/0/singularName")).isEqualTo("widget");
        assertThat(list.text("/resources/0/shortNames/0")).isEqualTo("wd");
        assertThat(api.get("/apis/" + group).text("/preferredVersion/version")).isEqualTo("v1");
    }

    @Test
    void get_defaults_and_lose_what_is_unknown() {
        Answer made = api.post(widgets, widget("w", "{'size':1,'bogus':2}"));
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        assertThat(made.body().path("spec").has("bogus")).isFalse();
        assertThat(made.text("/spec/color")).isEqualTo("red");
        assertThat(made.text("/metadata/generation")).isEqualTo("1");
        assertThat(made.text("/metadata/managedFields/0/fieldsV1/f:spec/f:size"))
                .isEmpty();
    }

    @Test
    @Since(value = "1.27", why = "fieldValidation")
    void are_read_strictly_on_demand() {
        Answer warned = api.post(widgets + "?fieldValidation=Warn", widget("w", "{'size':1,'bogus':2}"));
        assertThat(warned.code()).isEqualTo(201);
        assertThat(warned.headers().firstValue("Warning")).hasValue("299 - \"unknown field \\\"spec.bogus\\\"\"");
        Answer refused = api.post(widgets + "?fieldValidation=Strict", widget("v", "{'size':1,'bogus':2}"));
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message())
                .isEqualTo(
                        "Widget in version \"v1\" cannot be handled as a Widget: strict decoding error: unknown field"
                                + " \"spec.bogus\"");
    }

    @Test
    void are_validated() {
        Answer refused = api.post(widgets, widget("w", "{'size':0}"));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .isEqualTo(
                        "Widget." + group + " \"w\" is invalid: spec.size: Invalid value: 0: spec.size in body should"
                                + " be greater than or equal to 1");
        assertThat(refused.causes())
                .containsExactly(
                        "FieldValueInvalid spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1");
    }

    @Test
    void hold_what_is_embedded_to_its_types_and_lists_to_their_kind() {
        try (CustomGroup others = new CustomGroup(api)) {
            others.serve(others.widgets(
                    "",
                    CustomGroup.version(
                            "v1",
                            true,
                            "{'type':'object','properties':{'spec':{'type':'object','properties':{"
                                    + "'pod':{'type':'object','x-kubernetes-embedded-resource':true,"
                                    + "'x-kubernetes-preserve-unknown-fields':true},'port':{'x-kubernetes-int-or-string':true},"
                                    + "'set':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'string'}},"
                                    + "'any':{'type':'object','additionalProperties':true},"
                                    + "'id':{'type':'string','format':'uuid4'},'host':{'type':'string','format':'hostname'},"
                                    + "'colour':{'type':'string','format':'hexcolor'}}}}}",
                            "")));
            String url = others.url("v1", namespace) + "?dryRun=All";
            for (String wrong : List.of(
                    "{'apiVersion':'v1','kind':'Pod','metadata':{'labels':{'a':1}}}",
                    "{'apiVersion':'v1','kind':'Pod','metadata':{'creationTimestamp':'x'}}",
                    "{'apiVersion':1,'kind':'Pod'}")) {
                Answer refused = api.post(url, others.widget("v1", "w", ",'spec':{'pod':" + wrong + "}"));
                assertThat(refused.code()).as(wrong).isEqualTo(400);
                assertThat(refused.message())
                        .startsWith("Widget in version \"v1\" cannot be handled as a Widget: spec.pod.");
            }
            Answer thrice = api.post(url, others.widget("v1", "w", ",'spec':{'set':['a','a','b','a','b']}"));
            assertThat(thrice.causes())
                    .containsExactly(
                            "FieldValueDuplicate spec.set[1]: Duplicate value: \"a\"",
                            "FieldValueDuplicate spec.set[4]: Duplicate value: \"b\"");
            Answer made = api.post(
                    url, others.widget("v1", "w", ",'spec':{'port':null,'any':{'a':{'b':1},'c':'d'},'colour':'#fff'}"));
            assertThat(made.body().at("/spec")).hasToString("{\"any\":{\"a\":{},\"c\":\"d\"},\"colour\":\"#fff\"}");
            for (String wrong : List.of(
                    "'id':'a8098c1a-f86e-11da-bd1a-00112444be1e'",
                    "'host':'a.b'",
                    "'host':'a_b.com'",
                    "'colour':'red'")) {
                assertThat(api.post(url, others.widget("v1", "w", ",'spec':{" + wrong + "}"))
                                .code())
                        .as(wrong)
                        .isEqualTo(422);
            }
        }
    }

    @Test
    void must_tell_their_kind() {
        Answer kindless =
                api.post(widgets, "{'apiVersion':'" + group + "/v1','metadata':{'name':'w'},'spec':{'size':1}}");
        assertThat(kindless.code()).isEqualTo(400);
        assertThat(kindless.message()).contains("Object 'Kind' is missing in");
        Answer other = api.post(
                widgets, "{'apiVersion':'" + group + "/v1','kind':'Wodget','metadata':{'name':'w'},'spec':{'size':1}}");
        assertThat(other.code()).isEqualTo(422);
        assertThat(other.causes()).containsExactly("FieldValueInvalid kind: Invalid value: \"Wodget\": must be Widget");
        Answer version = api.post(
                widgets, "{'apiVersion':'" + group + "/v7','kind':'Widget','metadata':{'name':'w'},'spec':{'size':1}}");
        assertThat(version.code()).isEqualTo(400);
        assertThat(version.message())
                .isEqualTo("the API version in the data (" + group + "/v7) does not match the expected API version ("
                        + group + "/v1)");
    }

    @Test
    void need_a_version_to_be_replaced() {
        Answer made = api.post(widgets, widget("w", "{'size':1}"));
        Answer refused = api.put(widgets + "/w", widget("w", "{'size':2}"));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .isEqualTo("widgets." + group
                        + " \"w\" is invalid: metadata.resourceVersion: Invalid value: "
                        + Server.since(36, "0", "0x0") + ": must be specified for an update");
        Answer now = api.put(
                widgets + "/w",
                widget("w", "{'size':2}")
                        .replace("'name':'w'", "'name':'w','resourceVersion':'" + made.revision() + "'"));
        assertThat(now.text("/metadata/generation")).isEqualTo("2");
    }

    @Test
    void keep_their_status_apart() {
        Answer made = api.post(widgets, widget("w", "{'size':1},'status':{'phase':'early'}"));
        assertThat(made.body().has("status")).isFalse();
        Answer status = api.patch(widgets + "/w/status", Api.MERGE, "{'spec':{'size':5},'status':{'phase':'on'}}");
        assertThat(status.code()).as(status.message()).isEqualTo(200);
        assertThat(status.text("/spec/size")).isEqualTo("1");
        assertThat(status.text("/status/phase")).isEqualTo("on");
        assertThat(status.text("/metadata/generation")).isEqualTo("1");
        Answer spec = api.patch(widgets + "/w", Api.MERGE, "{'spec':{'size':5},'status':{'phase':'off'}}");
        assertThat(spec.text("/spec/size")).isEqualTo("5");
        assertThat(spec.text("/status/phase")).isEqualTo("on");
        assertThat(spec.text("/metadata/generation")).isEqualTo("2");
    }

    @Test
    void scale() {
        api.post(widgets, widget("w", "{'size':1}"));
        Answer none = api.get(widgets + "/w/scale");
        assertThat(none.code()).isEqualTo(500);
        assertThat(none.message())
                .isEqualTo("Internal error occurred: the spec replicas field \".spec.replicas\" does not exist");
        api.patch(widgets + "/w", Api.MERGE, "{'spec':{'replicas':1}}");
        Answer scaled = api.patch(widgets + "/w/scale", Api.MERGE, "{'spec':{'replicas':4}}");
        assertThat(scaled.text("/spec/replicas")).isEqualTo("4");
        assertThat(api.get(widgets + "/w").text("/spec/replicas")).isEqualTo("4");
    }

    @Test
    void understand_no_strategic_patch() {
        api.post(widgets, widget("w", "{'size':1}"));
        Answer refused = api.patch(widgets + "/w", Api.STRATEGIC, "{'spec':{'size':2}}");
        assertThat(refused.code()).isEqualTo(415);
        assertThat(refused.message())
                .isEqualTo("the body of the request was in an unknown format - accepted media types include:"
                        + " application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml");
    }

    @Test
    void are_served_in_each_version() {
        api.post(widgets, widget("w", "{'size':1}"));
        String alpha = widgets.replace("/v1/", "/v1alpha1/");
        Answer other = api.get(alpha + "/w");
        assertThat(other.text("/apiVersion")).isEqualTo(group + "/v1alpha1");
        assertThat(other.text("/spec/size")).isEqualTo("1");
        Answer list = api.get(alpha);
        assertThat(list.text("/apiVersion")).isEqualTo(group + "/v1alpha1");
        assertThat(list.text("/items/0/apiVersion")).isEqualTo(group + "/v1alpha1");
    }

    @Test
    void print_their_columns() {
        api.post(widgets, widget("w", "{'size':7}"));
        Answer table = api.get(widgets, "application/json;as=Table;g=meta.k8s.io;v=v1");
        assertThat(table.body().path("columnDefinitions").findValuesAsText("name"))
                .containsExactly("Name", "Size", "Phase");
        assertThat(table.body().at("/rows/0/cells").toString()).isIn("[\"w\",7,null]", "[\"w\",7,\"\"]");
    }

    @Test
    void can_be_applied() {
        String configuration = widget("w", "{'size':3}");
        Answer made = api.patch(widgets + "/w?fieldManager=me", Api.APPLY, configuration);
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        Answer again = api.patch(widgets + "/w?fieldManager=me", Api.APPLY, configuration);
        assertThat(again.code()).isEqualTo(200);
        assertThat(again.revision()).isEqualTo(made.revision());
    }

    @Test
    void go_with_their_definition() {
        api.post(widgets, widget("w", "{'size':1}"));
        try (Watching watch = api.watch(widgets + "?watch=true")) {
            assertThat(watch.summary()).isEqualTo("ADDED w");
            Answer marked = api.delete(DEFINITIONS + "/widgets." + group);
            assertThat(marked.text("/metadata/finalizers/0")).isEqualTo("customresourcecleanup.apiextensions.k8s.io");
            assertThat(watch.summary()).isEqualTo("DELETED w");
        }
        Api.until(() -> api.get(DEFINITIONS + "/widgets." + group), answer -> answer.code() == 404);
        Api.until(() -> api.get(widgets), answer -> answer.code() == 404);
    }
}
