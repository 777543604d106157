package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What strategic merge patches and JSON patches do to a Deployment and a ServiceAccount. */
class StrategicPatchTest {

    private final Api api = Server.api();
    private final String namespace = api.newNamespace();
    private final String deployment = "/apis/apps/v1/namespaces/" + namespace + "/deployments/d";

    @BeforeEach
    void make() {
        Answer made = api.post(
                deployment.substring(0, deployment.length() - 2),
                "{'metadata':{'name':'d','finalizers':['x.y/a','x.y/b']},'spec':{'replicas':0,'paused':true,"
                        + "'selector':{'matchLabels':{'a':'b'}},"
                        + "'strategy':{'type':'RollingUpdate','rollingUpdate':{'maxSurge':1,'maxUnavailable':0}},"
                        + "'template':{'metadata':{'labels':{'a':'b'}},'spec':{"
                        + "'containers':[{'name':'c','image':'x','args':['1','2'],'ports':[{'containerPort':80},"
                        + "{'containerPort':81}],'env':[{'name':'E','value':'1'}]},{'name':'d','image':'y'}],"
                        + "'volumes':[{'name':'v','emptyDir':{}}]}}}}");
        assertThat(made.code()).as(made.message()).isEqualTo(201);
    }

    private Answer patch(String spec) {
        return api.patch(deployment, Api.STRATEGIC, "{'spec':{'template':{'spec':" + spec + "}}}");
    }

    private static List<String> containers(Answer answer) {
        return answer.body().at("/spec/template/spec/containers").findValuesAsText("image");
    }

    @Test
    void deletes_by_key() {
        Answer now = patch("{'containers':[{'$patch':'delete','name':'c'}]}");
        assertThat(now.code()).as(now.message()).isEqualTo(200);
        assertThat(containers(now)).containsExactly("y");
    }

    @Test
    void replaces_a_list() {
        Answer now = patch("{'containers':[{'name':'n','image':'z'},{'$patch':'replace'}]}");
        assertThat(containers(now)).containsExactly("z");
    }

    @Test
    void merges_within_an_item() {
        Answer now = patch("{'containers':[{'name':'c','env':[{'name':'F','value':'2'}],'args':['3']}]}");
        assertThat(now.body().at("/spec/template/spec/containers/0/env").findValuesAsText("name"))
                .containsExactlyInAnyOrder("E", "F");
        assertThat(now.body().at("/spec/template/spec/containers/0/args").toString())
                .isEqualTo("[\"3\"]");
    }

    @Test
    void puts_items_in_order() {
        Answer now = patch(
                "{'$setElementOrder/containers':[{'name':'d'},{'name':'c'}],'containers':[{'name':'d','image':'z'}]}");
        assertThat(containers(now)).containsExactly("z", "x");
    }

    @Test
    void keeps_only_the_keys_that_are_told() {
        Answer now = api.patch(
                deployment, Api.STRATEGIC, "{'spec':{'strategy':{'$retainKeys':['type'],'type':'Recreate'}}}");
        assertThat(now.code()).as(now.message()).isEqualTo(200);
        assertThat(now.body().at("/spec/strategy").toString()).isEqualTo("{\"type\":\"Recreate\"}");
    }

    @Test
    void takes_values_from_a_list_of_values() {
        Answer now =
                api.patch(deployment, Api.STRATEGIC, "{'metadata':{'$deleteFromPrimitiveList/finalizers':['x.y/a']}}");
        assertThat(now.body().at("/metadata/finalizers").toString()).isEqualTo("[\"x.y/b\"]");
        Answer more = api.patch(deployment, Api.STRATEGIC, "{'metadata':{'finalizers':['x.y/c']}}");
        assertThat(more.body().at("/metadata/finalizers").toString()).isEqualTo("[\"x.y/c\",\"x.y/b\"]");
        api.patch(deployment, Api.MERGE, "{'metadata':{'finalizers':null}}");
    }

    @Test
    void removes_what_is_null() {
        Answer now = patch("{'volumes':null}");
        assertThat(now.body().at("/spec/template/spec").has("volumes")).isFalse();
    }

    @Test
    void refuses_an_item_without_its_key() {
        Answer refused = patch("{'containers':[{'image':'z'}]}");
        assertThat(refused.code()).isIn(400, 422, 500);
        assertThat(refused.message()).contains("does not contain declared merge key: name");
    }

    @Test
    void lays_json_operations_upon_lists() {
        String path = "/spec/template/spec/containers";
        Answer now = api.patch(
                deployment,
                Api.JSON_PATCH,
                "[{'op':'add','path':'" + path + "/-','value':{'name':'e','image':'z'}},"
                        + "{'op':'remove','path':'" + path + "/0'},"
                        + "{'op':'copy','from':'" + path + "/0/image','path':'/metadata/annotations'},"
                        + "{'op':'add','path':'/metadata/annotations','value':{'a~b/c':'x'}},"
                        + "{'op':'move','from':'/metadata/annotations/a~0b~1c','path':'/metadata/annotations/moved'}]");
        assertThat(now.code()).as(now.message()).isEqualTo(200);
        assertThat(containers(now)).containsExactly("y", "z");
        assertThat(now.body().at("/metadata/annotations").toString()).isEqualTo("{\"moved\":\"x\"}");
    }

