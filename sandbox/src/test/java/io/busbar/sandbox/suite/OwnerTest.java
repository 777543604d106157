package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What counts as an owner. */
class OwnerTest {

    private final Api api = Server.api();
    private final String namespace = api.newNamespace();
    private final String maps = "/api/v1/namespaces/" + namespace + "/configmaps";

    @Test
    void is_of_the_same_namespace() {
        String elsewhere = api.newNamespace();
        Answer owner = api.post("/api/v1/namespaces/" + elsewhere + "/configmaps", "{'metadata':{'name':'owner'}}");
        owned("child", "ConfigMap", "owner", owner);
        gone("child");
        Answer told = Api.until(
                () -> api.get(
                        "/api/v1/namespaces/" + namespace + "/events?fieldSelector=reason=OwnerRefInvalidNamespace"),
                answer -> !answer.names().isEmpty());
        assertThat(told.text("/items/0/message"))
                .isEqualTo("ownerRef [v1/ConfigMap, namespace: " + namespace + ", name: owner, uid: "
                        + owner.text("/metadata/uid") + "] does not exist in namespace \"" + namespace + "\"");
        assertThat(told.text("/items/0/type")).isEqualTo("Warning");
        assertThat(told.text("/items/0/involvedObject/name")).isEqualTo("child");
    }

    @Test
    void has_the_name_and_the_kind_of_the_reference() {
        Answer owner = api.post(maps, "{'metadata':{'name':'owner'}}");
        owned("misnamed", "ConfigMap", "ownr", owner);
        owned("unlike", "Secret", "owner", owner);
        owned("child", "ConfigMap", "owner", owner);
        gone("misnamed");
        gone("unlike");
        assertThat(api.get(maps + "/child").code()).isEqualTo(200);
    }

    @Test
    void does_not_reach_out_of_its_namespace() {
        Answer owner = api.post(maps, "{'metadata':{'name':'owner'}}");
        String roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
        api.post(
                roles,
                "{'metadata':{'name':'" + namespace + "','ownerReferences':[" + reference("ConfigMap", "owner", owner)
                        + "]},'rules':[]}");
        owned("child", "ConfigMap", "owner", owner);
        api.delete(maps + "/owner");
        gone("child");
        Answer left = api.get(roles + "/" + namespace);
        assertThat(left.code()).isEqualTo(200);
        assertThat(left.text("/metadata/ownerReferences/0/name")).isEqualTo("owner");
    }

    @Test
    void is_of_a_kind_that_is_served() {
        Answer owner = api.post(maps, "{'metadata':{'name':'owner'}}");
        owned("patient", "Toy", "owner", owner);
        owned("misnamed", "ConfigMap", "ownr", owner);
        gone("misnamed");
        assertThat(api.get(maps + "/patient").code()).isEqualTo(200);
    }

    private void owned(String name, String kind, String owner, Answer is) {
        api.post(maps, "{'metadata':{'name':'" + name + "','ownerReferences':[" + reference(kind, owner, is) + "]}}");
    }

    private void gone(String name) {
        Api.until(() -> api.get(maps + "/" + name), answer -> answer.code() == 404);
    }

    private static String reference(String kind, String name, Answer owner) {
        return "{'apiVersion':'v1','kind':'" + kind + "','name':'" + name + "','uid':'" + owner.text("/metadata/uid")
                + "'}";
    }
}
