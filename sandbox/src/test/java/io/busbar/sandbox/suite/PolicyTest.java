package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** Policies are known to a real server a moment after they are made. */
@Since(value = "1.30", why = "ValidatingAdmissionPolicy")
class PolicyTest {

    private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";

    private final Api api = Server.api();
    private final String namespace = api.newNamespace();
    private final String configMaps = "/api/v1/namespaces/" + namespace + "/configmaps";
    private final String name =
            "suite-" + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), 36);

    /** A policy about ConfigMaps of this test's namespace. */
    private Answer policy(String kind, String spec) {
        return api.post(GROUP + kind + "admissionpolicies", """
                {'metadata':{'name':'%s'},'spec':{'matchConstraints':{'namespaceSelector':{'matchLabels':
                {'kubernetes.io/metadata.name':'%s'}},'resourceRules':[{'apiGroups':[''],'apiVersions':['v1'],
                'operations':['CREATE','UPDATE'],'resources':['configmaps','pods']}]},%s}}""".formatted(name, namespace, spec));
    }

    private Answer bind(String kind, String spec) {
        return api.post(
                GROUP + kind + "admissionpolicybindings",
                "{'metadata':{'name':'" + name + "'},'spec':{'policyName':'" + name + "'" + spec + "}}");
    }

    private Answer configMap(String named, String data) {
        return api.post(configMaps + "?dryRun=All", "{'metadata':{'name':'" + named + "'},'data':{" + data + "}}");
    }

    private Answer untilRefused(String data) {
        return Api.until(() -> configMap("a", data), answer -> answer.code() >= 400);
    }

    private String denied(String why) {
        return "configmaps \"a\" is forbidden: ValidatingAdmissionPolicy '" + name + "' with binding '" + name
                + "' denied request: " + why;
    }

    @Test
    void refuses_with_a_reason_of_its_own() {
        Answer made = policy("validating", "'validations':[{'expression':'!has(object.data)','reason':'Forbidden'}]");
        assertThat(made.code()).isEqualTo(201);
        assertThat(made.text("/spec/failurePolicy")).isEqualTo("Fail");
        assertThat(made.text("/spec/matchConstraints/matchPolicy")).isEqualTo("Equivalent");
        assertThat(made.text("/spec/matchConstraints/resourceRules/0/scope")).isEqualTo("*");
        assertThat(made.text("/metadata/generation")).isEqualTo("1");
        assertThat(bind("validating", ",'validationActions':['Deny']").code()).isEqualTo(201);
        Answer refused = untilRefused("'a':'1'");
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.reason()).isEqualTo("Forbidden");
        assertThat(refused.message()).isEqualTo(denied("failed expression: !has(object.data)"));
        api.delete(GROUP + "validatingadmissionpolicybindings/" + name);
        Api.until(() -> configMap("a", "'a':'1'"), answer -> answer.code() == 201);
    }

    @Test
    void only_warns_if_it_should() {
        policy("validating", "'validations':[{'expression':'!has(object.data)','message':'no data'}]");
        bind("validating", ",'validationActions':['Warn','Audit']");
        Answer warned = Api.until(
                () -> configMap("a", "'a':'1'"),
                answer -> !answer.headers().allValues("warning").isEmpty());
        assertThat(warned.code()).isEqualTo(201);
        assertThat(warned.headers().firstValue("warning"))
                .hasValue("299 - \"Validation failed for ValidatingAdmissionPolicy '" + name + "' with binding '" + name
                        + "': no data\"");
    }

    @Test
    void asks_variables_that_are_made_of_others_and_tells_which_fails() {
        policy("validating", """
                'variables':[{'name':'n','expression':'size(object.data)'},
                {'name':'twice','expression':'variables.n * 2'},
                {'name':'bad','expression':'object.data.none'}],
                'validations':[{'expression':'variables.twice < 4','messageExpression':'string(variables.twice)'},
                {'expression':'variables.n > 0 || variables.bad == string(1)'}]""");
        bind("validating", ",'validationActions':['Deny']");
        assertThat(untilRefused("'a':'1','b':'1'").message()).isEqualTo(denied("4"));
        assertThat(configMap("a", "'a':'1'").code()).isEqualTo(201);
        assertThat(configMap("a", "").message())
                .isEqualTo(
                        denied("expression 'variables.twice < 4' resulted in error: composited variable \"twice\" fails"
                                + " to evaluate: composited variable \"n\" fails to evaluate: no such key: data"));
    }

    @Test
    void takes_parameters_by_name_and_by_labels() {
        policy(
                "validating",
                "'paramKind':{'apiVersion':'v1','kind':'ConfigMap'},'matchConditions':[{'name':'new','expression':"
                        + "'object.metadata.name.startsWith(string(params.data.prefix))'}],"
                        + "'validations':[{'expression':'size(object.data) <= int(params.data.most)',"
                        + "'messageExpression':'\\u0027at most \\u0027 + params.data.most'}]");
        bind(
                "validating",
                ",'validationActions':['Deny'],'paramRef':{'selector':{'matchLabels':{'limit':'yes'}},"
                        + "'parameterNotFoundAction':'Deny'}");
        assertThat(untilRefused("'a':'1'").message())
                .isEqualTo(denied("failed to configure binding: no params found for policy binding with `Deny`"
                        + " parameterNotFoundAction"));
        api.patch(
                GROUP + "validatingadmissionpolicybindings/" + name,
                Api.MERGE,
                "{'spec':{'paramRef':{'parameterNotFoundAction':'Allow'}}}");
        Api.until(
                () -> api.post(
                        configMaps,
                        "{'metadata':{'name':'limit','labels':{'limit':'yes'}},'data':{'most':'1','prefix':'a'}}"),
                answer -> answer.code() == 201);
        assertThat(untilRefused("'a':'1','b':'1'").message()).isEqualTo(denied("at most 1"));
        assertThat(configMap("b", "'a':'1','b':'1'").code()).isEqualTo(201);
    }

    @Test
    void knows_the_request_its_namespace_and_what_the_caller_may_do() {
        policy("validating", """
                'validations':[{'expression':'request.operation != \\u0027CREATE\\u0027 || !has(object.data.who)',
                'messageExpression':'namespaceObject.metadata.name + string(authorizer.group(\\u0027\\u0027)
                .resource(\\u0027configmaps\\u0027).namespace(request.namespace).check(\\u0027create\\u0027).allowed())'},
                {'expression':'authorizer.requestResource.check(\\u0027create\\u0027).allowed()'}]""".replace("\n", ""));
        bind("validating", ",'validationActions':['Deny']");
        // Messages know of no authorizer.
        assertThat(api.get(GROUP + "validatingadmissionpolicies/" + name).code())
                .isEqualTo(404);
        assertThat(policy(
                                "validating",
                                "'validations':[{'expression':'!has(object.data.who) || !authorizer.requestResource.check("
                                        + "\\u0027create\\u0027).allowed()','messageExpression':"
                                        + "'namespaceObject.metadata.name'}]")
                        .causes())
                .isEmpty();
        assertThat(untilRefused("'who':'1'").message()).isEqualTo(denied(namespace));
    }

    @Test
    void tells_in_the_status_what_does_not_fit_the_kinds() {
        policy("validating", "'validations':[{'expression':'object.datum.x == string(1)'}]");
        String path = GROUP + "validatingadmissionpolicies/" + name;
        Answer checked = Api.until(
                () -> api.get(path),
                answer -> answer.text("/status/observedGeneration").equals("1"));
        assertThat(checked.text("/status/typeChecking/expressionWarnings/0/fieldRef"))
                .isEqualTo("spec.validations[0].expression");
        assertThat(checked.text("/status/typeChecking/expressionWarnings/0/warning"))
                .startsWith("/v1, Kind=ConfigMap: ERROR: <input>:1:7: undefined field 'datum'")
                .contains("/v1, Kind=Pod: ERROR: <input>:1:7: undefined field 'datum'");
        api.patch(path, Api.MERGE, "{'spec':{'validations':[{'expression':'object.metadata.name.size() > 0'}]}}");
        Answer sound = Api.until(
                () -> api.get(path),
                answer -> answer.text("/status/observedGeneration").equals("2"));
        assertThat(sound.body().at("/status/typeChecking").isEmpty()).isTrue();
    }

    @Test
    void says_what_is_wrong_with_expressions() {
        Answer invalid = policy("validating", """
                'variables':[{'name':'in','expression':'1 +'}],
                'validations':[{'expression':'request.nothing == 1'},{'expression':'true','messageExpression':'params'},
                {'expression':'object.data','message':' '}]""");
        assertThat(invalid.code()).isEqualTo(422);
        assertThat(invalid.causes())
                .contains(
                        "FieldValueInvalid spec.validations[0].expression: Invalid value: \"request.nothing == 1\":"
                                + " compilation failed: ERROR: <input>:1:8: undefined field 'nothing'\n"
                                + " | request.nothing == 1\n | .......^",
                        "FieldValueInvalid spec.validations[1].messageExpression: Invalid value: \"params\": compilation"
                                + " failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n"
                                + " | params\n | ^",
                        "FieldValueInvalid spec.validations[2].expression: Invalid value: \"object.data\": must evaluate"
                                + " to bool but got dyn");
        assertThat(invalid.message()).contains("spec.variables[0].name: Invalid value: \"in\"");
        Answer binding =
                bind("validating", ",'paramRef':{'parameterNotFoundAction':'Sing'},'validationActions':['Deny']");
        assertThat(binding.message())
                .contains("spec.paramRef: Required value: one of name or selector must be specified")
                .contains("spec.paramRef.parameterNotFoundAction: Unsupported value: \"Sing\"");
    }

    @Test
    @Since(value = "1.36", why = "MutatingAdmissionPolicy v1")
    void lays_a_configuration_over_the_object_and_patches_it() {
        assertThat(policy("mutating", """
                        'reinvocationPolicy':'Never','mutations':[{'patchType':'ApplyConfiguration','applyConfiguration':
                        {'expression':'Object{spec: Object.spec{initContainers: [Object.spec.initContainers{name:
                        \\u0027mesh\\u0027, image: \\u0027m\\u0027, restartPolicy: \\u0027Always\\u0027}]}}'}},
                        {'patchType':'JSONPatch','jsonPatch':{'expression':'[JSONPatch{op:
                        \\u0027replace\\u0027, path: \\u0027/metadata/labels/a\\u0027, value: string(size(
                        object.spec.initContainers))}]'}}],'matchConditions':[{'name':'pod','expression':
                        'request.kind.kind == \\u0027Pod\\u0027'}]""".replace("\n", " ")).code()).isEqualTo(201);
        assertThat(bind("mutating", "").code()).isEqualTo(201);
        String pods = "/api/v1/namespaces/" + namespace + "/pods?dryRun=All";
        Answer pod = Api.until(
                () -> api.post(
                        pods,
                        "{'metadata':{'name':'a','labels':{'a':'0'}},'spec':{'initContainers':[{'name':'i','image':'i'}],"
                                + "'containers':[{'name':'c','image':'i'}]}}"),
                answer -> answer.body().at("/spec/initContainers").size() == 2);
        assertThat(pod.text("/spec/initContainers/1/name")).isEqualTo("mesh");
        assertThat(pod.text("/spec/initContainers/1/terminationMessagePath")).isEqualTo("/dev/termination-log");
        assertThat(pod.text("/metadata/labels/a")).isEqualTo("2");
        Answer unfit = api.post(pods, "{'metadata':{'name':'a'},'spec':{'containers':[{'name':'c','image':'i'}]}}");
        assertThat(unfit.message())
                .startsWith("policy '" + name + "' with binding '" + name + "' denied request: JSON");
        assertThat(unfit.reason()).isEqualTo("Invalid");
    }

    @Test
    @Since(value = "1.36", why = "MutatingAdmissionPolicy v1")
    void does_not_replace_what_is_one_value() {
        policy(
                "mutating",
                "'reinvocationPolicy':'Never','mutations':[{'patchType':'ApplyConfiguration','applyConfiguration':"
                        + "{'expression':'Object{metadata: Object.metadata{labels: {\\u0027seen\\u0027: \\u0027yes\\u0027}},"
                        + " spec: Object.spec{tolerations: [Object.spec.tolerations{key: \\u0027a\\u0027}]}}'}}],"
                        + "'matchConditions':[{'name':'pod','expression':'request.kind.kind == \\u0027Pod\\u0027'}]");
        bind("mutating", "");
        Answer refused = Api.until(
                () -> api.post(
                        "/api/v1/namespaces/" + namespace + "/pods?dryRun=All",
                        "{'metadata':{'name':'a'},'spec':{'containers':[{'name':'c','image':'i'}]}}"),
                answer -> answer.code() >= 400);
        assertThat(refused.message())
                .isEqualTo(
                        "policy '" + name + "' with binding '" + name + "' denied request: error applying patch:"
                                + " invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.tolerations");
    }

    @Test
    @Since(value = "1.36", why = "MutatingAdmissionPolicy v1")
    void says_what_is_wrong_with_mutations() {
        Answer invalid = policy("mutating", """
                'mutations':[{'patchType':'JSONPatch','jsonPatch':{'expression':'1'},'applyConfiguration':{'expression':'1'}},
                {'patchType':'ApplyConfiguration','applyConfiguration':{'expression':'Object{spec: Nothing{}}'}},{'patchType':
                'ApplyConfiguration','applyConfiguration':{'expression':'[1]'}}]""");
        assertThat(invalid.causes())
                .contains(
                        "FieldValueInvalid spec.mutations[0].jsonPatch.expression: Invalid value: \"1\": must evaluate to"
                                + " list(JSONPatch) but got int",
                        "FieldValueInvalid spec.mutations[2].applyConfiguration.expression: Invalid value: \"[1]\": must"
                                + " evaluate to Object but got list(int)",
                        "FieldValueRequired spec.reinvocationPolicy: Required value");
        assertThat(invalid.message()).contains("undeclared reference to 'Nothing'");
    }
}
