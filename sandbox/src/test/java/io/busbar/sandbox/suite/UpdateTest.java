package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UpdateTest {

    private final Api api = Server.api();
    private final String namespace = api.newNamespace();
    private final String maps = "/api/v1/namespaces/" + namespace + "/configmaps";
    private final String deployments = "/apis/apps/v1/namespaces/" + namespace + "/deployments";

    private static final String DEPLOYMENT =
            "{'metadata':{'name':'d'},'spec':{'replicas':0,'selector':{'matchLabels':{'a':'b'}},"
                    + "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'x'}]}}}}";

    @Test
    void replaces_an_object() {
        Answer made = api.post(maps, "{'metadata':{'name':'a','labels':{'x':'y'}},'data':{'k':'v'}}");
        Answer now = api.put(maps + "/a", "{'metadata':{'name':'a'},'data':{'l':'w'}}");
        assertThat(now.code()).isEqualTo(200);
        assertThat(now.body().path("data").toString()).isEqualTo("{\"l\":\"w\"}");
        assertThat(now.body().path("metadata").has("labels")).isFalse();
        assertThat(now.text("/metadata/uid")).isEqualTo(made.text("/metadata/uid"));
        assertThat(now.text("/metadata/creationTimestamp")).isEqualTo(made.text("/metadata/creationTimestamp"));
        assertThat(now.revision()).isGreaterThan(made.revision());
    }

    @Test
    void writes_nothing_when_nothing_changes() {
        Answer made = api.post(maps, "{'metadata':{'name':'a'},'data':{'k':'v'}}");
        Answer now = api.put(maps + "/a", "{'metadata':{'name':'a'},'data':{'k':'v'}}");
        assertThat(now.revision()).isEqualTo(made.revision());
    }

    @Test
    void refuses_an_old_version() {
        Answer made = api.post(maps, "{'metadata':{'name':'a'}}");
        String old = "{'metadata':{'name':'a','resourceVersion':'" + made.revision() + "'},'data':{'k':'v'}}";
        assertThat(api.put(maps + "/a", old).code()).isEqualTo(200);
        Answer refused = api.put(maps + "/a", old);
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.reason()).isEqualTo("Conflict");
        assertThat(refused.message())
                .isEqualTo(
                        "Operation cannot be fulfilled on configmaps \"a\": the object has been modified; please apply"
                                + " your changes to the latest version and try again");
    }

    @Test
    void refuses_another_objects_uid() {
        api.post(maps, "{'metadata':{'name':'a'}}");
        Answer refused = api.put(maps + "/a", "{'metadata':{'name':'a','uid':'abc'}}");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.message()).contains("Precondition failed: UID in precondition: abc, UID in object meta: ");
    }

    @Test
    void refuses_another_name() {
        Answer refused = api.put(maps + "/x", "{'metadata':{'name':'a'}}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).isEqualTo("the name of the object (a) does not match the name on the URL (x)");
    }

    @Test
    void finds_nothing_to_replace() {
        Answer refused = api.put(maps + "/x", "{'metadata':{'name':'x'}}");
        assertThat(refused.code()).isEqualTo(404);
        assertThat(refused.message()).isEqualTo("configmaps \"x\" not found");
    }

    /** Leases, Endpoints and what grants rights: the kinds whose clients have always done so. */
    @Test
    void creates_some_kinds() {
        String core = "/api/v1/namespaces/" + namespace;
        String lease = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases/a";
        String role = "/apis/rbac.authorization.k8s.io/v1/namespaces/" + namespace + "/roles/a";

        Answer made = api.put(lease, "{'metadata':{'name':'a'},'spec':{'holderIdentity':'me'}}");
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        assertThat(made.text("/metadata/uid")).isNotEmpty();
        assertThat(made.text("/metadata/managedFields/0/operation")).isEqualTo("Update");
        assertThat(api.put(role, "{'metadata':{'name':'a'},'rules':[]}").code()).isEqualTo(201);
        assertThat(api.put(core + "/endpoints/a", "{'metadata':{'name':'a'}}").code())
                .isEqualTo(201);
    }

    @Test
    @Since(value = "1.23", why = "a PUT that creates Services")
    void creates_services_and_checks_them_like_others() {
        String core = "/api/v1/namespaces/" + namespace;
        Answer service = api.put(core + "/services/a", "{'metadata':{'name':'a'},'spec':{'ports':[{'port':80}]}}");
        assertThat(service.code()).as(service.message()).isEqualTo(201);
        assertThat(service.text("/spec/type")).isEqualTo("ClusterIP");
        Answer invalid = api.put(core + "/services/b", "{'metadata':{'name':'b'},'spec':{'ports':[{'port':0}]}}");
        assertThat(invalid.code()).as(invalid.message()).isEqualTo(422);
        assertThat(api.get(core + "/services/b").code()).isEqualTo(404);
    }

    @Test
    void creates_in_spite_of_a_version_and_not_of_a_uid() {
        String lease = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases/a";
        Answer refused = api.put(lease, "{'metadata':{'name':'a','uid':'abc'},'spec':{}}");
        assertThat(refused.code()).as(refused.message()).isEqualTo(409);
        assertThat(refused.message()).contains("Precondition failed: UID in precondition: abc, UID in object meta: ");
        assertThat(api.get(lease).code()).isEqualTo(404);
        Answer made = api.put(lease, "{'metadata':{'name':'a','resourceVersion':'7'},'spec':{}}");
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        assertThat(made.text("/metadata/resourceVersion")).isNotEqualTo("7");
    }

    @Test
    void replaces_a_lease_only_by_who_knows_its_version() {
        String lease = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases/a";
        Answer made = api.put(lease, "{'metadata':{'name':'a'},'spec':{'holderIdentity':'me'}}");
        Answer refused = api.put(lease, "{'metadata':{'name':'a'},'spec':{'holderIdentity':'you'}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .contains("metadata.resourceVersion: Invalid value: ", "must be specified for an update");
        Answer taken = api.put(
                lease,
                "{'metadata':{'name':'a','resourceVersion':'" + made.revision()
                        + "'},'spec':{'holderIdentity':'you'}}");
        assertThat(taken.code()).as(taken.message()).isEqualTo(200);
    }

    @Test
    void counts_generations_of_the_spec_alone() {
        assertThat(api.post(deployments, DEPLOYMENT).text("/metadata/generation"))
                .isEqualTo("1");
        Answer labelled = api.patch(deployments + "/d", Api.MERGE, "{'metadata':{'labels':{'l':'m'}}}");
        assertThat(labelled.text("/metadata/generation")).isEqualTo("1");
        Answer scaled = api.patch(deployments + "/d", Api.MERGE, "{'spec':{'paused':true}}");
        assertThat(scaled.text("/metadata/generation")).isEqualTo("2");
    }

    @Test
    void keeps_the_status_out_of_the_object_and_the_spec_out_of_the_status() {
        api.post(deployments, DEPLOYMENT);
        Answer object = api.patch(deployments + "/d", Api.MERGE, "{'status':{'collisionCount':7}}");
        assertThat(object.body().path("status").has("collisionCount")).isFalse();
        Answer status = api.patch(
                deployments + "/d/status", Api.MERGE, "{'spec':{'replicas':9},'status':{'collisionCount':7}}");
        assertThat(status.code()).isEqualTo(200);
        assertThat(status.text("/status/collisionCount")).isEqualTo("7");
        assertThat(status.text("/spec/replicas")).isEqualTo("0");
        assertThat(status.text("/metadata/generation")).isEqualTo("1");
    }

    @Test
    void scales() {
        api.post(deployments, DEPLOYMENT);
        Answer scale = api.get(deployments + "/d/scale");
        assertThat(scale.text("/kind")).isEqualTo("Scale");
        assertThat(scale.text("/apiVersion")).isEqualTo("autoscaling/v1");
        assertThat(scale.text("/status/selector")).isEqualTo("a=b");
        Answer put = api.put(
                deployments + "/d/scale",
                "{'metadata':{'name':'d','namespace':'" + namespace + "'},'spec':{'replicas':3}}");
        assertThat(put.text("/spec/replicas")).isEqualTo("3");
        Answer patched = api.patch(deployments + "/d/scale", Api.MERGE, "{'spec':{'replicas':4}}");
        assertThat(patched.text("/spec/replicas")).isEqualTo("4");
        Answer object = api.get(deployments + "/d");
        assertThat(object.text("/spec/replicas")).isEqualTo("4");
        assertThat(object.text("/metadata/generation")).isEqualTo("3");
    }

    @Test
    void leaves_nothing_behind_in_a_dry_run() {
        Answer made = api.post(maps, "{'metadata':{'name':'a'}}");
        Answer tried = api.put(maps + "/a?dryRun=All", "{'metadata':{'name':'a'},'data':{'k':'v'}}");
        assertThat(tried.text("/data/k")).isEqualTo("v");
        assertThat(api.get(maps + "/a").revision()).isEqualTo(made.revision());
    }
}
