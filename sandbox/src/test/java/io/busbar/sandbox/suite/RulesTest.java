package io.busbar.sandbox.suite;

import static io.busbar.sandbox.suite.CustomGroup.version;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rules in schemas, and what else of definitions came after 1.20. */
@Since(value = "1.25", why = "x-kubernetes-validations")
class RulesTest {

    /** How an object is shown that breaks a rule. */
    private static final String OBJECT = Server.since(36, "", "\"object\": ");

    private final Api api = Server.api();
    private final CustomGroup group = new CustomGroup(api);
    private final String namespace = api.newNamespace();
    private final String widgets = group.url("v1", namespace);

    @AfterEach
    void forget() {
        group.close();
    }

    /** @param rules with two quotes for a double one in JSON, one for a single one of CEL */
    private Answer define(String rules) {
        return group.define(group.widgets("", version("v1", true, schema(rules), ",'subresources':{'status':{}}")));
    }

    private void serve(String rules) {
        group.serve(group.widgets("", version("v1", true, schema(rules), ",'subresources':{'status':{}}")));
    }

    private static String schema(String rules) {
        return "{'type':'object','properties':{'spec':{'type':'object','x-kubernetes-validations':[" + rules
                + "],'properties':{'min':{'type':'integer'},'max':{'type':'integer'},"
                + "'name':{'type':'string','maxLength':20},'list':{'type':'array','items':{'type':'string'}}}},"
                + "'status':{'type':'object','properties':{'n':{'type':'integer'}},"
                + "'x-kubernetes-validations':[{'rule':'self.n >= 0','message':'not less than none'}]}}}";
    }

    private Answer make(String spec) {
        return api.post(widgets, group.widget("v1", "w", ",'spec':" + spec));
    }

    @Test
    void hold_for_what_is_made() {
        serve("{'rule':'self.min <= self.max','message':'min is above max'}");
        Answer refused = make("{'min':3,'max':2}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.reason()).isEqualTo("Invalid");
        assertThat(refused.message())
                .isEqualTo("Widget." + group.name() + " \"w\" is invalid: spec: Invalid value: " + OBJECT
                        + "min is above max");
        assertThat(refused.causes())
                .containsExactly("FieldValueInvalid spec: Invalid value: " + OBJECT + "min is above max");
        assertThat(make("{'min':1,'max':2}").code()).isEqualTo(201);
    }

    @Test
    void hold_for_what_is_changed() {
        serve("{'rule':'self.max == oldSelf.max','message':'max stays'}");
        assertThat(make("{'max':2}").code()).isEqualTo(201);
        Answer refused = api.patch(widgets + "/w", Api.MERGE, "{'spec':{'max':3}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes()).containsExactly("FieldValueInvalid spec: Invalid value: " + OBJECT + "max stays");
        assertThat(api.patch(widgets + "/w", Api.MERGE, "{'spec':{'min':1}}").code())
                .isEqualTo(200);
    }

    @Test
    void hold_for_the_status() {
        serve("{'rule':'true'}");
        make("{'max':2}");
        Answer refused = api.patch(widgets + "/w/status", Api.MERGE, "{'status':{'n':-1}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes())
                .containsExactly("FieldValueInvalid status: Invalid value: " + OBJECT + "not less than none");
    }

    @Test
    void fail_on_what_is_not_there() {
        serve("{'rule':'self.min <= self.max'}");
        Answer refused = make("{'min':3}");
        assertThat(refused.causes())
                .containsExactly(
                        "FieldValueInvalid spec: Invalid value: \"object\": no such key: max evaluating rule: self.min"
                                + " <= self.max");
    }

    @Test
    void are_left_alone_while_the_schema_is_broken() {
        serve("{'rule':'self.min <= self.max'}");
        Answer refused = make("{'min':'x','max':2}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes().toString())
                .contains("spec.min in body must be of type integer")
                .contains("some validation rules were not checked because the object was invalid");
    }

    @Test
    void are_type_checked() {
        Answer refused = define("{'rule':'self.foo > 3'}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .startsWith("CustomResourceDefinition.apiextensions.k8s.io \"widgets." + group.name()
                        + "\" is invalid: spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule:"
                        + " Invalid value: ")
                .contains("compilation failed: ERROR: <input>:1:5: undefined field 'foo'");
    }

    @Test
    void must_not_cost_too_much() {
        Answer refused = define("{'rule':'self.list.all(x, self.list.all(y, x == y))'}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .contains(
                        "x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of")
                .contains("estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of");
    }

    @Test
    @Since(value = "1.32", why = "selectableFields")
    void go_with_fields_to_select_by() {
        group.serve(group.widgets(
                "",
                version(
                        "v1",
                        true,
                        schema("{'rule':'true'}"),
                        ",'selectableFields':[{'jsonPath':'.spec.name'},{'jsonPath':'.spec.max'}]")));
        api.post(widgets, group.widget("v1", "a", ",'spec':{'name':'x','max':1}"));
        api.post(widgets, group.widget("v1", "b", ",'spec':{'name':'y','max':2}"));
        assertThat(api.get(widgets + "?fieldSelector=spec.name%3Dx").names()).containsExactly("a");
        assertThat(api.get(widgets + "?fieldSelector=spec.max!%3D1").names()).containsExactly("b");
        Answer refused = api.get(widgets + "?fieldSelector=spec.min%3D1");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).isEqualTo("field label not supported: spec.min");
        try (Watching watch = api.watch(widgets + "?watch=true&fieldSelector=spec.name%3Dx")) {
            assertThat(watch.summary()).isEqualTo("ADDED a");
            api.patch(widgets + "/b", Api.MERGE, "{'spec':{'name':'x'}}");
            assertThat(watch.summary()).isEqualTo("ADDED b");
            api.patch(widgets + "/a", Api.MERGE, "{'spec':{'name':'z'}}");
            assertThat(watch.summary()).isEqualTo("DELETED a");
        }
    }

    @Test
    @Since(value = "1.32", why = "selectableFields")
    void refuse_fields_that_cannot_be_selected_by() {
        Answer refused = group.define(group.widgets(
                "",
                version(
                        "v1",
                        true,
                        schema("{'rule':'true'}"),
                        ",'selectableFields':[{'jsonPath':'.spec'},{'jsonPath':'.nowhere'}]")));
        assertThat(refused.causes())
                .containsExactly(
                        "FieldValueInvalid spec.selectableFields[0].jsonPath: Invalid value: \".spec\": must point to a field of"
                                + " type string, boolean or integer. Enum string fields and strings with formats are allowed.",
                        "FieldValueInvalid spec.selectableFields[1].jsonPath: Invalid value: \".nowhere\": is an invalid path:"
                                + " does not refer to a valid field");
    }
}
