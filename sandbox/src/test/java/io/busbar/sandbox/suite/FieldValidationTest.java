package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What becomes of fields that a kind does not have, or that stand twice: a warning, unless the client asks for another
 * thing.
 */
@Since(value = "1.27", why = "field validation for all")
class FieldValidationTest {

    private static final String DEPLOYMENT =
            "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d','lables':{}},'spec':{'replicas':0,"
                    + "'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},"
                    + "'spec':{'containers':[{'name':'c','image':'x','imagee':'y','image':'z'}]}}}}";

    private final Api api = Server.api();
    private final String namespace = api.newNamespace();
    private final String deployments = "/apis/apps/v1/namespaces/" + namespace + "/deployments";
    private final String maps = "/api/v1/namespaces/" + namespace + "/configmaps";

    private static List<String> warnings(Answer answer) {
        return answer.headers().allValues("Warning");
    }

    @Test
    void warns_unless_told_otherwise() {
        Answer made = api.post(deployments, DEPLOYMENT);
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        assertThat(warnings(made))
                .containsExactlyInAnyOrder(
                        "299 - \"unknown field \\\"metadata.lables\\\"\"",
                        "299 - \"unknown field \\\"spec.template.spec.containers[0].imagee\\\"\"",
                        "299 - \"duplicate field \\\"spec.template.spec.containers[0].image\\\"\"");
        assertThat(made.text("/spec/template/spec/containers/0/image"))
                .as("the last one counts")
                .isEqualTo("z");
        assertThat(made.body().path("metadata").has("lables")).isFalse();
    }

    @Test
    void refuses_them_when_strict() {
        Answer refused = api.post(deployments + "?fieldValidation=Strict", DEPLOYMENT);
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message())
                .startsWith("Deployment in version \"v1\" cannot be handled as a Deployment: strict decoding error: ")
                .contains(
                        "unknown field \"metadata.lables\"",
                        "unknown field \"spec.template.spec.containers[0].imagee\"",
                        "duplicate field \"spec.template.spec.containers[0].image\"");
        assertThat(api.get(deployments + "/d").code()).isEqualTo(404);
    }

    @Test
    void says_nothing_when_they_are_ignored() {
        Answer made = api.post(deployments + "?fieldValidation=Ignore", DEPLOYMENT);
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        assertThat(warnings(made)).isEmpty();
    }

    @Test
    void looks_at_replaced_and_patched_objects_too() {
        api.post(maps, "{'metadata':{'name':'a'}}");
        Answer put = api.put(maps + "/a?fieldValidation=Strict", "{'metadata':{'name':'a'},'dota':{}}");
        assertThat(put.message())
                .isEqualTo(
                        "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: unknown"
                                + " field \"dota\"");
        for (String type : List.of(Api.MERGE, Api.STRATEGIC)) {
            Answer warned = api.patch(maps + "/a", type, "{'data':{'k':'v'},'dota':{}}");
            assertThat(warned.code()).as(type + ": " + warned.message()).isEqualTo(200);
            assertThat(warnings(warned)).as(type).containsExactly("299 - \"unknown field \\\"dota\\\"\"");
            Answer refused = api.patch(maps + "/a?fieldValidation=Strict", type, "{'dota':{}}");
            assertThat(refused.code()).as(type + ": " + refused.body()).isEqualTo(422);
            assertThat(refused.message()).as(type).contains("strict decoding error: unknown field \"dota\"");
        }
    }

    @Test
    void reads_yaml_as_strictly() {
        String yaml = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: y\ndata:\n  k: v\n  k: w\ndota: {}\n";
        Answer refused = api.send("POST", maps + "?fieldValidation=Strict", "application/yaml", yaml);
        assertThat(refused.code()).as(refused.message()).isEqualTo(400);
        assertThat(refused.message())
                .contains("strict decoding error: ", "key \"k\" already set in map", "unknown field \"dota\"");
        Answer made = api.send("POST", maps, "application/yaml", yaml);
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        assertThat(made.text("/data/k")).isEqualTo("w");
        assertThat(warnings(made)).hasSize(2).contains("299 - \"line 7: key \\\"k\\\" already set in map\"");
        String applied = maps + "/y?fieldManager=one&fieldValidation=";
        String twice = yaml.replace("dota: {}\n", "");
        assertThat(warnings(api.send("PATCH", applied + "Warn", Api.APPLY, twice)))
                .containsExactly("299 - \"line 7: key \\\"k\\\" already set in map\"");
        Answer not = api.send("PATCH", applied + "Strict&force=true", Api.APPLY, twice);
        assertThat(not.code()).isEqualTo(400);
        assertThat(not.message())
                .isEqualTo("error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n"
                        + "  line 7: key \"k\" already set in map");
    }

    @Test
    void tells_which_ways_there_are() {
        Answer refused = api.post(maps + "?fieldValidation=strict", "{'metadata':{'name':'a'}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .isEqualTo("CreateOptions.meta.k8s.io \"\" is invalid: fieldValidation: Unsupported value: \"strict\":"
                        + " supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"");
    }

    @Test
    void tells_of_them_as_they_come() {
        Answer refused = api.post(
                maps + "?fieldValidation=Strict",
                "{'metadata':{'name':'o','lables':{'a':1,'a':2}},'data':{'k':'1','k':'2'},'dota':1,'kind':'ConfigMap',"
                        + "'dota':2,'kind':'ConfigMap'}");
        assertThat(refused.message())
                .endsWith("strict decoding error: unknown field \"metadata.lables\", duplicate field \"data.k\","
                        + " unknown field \"dota\", duplicate field \"kind\"");
    }

    @Test
    void checks_the_options_of_a_patch() {
        api.post(maps, "{'metadata':{'name':'p'}}");
        assertThat(api.patch(maps + "/p?force=false", Api.MERGE, "{}").message())
                .endsWith("force: Forbidden: may not be specified for non-apply patch");
        assertThat(api.patch(maps + "/p?fieldManager=a%0Ab&dryRun=x", Api.MERGE, "{}")
                        .message())
                .contains(
                        "[fieldManager: Invalid value: \"a\\nb\": invalid character U+000A (at position 1), dryRun: ");
    }
}
