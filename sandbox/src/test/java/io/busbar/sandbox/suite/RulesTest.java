package io.busbar.sandbox.suite;

import static io.busbar.sandbox.suite.CustomGroup.version;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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

    /**
     * Items of a plain list are told apart by their place, those of a map by their keys, those of a set and an atomic
     * one not at all.
     */
    @Test
    @Since(value = "1.30", why = "ratcheting")
    void let_pass_what_was_wrong_before() {
        group.serve(group.widgets("", version("v1", true, lists("'maxLength':9"), "")));
        String good = "'plain':['bad','ok'],'set':['bad','ok'],'atomic':['bad','ok'],'map':[{'k':'1','v':'bad'}]";
        assertThat(make("{" + good + "}").code()).isEqualTo(201);
        narrow("'maxLength':2");
        assertThat(change("{'note':'n'}")).isEmpty();
        assertThat(change("{'plain':['bad','ok','in']}")).isEmpty();
        assertThat(change("{'plain':['ok','bad']}")).containsExactly("spec.plain[1]");
        assertThat(change("{'map':[{'k':'2','v':'ok'},{'k':'1','v':'bad'}]}")).isEmpty();
        assertThat(change("{'map':[{'k':'2','v':'bad'}]}")).containsExactly("spec.map[0].v");
        assertThat(change("{'set':['bad']}")).containsExactly("spec.set[0]");
        assertThat(change("{'atomic':['bad','ok','in']}")).containsExactly("spec.atomic[0]");

        narrow("'maxLength':9,'x-kubernetes-validations':[{'rule':'self.size() < 3','message':'short ones only'}]");
        assertThat(change("{'plain':['bad','ok','in']}")).isEmpty();
        assertThat(change("{'plain':['ok','bad']}")).containsExactly("spec.plain[1]");
        assertThat(change("{'map':[{'k':'2','v':'ok'},{'k':'1','v':'bad'}]}")).isEmpty();
        Answer refused = api.patch(widgets + "/w", Api.MERGE, "{'spec':{'set':['bad']}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.headers().allValues("Warning").toString())
                .contains("spec.plain[0]: Invalid value: \\\"bad\\\": short ones only");

        narrow("'maxLength':9,'x-kubernetes-validations':[{'rule':'1 / (self.size() - 3) < 9'}]");
        assertThat(change("{'note':'n'}"))
                .as("a rule that cannot be asked")
                .containsExactlyInAnyOrder("spec.plain[0]", "spec.set[0]", "spec.atomic[0]", "spec.map[0].v");
    }

    private static String lists(String text) {
        String item = "{'type':'string'," + text + "}";
        String list = "{'type':'array','maxItems':5,'items':" + item;
        return "{'type':'object','properties':{'spec':{'type':'object','properties':{'note':{'type':'string'},'plain':"
                + list
                + "},'set':" + list + ",'x-kubernetes-list-type':'set'},'atomic':" + list
                + ",'x-kubernetes-list-type':'atomic'},'map':{'type':'array','maxItems':5,"
                + "'x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],'items':{'type':'object',"
                + "'required':['k'],'properties':{'k':{'type':'string','maxLength':3},'v':" + item + "}}}}}}}";
    }

    /** Waits until values are checked so. */
    private void narrow(String text) {
        Answer changed = api.patch(
                group.definition("widgets"),
                Api.JSON_PATCH,
                "[{'op':'replace','path':'/spec/versions/0/schema/openAPIV3Schema','value':" + lists(text) + "}]");
        assertThat(changed.code()).as(changed.message()).isEqualTo(200);
        String probe = text.contains("/") ? "division by zero" : text.contains("rule") ? "short" : "Too long";
        Api.until(
                () -> api.post(widgets + "?dryRun=All", group.widget("v1", "x", ",'spec':{'plain':['bad']}")),
                answer -> answer.message().contains(probe));
    }

    private List<String> change(String spec) {
        Answer answer = api.patch(widgets + "/w?dryRun=All", Api.MERGE, "{'spec':" + spec + "}");
        return answer.code() == 200
                ? List.of()
                : answer.body().at("/details/causes").findValuesAsText("field");
    }

    @Test
    @Since(value = "1.36", why = "the words of CEL as it is now")
    void fail_in_the_words_of_cel() {
        serve(
                "{'rule':'int(self.name) > 0'},{'rule':'7 % self.min > 0'},{'rule':'self.name.substring(5) != self.name'},"
                        + "{'rule':'optional.none().value() == self.name'},{'rule':'self.list[3] == self.name'}");
        assertThat(make("{'name':'x','min':0,'list':['a']}").message())
                .contains(
                        "type conversion error from 'string' to 'int' evaluating rule: int(self.name) > 0",
                        "modulus by zero evaluating rule: 7 % self.min > 0",
                        "index out of range: 5 evaluating rule",
                        "optional.none() dereference evaluating rule",
                        "index out of bounds: 3 evaluating rule");
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