    @Test
    void refuses_operations_on_what_is_not_there() {
        for (String operation : List.of(
                "{'op':'remove','path':'/spec/nowhere'}",
                "{'op':'replace','path':'/spec/nowhere/x','value':1}",
                "{'op':'add','path':'/spec/template/spec/containers/7','value':{}}",
                "{'op':'test','path':'/spec/replicas','value':9}")) {
            Answer refused = api.patch(deployment, Api.JSON_PATCH, "[" + operation + "]");
            assertThat(refused.code()).as(operation).isEqualTo(422);
            assertThat(refused.reason()).isEqualTo("Invalid");
        }
    }

    @Test
    void refuses_too_many_operations() {
        StringBuilder operations = new StringBuilder("[");
        operations.append("{'op':'test','path':'/kind','value':'Deployment'},".repeat(10_000));
        Answer refused = api.patch(
                deployment, Api.JSON_PATCH, operations + "{'op':'test','path':'/kind','value':'Deployment'}]");
        assertThat(refused.code()).isEqualTo(413);
        assertThat(refused.message()).contains("The allowed maximum operations in a JSON patch is 10000, got 10001");
    }

    @Test
    void finds_nothing_to_patch() {
        for (String type : List.of(Api.MERGE, Api.STRATEGIC)) {
            Answer refused = api.patch(deployment + "x", type, "{'spec':{}}");
            assertThat(refused.code()).isEqualTo(404);
            assertThat(refused.message()).isEqualTo("deployments.apps \"dx\" not found");
        }
    }

    @Test
    void replaces_lists_by_a_plain_merge() {
        Answer now = api.patch(
                deployment, Api.MERGE, "{'spec':{'template':{'spec':{'containers':[{'name':'n','image':'z'}]}}}}");
        assertThat(containers(now)).containsExactly("z");
    }

    /** As for a patch that is no JSON the server does not say whose fault it is: a code of 500. */
    @Test
    void tells_what_of_a_patch_does_not_fit() {
        for (String[] wrong : new String[][] {
            {"'$setElementOrder/containers':{}", "expected a []interface {}, but received a map[string]interface {}"},
            {"'$setElementOrder/containers':[{'image':'x'}]", "does not contain declared merge key: name"},
            {
                "'$setElementOrder/containers':[{'name':'d'}],'containers':[{'name':'c','image':'z'}]",
                "The order in patch list:\n[map[image:z name:c]]\n doesn't match $setElementOrder list:\n[map[name:d]]\n"
            },
            {"'volumes':['x']", "list element types are not identical: [[map[emptyDir:map[] name:v]] [x]]"}
        }) {
            Answer refused = patch("{" + wrong[0] + "}");
            assertThat(refused.code()).as(wrong[0]).isEqualTo(500);
            assertThat(refused.message()).contains(wrong[1]);
        }
        for (String[] wrong : new String[][] {
            {"'volumes':{}", "cannot restore slice from map"},
            {"'nodeSelector':[]", "cannot restore map from slice"},
            {"'affinity':'x'", "cannot restore struct from: string"},
            {"'hostNetwork':'x'", "unrecognized type: bool"},
            {"'nodeName':5", "cannot convert int64 to string"}
        }) {
            Answer refused = patch("{" + wrong[0] + "}");
            assertThat(refused.code()).as(wrong[0]).isEqualTo(422);
            assertThat(refused.message()).endsWith(wrong[1]);
        }
        Answer replaced = patch("{'containers':[{'name':'c','$deleteFromPrimitiveList/args':['1']}]}");
        assertThat(replaced.body().at("/spec/template/spec/containers/0/args")).hasToString("[\"1\"]");
    }

    @Test
    void counts_from_the_end_of_a_list() {
        String list = "/spec/template/spec/containers/-1";
        assertThat(containers(api.patch(
                        deployment,
                        Api.JSON_PATCH,
                        "[{'op':'add','path':'" + list + "','value':{'name':'e','image':'z'}}]")))
                .containsExactly("x", "y", "z");
        assertThat(containers(api.patch(deployment, Api.JSON_PATCH, "[{'op':'remove','path':'" + list + "'}]")))
                .containsExactly("x", "y");
        for (String operation : List.of("add", "replace", "remove", "test")) {
            Answer refused = api.patch(
                    deployment, Api.JSON_PATCH, "[{'op':'" + operation + "','path':'','value':{'kind':'X'}}]");
            assertThat(refused.code()).as(operation).isEqualTo(422);
        }
    }
}
