package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuthorizationTest {

    private static final String REVIEWS = "/apis/authorization.k8s.io/v1/";
    private static final String CLUSTER_ROLES = Rights.RBAC + "/clusterroles";

    private final Api api = Server.guarded();
    private final String namespace = api.newNamespace();
    private final String maps = "/api/v1/namespaces/" + namespace + "/configmaps";
    private final String pods = "/api/v1/namespaces/" + namespace + "/pods";
    private final Rights rights = new Rights(api, namespace);
    private final Api bob = api.impersonating("bob");

    private Answer asked(String review, String spec) {
        return api.post(REVIEWS + review, "{'spec':" + spec + "}");
    }

    /** A real server learns of roles a moment later. */
    private static void allowed(Api who, String path) {
        Api.until(() -> who.get(path), answer -> answer.code() != 403);
    }

    @Test
    void allows_what_a_role_says_and_nothing_else() {
        assertThat(bob.get(maps).message())
                .isEqualTo("configmaps is forbidden: User \"bob\" cannot list resource \"configmaps\" in API group \"\""
                        + " in the namespace \"" + namespace + "\"");
        rights.allow("bob", "reader", "[" + Rights.rule("'get','list'", "''", "'configmaps'") + "]");
        allowed(bob, maps);
        assertThat(bob.get(maps + "/none").code()).isEqualTo(404);
        for (Answer refused : List.of(
                bob.get(maps + "?watch=1&timeoutSeconds=1"),
                bob.post(maps, "{'metadata':{'name':'a'}}"),
                bob.delete(maps),
                bob.delete(maps + "/a"),
                bob.patch(maps + "/a", Api.MERGE, "{}"),
                bob.put(maps + "/a", "{'metadata':{'name':'a'}}"),
                bob.get("/api/v1/configmaps"),
                bob.get("/api/v1/namespaces/default/configmaps"),
                bob.get("/api/v1/namespaces/" + namespace + "/secrets"))) {
            assertThat(refused.code()).as(refused.message()).isEqualTo(403);
            assertThat(refused.reason()).isEqualTo("Forbidden");
        }
    }

    @Test
    void names_the_verb_that_is_missing() {
        assertThat(bob.delete(maps).message()).contains("cannot deletecollection resource \"configmaps\"");
        assertThat(bob.get(maps + "?watch=true").message()).contains("cannot watch resource \"configmaps\"");
        assertThat(bob.get("/apis/apps/v1/deployments?fieldSelector=metadata.name%3Dfoo")
                        .message())
                .isEqualTo("deployments.apps \"foo\" is forbidden: User \"bob\" cannot list resource \"deployments\""
                        + " in API group \"apps\" at the cluster scope");
        Answer status = bob.get(pods + "/x/status");
        assertThat(status.message())
                .contains("pods \"x\" is forbidden: User \"bob\" cannot get resource \"pods/status\"");
        assertThat(status.text("/details/kind")).isEqualTo("pods");
        assertThat(status.text("/details/name")).isEqualTo("x");
    }

    @Test
    void limits_a_rule_to_names() {
        rights.allow(
                "bob",
                "one",
                "[{'verbs':['get','list'],'apiGroups':[''],'resources':['configmaps'],'resourceNames':['mine']}]");
        allowed(bob, maps + "/mine");
        assertThat(bob.get(maps + "/theirs").code()).isEqualTo(403);
        assertThat(bob.get(maps).code()).isEqualTo(403);
        assertThat(bob.get(maps + "?fieldSelector=metadata.name%3Dmine").code()).isEqualTo(200);
    }

    @Test
    void tells_subresources_from_their_objects() {
        rights.allow("bob", "all-status", "[" + Rights.rule("'get'", "''", "'*/status'") + "]");
        allowed(bob, pods + "/x/status");
        assertThat(bob.get(pods + "/x").code()).isEqualTo(403);
    }

    @Test
    void binds_groups_and_service_accounts() {
        rights.bind("people", "ClusterRole", "view", Rights.subject("Group", "people"));
        allowed(api.impersonating("carl", "people"), pods);
        assertThat(api.impersonating("carl").get(pods).code()).isEqualTo(403);
        String account = "system:serviceaccount:" + namespace + ":default";
        assertThat(api.impersonating(account).get(pods).code()).isEqualTo(403);
        rights.bind("accounts", "ClusterRole", "view", Rights.subject("Group", "system:serviceaccounts:" + namespace));
        allowed(api.impersonating(account), pods);
        rights.bind("one", "ClusterRole", "edit", Rights.account("default"));
        Api.until(
                () -> api.impersonating(account).post(maps, "{'metadata':{'name':'made'}}"),
                answer -> answer.code() == 201);
    }

    @Test
    void forgets_what_is_unbound() {
        rights.allow("bob", "reader", "[" + Rights.rule("'get','list'", "''", "'configmaps'") + "]");
        allowed(bob, maps);
        api.delete(rights.bindings() + "/reader");
        Api.until(() -> bob.get(maps), answer -> answer.code() == 403);
    }

    @Test
    void says_when_a_bound_role_is_missing() {
        rights.bind("dangling", "Role", "missing", Rights.subject("User", "bob"));
        String expected = "RBAC: role.rbac.authorization.k8s.io \"missing\" not found";
        Answer refused =
                Api.until(() -> bob.get(maps), answer -> answer.message().contains("RBAC"));
        assertThat(refused.message()).endsWith("in the namespace \"" + namespace + "\": " + expected);
        Answer review = asked(
                "subjectaccessreviews",
                "{'user':'bob','resourceAttributes':{'namespace':'" + namespace + "','verb':'get','resource':'pods'}}");
        assertThat(review.text("/status/allowed")).isEqualTo("false");
        assertThat(review.text("/status/reason")).isEqualTo(expected);
    }

    @Test
    void reviews_the_access_of_anybody() {
        rights.allow("bob", "reader", "[" + Rights.rule("'get','list'", "''", "'pods'") + "]");
        allowed(bob, pods);
        String resource = "'resourceAttributes':{'namespace':'" + namespace + "','verb':'get','resource':'pods'}";
        Answer yes = asked("subjectaccessreviews", "{'user':'bob'," + resource + "}");
        assertThat(yes.code()).isEqualTo(201);
        assertThat(yes.text("/status/allowed")).isEqualTo("true");
        assertThat(yes.text("/status/reason"))
                .isEqualTo(
                        "RBAC: allowed by RoleBinding \"reader/" + namespace + "\" of Role \"reader\" to User \"bob\"");
        Answer no = asked("subjectaccessreviews", "{'user':'carl'," + resource + "}");
        assertThat(no.text("/status/allowed")).isEqualTo("false");
        Answer path = asked(
                "subjectaccessreviews",
                "{'groups':['system:authenticated'],'nonResourceAttributes':{'path':'/api','verb':'get'}}");
        assertThat(path.text("/status/reason"))
                .isEqualTo(
                        "RBAC: allowed by ClusterRoleBinding \"system:discovery\" of ClusterRole \"system:discovery\""
                                + " to Group \"system:authenticated\"");
        Answer local = api.post(
                REVIEWS + "namespaces/" + namespace + "/localsubjectaccessreviews",
                "{'metadata':{'namespace':'" + namespace + "'},'spec':{'user':'bob'," + resource + "}}");
        assertThat(local.text("/status/allowed")).as(local.message()).isEqualTo("true");
    }

    @Test
    void refuses_reviews_that_ask_nothing() {
        String message = "spec.resourceAttributes: Invalid value: " + Server.since(36, "null", "\"null\"")
                + ": exactly one of nonResourceAttributes or resourceAttributes must be specified";
        Answer nothing = asked("subjectaccessreviews", "{'user':'bob'}");
        assertThat(nothing.code()).isEqualTo(422);
        assertThat(nothing.message()).endsWith(message);
        assertThat(asked("selfsubjectaccessreviews", "{}").message()).endsWith(message);
        assertThat(asked("subjectaccessreviews", "{'resourceAttributes':{'verb':'get'}}")
                        .message())
                .endsWith("spec.user: Invalid value: \"\": at least one of user or group must be specified");
        assertThat(asked("selfsubjectrulesreviews", "{}").message()).isEqualTo("no namespace on request");
        Answer elsewhere = api.post(
                REVIEWS + "namespaces/" + namespace + "/localsubjectaccessreviews",
                "{'spec':{'user':'bob','resourceAttributes':{'namespace':'default','verb':'get'}}}");
        assertThat(elsewhere.code()).isBetween(400, 422);
    }

    @Test
    void tells_callers_what_they_may_do() {
        rights.allow("bob", "reader", "[" + Rights.rule("'get','list'", "''", "'pods'") + "]");
        allowed(bob, pods);
        Answer can = bob.post(
                REVIEWS + "selfsubjectaccessreviews",
                "{'spec':{'resourceAttributes':{'namespace':'" + namespace + "','verb':'list','resource':'pods'}}}");
        assertThat(can.text("/status/allowed")).isEqualTo("true");
        Answer rules = bob.post(REVIEWS + "selfsubjectrulesreviews", "{'spec':{'namespace':'" + namespace + "'}}");
        List<String> resources = new ArrayList<>();
        for (JsonNode rule : rules.body().at("/status/resourceRules")) {
            resources.add(rule.path("verbs") + " " + rule.path("resources"));
        }
        assertThat(resources).contains("[\"get\",\"list\"] [\"pods\"]");
        assertThat(rules.body().at("/status/nonResourceRules").toString()).contains("\"/apis/*\"");
        assertThat(rules.body().at("/status/incomplete").asBoolean(true)).isFalse();
    }

    @Test
    void lets_nobody_grant_what_they_do_not_have() {
        rights.allow(
                "bob",
                "maker",
                "[" + Rights.rule("'get','create','update'", "'rbac.authorization.k8s.io'", "'roles','rolebindings'")
                        + "," + Rights.rule("'get','list'", "''", "'pods'") + "]");
        allowed(bob, rights.roles() + "/none");
        Answer refused = bob.post(
                rights.roles(),
                "{'metadata':{'name':'more'},'rules':[" + Rights.rule("'get','create'", "'','apps'", "'pods','secrets'")
                        + "]}");
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo("roles.rbac.authorization.k8s.io \"more\" is forbidden: user \"bob\""
                        + " (groups=[\"system:authenticated\"]) is attempting to grant RBAC permissions not currently held:\n"
                        + "{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"create\"]}\n"
                        + "{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\" \"create\"]}\n"
                        + "{APIGroups:[\"apps\"], Resources:[\"pods\"], Verbs:[\"get\" \"create\"]}\n"
                        + "{APIGroups:[\"apps\"], Resources:[\"secrets\"], Verbs:[\"get\" \"create\"]}");
        Answer fewer = bob.post(
                rights.roles(),
                "{'metadata':{'name':'fewer'},'rules':[{'verbs':['get'],'apiGroups':[''],"
                        + "'resources':['pods'],'resourceNames':['x']}]}");
        assertThat(fewer.code()).as(fewer.message()).isEqualTo(201);
        Api.until(
                () -> bob.post(
                        rights.bindings(), Rights.binding("fewer", "Role", "fewer", Rights.subject("User", "carl"))),
                answer -> answer.code() == 201);
        Answer admin = bob.post(
                rights.bindings(),
                Rights.binding("all", "ClusterRole", "cluster-admin", Rights.subject("User", "bob")));
        assertThat(admin.code()).isEqualTo(403);
        assertThat(admin.message())
                .contains("{APIGroups:[\"*\"], Resources:[\"*\"], Verbs:[\"*\"]}")
                .contains("{NonResourceURLs:[\"*\"], Verbs:[\"*\"]}");
    }

    @Test
    void lets_those_grant_who_may_bind_and_escalate() {
        rights.allow(
                "bob",
                "maker",
                "[" + Rights.rule("'create','escalate'", "'rbac.authorization.k8s.io'", "'roles'") + ","
                        + Rights.rule("'create'", "'rbac.authorization.k8s.io'", "'rolebindings'")
                        + ",{'verbs':['bind'],'apiGroups':['rbac.authorization.k8s.io'],"
                        + "'resources':['clusterroles'],'resourceNames':['view']}]");
        Api.until(
                () -> bob.post(
                        rights.roles(),
                        "{'metadata':{'name':'more'},'rules':[" + Rights.rule("'*'", "'*'", "'*'") + "]}"),
                answer -> answer.code() == 201);
        String carl = Rights.subject("User", "carl");
        assertThat(bob.post(rights.bindings(), Rights.binding("v", "ClusterRole", "view", carl))
                        .code())
                .isEqualTo(201);
        assertThat(bob.post(rights.bindings(), Rights.binding("e", "ClusterRole", "edit", carl))
                        .code())
                .isEqualTo(403);
    }

    @Test
    void sums_up_roles_by_label() {
        String name = namespace + "-sum";
        String part = namespace + "-part";
        api.post(
                CLUSTER_ROLES,
                "{'metadata':{'name':'" + name + "'},'rules':[" + Rights.rule("'get'", "''", "'nothing'")
                        + "],'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':{'part-of':'" + name + "'}}]}}");
        api.post(
                CLUSTER_ROLES,
                "{'metadata':{'name':'" + part + "','labels':{'part-of':'" + name + "'}},'rules':["
                        + Rights.rule("'list'", "''", "'configmaps'") + "]}");
        Answer sum = Api.until(
                () -> api.get(CLUSTER_ROLES + "/" + name),
                answer -> answer.text("/rules/0/resources/0").equals("configmaps"));
        assertThat(sum.body().path("rules")).hasSize(1);
        rights.bind("sum", "ClusterRole", name, Rights.subject("User", "bob"));
        allowed(bob, maps);
        api.delete(CLUSTER_ROLES + "/" + part);
        Api.until(() -> bob.get(maps), answer -> answer.code() == 403);
        api.delete(CLUSTER_ROLES + "/" + name);
    }

    @Test
    void has_nobody_sum_up_roles_who_has_not_all_rights() {
        String maker = namespace + "-maker";
        api.post(
                CLUSTER_ROLES,
                "{'metadata':{'name':'" + maker + "'},'rules':["
                        + Rights.rule("'create'", "'rbac.authorization.k8s.io'", "'clusterroles'") + "]}");
        api.post(
                Rights.RBAC + "/clusterrolebindings",
                Rights.binding(maker, "ClusterRole", maker, Rights.subject("User", "bob")));
        String role = "{'metadata':{'name':'" + namespace + "-%s'},'aggregationRule':%s,'rules':[]}";
        Api.until(() -> bob.post(CLUSTER_ROLES, role.formatted("none", "null")), answer -> answer.code() == 201);
        assertThat(bob.post(CLUSTER_ROLES, role.formatted("empty", "{}")).code())
                .as("without selectors it sums up none, and is not valid")
                .isEqualTo(422);
        assertThat(bob.post(CLUSTER_ROLES, role.formatted("all", "{'clusterRoleSelectors':[{}]}"))
                        .message())
                .endsWith("must have cluster-admin privileges to use the aggregationRule");
        api.delete(CLUSTER_ROLES + "/" + maker);
        api.delete(CLUSTER_ROLES + "/" + namespace + "-none");
        api.delete(Rights.RBAC + "/clusterrolebindings/" + maker);
    }

    @Test
    void needs_both_rights_to_make_by_apply() {
        rights.allow("bob", "patcher", "[" + Rights.rule("'patch','get'", "''", "'configmaps'") + "]");
        allowed(bob, maps + "/none");
        String apply = maps + "/a?fieldManager=suite";
        String map = "{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'a'},'data':{'k':'v'}}";
        Answer refused = bob.patch(apply, Api.APPLY, map);
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo("configmaps \"a\" is forbidden: "
                        + Server.since(
                                36,
                                "User \"bob\" cannot create resource \"configmaps\" in API group \"\" in the namespace \""
                                        + namespace + "\"",
                                ""));
        assertThat(api.patch(apply, Api.APPLY, map).code()).isEqualTo(201);
        assertThat(bob.patch(apply, Api.APPLY, map).code()).isEqualTo(200);
    }

    @Test
    void checks_roles_and_bindings() {
        assertThat(api.post(rights.roles(), "{'metadata':{'name':'v'},'rules':[{}]}")
                        .causes())
                .containsExactly(
                        "FieldValueRequired rules[0].verbs: Required value: verbs must contain at least one value",
                        "FieldValueRequired rules[0].apiGroups: Required value: resource rules must supply at least one"
                                + " api group",
                        "FieldValueRequired rules[0].resources: Required value: resource rules must supply at least one"
                                + " resource");
        assertThat(api.post(
                                rights.roles(),
                                "{'metadata':{'name':'v'},'rules':[{'verbs':['get'],'nonResourceURLs':['/x']}]}")
                        .message())
                .endsWith("rules[0].nonResourceURLs: Invalid value: "
                        + Server.since(36, "[\"/x\"]", "[]string{\"/x\"}")
                        + ": namespaced rules cannot apply to non-resource URLs");
        assertThat(api.post(rights.bindings(), Rights.binding("v", "Foo", "", "{'kind':'Bar','name':''}"))
                        .causes())
                .contains(
                        "FieldValueNotSupported roleRef.kind: Unsupported value: \"Foo\":"
                                + " supported values: \"Role\", \"ClusterRole\"",
                        "FieldValueRequired roleRef.name: Required value",
                        "FieldValueRequired subjects[0].name: Required value");
        rights.bind("b", "ClusterRole", "view", Rights.subject("User", "bob"));
        Answer changed = api.put(
                rights.bindings() + "/b", Rights.binding("b", "ClusterRole", "edit", Rights.subject("User", "bob")));
        assertThat(changed.causes())
                .containsExactly("FieldValueInvalid roleRef: Invalid value: "
                        + Server.since(
                                36,
                                "{\"APIGroup\":\"rbac.authorization.k8s.io\",\"Kind\":\"ClusterRole\",\"Name\":\"edit\"}",
                                "rbac.RoleRef{APIGroup:\"rbac.authorization.k8s.io\", Kind:\"ClusterRole\", Name:\"edit\"}")
                        + ": cannot change roleRef");
        assertThat(api.post(
                                rights.bindings(),
                                Rights.binding("v", "Role", "a/b", "{'kind':'ServiceAccount','name':'A_'}"))
                        .causes()
                        .toString())
                .contains("roleRef.name: Invalid value: \"a/b\": may not contain '/'")
                .contains("subjects[0].name: Invalid value: \"A_\": a ");
    }
}
