package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class DeleteTest {

    private final Api api = Server.api();
    private final String namespace = api.newNamespace();
    private final String maps = "/api/v1/namespaces/" + namespace + "/configmaps";

    @Test
    void tells_what_is_gone() {
        Answer made = api.post(maps, "{'metadata':{'name':'a'}}");
        Answer gone = api.delete(maps + "/a");
        assertThat(gone.code()).isEqualTo(200);
        assertThat(gone.text("/status")).isEqualTo("Success");
        assertThat(gone.text("/details/kind")).isEqualTo("configmaps");
        assertThat(gone.text("/details/uid")).isEqualTo(made.text("/metadata/uid"));
        assertThat(api.get(maps + "/a").code()).isEqualTo(404);
    }

    @Test
    void finds_nothing_to_delete() {
        Answer refused = api.delete(maps + "/a");
        assertThat(refused.code()).isEqualTo(404);
        assertThat(refused.message()).isEqualTo("configmaps \"a\" not found");
    }

    @Test
    void wants_the_object_that_is_meant() {
        Answer made = api.post(maps, "{'metadata':{'name':'a'}}");
        Answer refused = api.delete(maps + "/a", "{'preconditions':{'uid':'x'}}");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.message())
                .isEqualTo("Operation cannot be fulfilled on ConfigMap \"a\": the UID in the precondition (x) does not"
                        + " match the UID in record (" + made.text("/metadata/uid")
                        + "). The object might have been deleted and then recreated");
        assertThat(api.delete(maps + "/a", "{'preconditions':{'resourceVersion':'1'}}")
                        .code())
                .isEqualTo(409);
        assertThat(api.delete(
                                maps + "/a",
                                "{'preconditions':{'uid':'" + made.text("/metadata/uid") + "','resourceVersion':'"
                                        + made.revision() + "'}}")
                        .code())
                .isEqualTo(200);
    }

    @Test
    void waits_for_finalizers() {
        api.post(maps, "{'metadata':{'name':'a','finalizers':['x.y/z']}}");
        Answer marked = api.delete(maps + "/a");
        assertThat(marked.code()).isEqualTo(200);
        assertThat(marked.text("/kind")).isEqualTo("ConfigMap");
        assertThat(marked.text("/metadata/deletionTimestamp")).isNotEmpty();
        assertThat(marked.text("/metadata/deletionGracePeriodSeconds")).isEqualTo("0");
        Answer again = api.delete(maps + "/a");
        assertThat(again.revision()).isEqualTo(marked.revision());
        Answer released = api.patch(maps + "/a", Api.MERGE, "{'metadata':{'finalizers':null}}");
        assertThat(released.code()).isEqualTo(200);
        assertThat(api.get(maps + "/a").code()).isEqualTo(404);
    }

    @Test
    void takes_no_new_finalizers_while_it_deletes() {
        api.post(maps, "{'metadata':{'name':'a','finalizers':['x.y/z']}}");
        api.delete(maps + "/a");
        Answer refused = api.patch(maps + "/a", Api.MERGE, "{'metadata':{'finalizers':['x.y/z','d.e/f']}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .contains(
                        "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted");
        api.patch(maps + "/a", Api.MERGE, "{'metadata':{'finalizers':null}}");
    }

    @Test
    void raises_the_generation_of_what_is_marked() {
        String budgets = "/apis/apps/v1/namespaces/" + namespace + "/deployments";
        api.post(
                budgets,
                "{'metadata':{'name':'d','finalizers':['x.y/z']},'spec':{'replicas':0,'selector':{'matchLabels':{'a':'b'}},"
                        + "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'x'}]}}}}");
        assertThat(api.delete(budgets + "/d").text("/metadata/generation")).isEqualTo("2");
        api.patch(budgets + "/d", Api.MERGE, "{'metadata':{'finalizers':null}}");
    }

    @Test
    void drops_a_pod_that_no_node_runs_at_once() {
        String pods = "/api/v1/namespaces/" + namespace + "/pods";
        api.post(
                pods,
                "{'metadata':{'name':'p'},'spec':{'schedulerName':'none','containers':[{'name':'c','image':'x'}]}}");
        Answer gone = api.delete(pods + "/p");
        assertThat(gone.code()).isEqualTo(200);
        assertThat(gone.text("/kind")).isEqualTo("Pod");
        assertThat(api.get(pods + "/p").code()).isEqualTo(404);
    }

    @Test
    void leaves_everything_in_a_dry_run() {
        api.post(maps, "{'metadata':{'name':'a'}}");
        assertThat(api.delete(maps + "/a?dryRun=All").code()).isEqualTo(200);
        assertThat(api.delete(maps + "/a", "{'dryRun':['All']}").text("/status"))
                .isEqualTo("Success");
        assertThat(api.delete(maps + "?labelSelector=x%3D1", "{'dryRun':['All']}")
                        .code())
                .isEqualTo(200);
        assertThat(api.get(maps + "/a").code()).isEqualTo(200);
        assertThat(api.delete(maps + "/a", "{'dryRun':['Some']}").code()).isEqualTo(422);
        assertThat(api.get(maps + "/a").code()).isEqualTo(200);
    }

    @Test
    void takes_its_options_from_the_body_alone_where_there_is_one() {
        api.post(maps, "{'metadata':{'name':'a'}}");
        assertThat(api.delete(maps + "/a?dryRun=All", "{}").code()).isEqualTo(200);
        assertThat(api.get(maps + "/a").code()).isEqualTo(404);
    }

    @Test
    void gives_a_pod_less_time_but_never_more() {
        String pods = "/api/v1/namespaces/" + namespace + "/pods";
        api.post(
                pods,
                "{'metadata':{'name':'p','annotations':{'fake-kubelet/termination-delay':'600'}},'spec':{"
                        + "'terminationGracePeriodSeconds':40,'containers':[{'name':'c','image':'x'}]}}");
        Api.until(
                () -> api.get(pods + "/p"),
                answer -> answer.text("/status/phase").equals("Running"));
        Answer marked = api.delete(pods + "/p");
        assertThat(marked.text("/metadata/deletionGracePeriodSeconds")).isEqualTo("40");
        Answer sooner = api.delete(pods + "/p", "{'gracePeriodSeconds':20}");
        assertThat(sooner.text("/metadata/deletionGracePeriodSeconds")).isEqualTo("20");
        assertThat(deletion(sooner)).isEqualTo(deletion(marked).minusSeconds(20));
        assertThat(api.delete(pods + "/p", "{'gracePeriodSeconds':60}").revision())
                .isEqualTo(sooner.revision());
        Answer now = api.delete(pods + "/p", "{'gracePeriodSeconds':0}");
        assertThat(now.text("/kind")).isEqualTo("Pod");
        assertThat(now.text("/metadata/deletionGracePeriodSeconds")).isEqualTo("0");
        assertThat(api.get(pods + "/p").code()).isEqualTo(404);
    }

    private static Instant deletion(Answer answer) {
        return Instant.parse(answer.text("/metadata/deletionTimestamp"));
    }

    @Test
    void refuses_what_is_there_and_on_its_way_out() {
        api.post(maps, "{'metadata':{'name':'a','finalizers':['x.y/z']}}");
        api.delete(maps + "/a");
        assertThat(api.post(maps, "{'metadata':{'name':'a'}}").message())
                .isEqualTo("object is being deleted: configmaps \"a\" already exists");
        api.patch(maps + "/a", Api.MERGE, "{'metadata':{'finalizers':null}}");
    }

    @Test
    void answers_a_collection_as_it_was() {
        api.post(maps, "{'metadata':{'name':'a','labels':{'x':'1'},'finalizers':['x.y/z']}}");
        Answer marked = api.delete(maps + "?labelSelector=x%3D1");
        assertThat(marked.names()).containsExactly("a");
        assertThat(marked.body().at("/items/0/metadata").has("deletionTimestamp"))
                .isFalse();
        assertThat(api.get(maps + "/a").body().path("metadata").has("deletionTimestamp"))
                .isTrue();
        api.patch(maps + "/a", Api.MERGE, "{'metadata':{'finalizers':null}}");
    }

    @Test
    void deletes_what_a_selector_finds() {
        api.post(maps, "{'metadata':{'name':'a','labels':{'x':'1'}}}");
        api.post(maps, "{'metadata':{'name':'b','labels':{'x':'2'}}}");
        Answer gone = api.delete(maps + "?labelSelector=x%3D1");
        assertThat(gone.code()).isEqualTo(200);
        assertThat(gone.names()).containsExactly("a");
        assertThat(api.get(maps).names()).contains("b").doesNotContain("a");
    }

    @Test
    void orphans_what_is_owned_on_demand() {
        Answer owner = api.post(maps, "{'metadata':{'name':'a'}}");
        String reference =
                "{'apiVersion':'v1','kind':'ConfigMap','name':'a','uid':'" + owner.text("/metadata/uid") + "'}";
        api.post(maps, "{'metadata':{'name':'b','ownerReferences':[" + reference + "]}}");
        Answer marked = api.delete(maps + "/a?propagationPolicy=Orphan");
        assertThat(marked.text("/metadata/finalizers/0")).isEqualTo("orphan");
        Api.until(() -> api.get(maps + "/a"), answer -> answer.code() == 404);
        Answer left = api.get(maps + "/b");
        assertThat(left.code()).isEqualTo(200);
        assertThat(left.body().path("metadata").has("ownerReferences")).isFalse();
    }

    @Test
    void waits_for_what_blocks_it() {
        Answer owner = api.post(maps, "{'metadata':{'name':'a'}}");
        String reference = "{'apiVersion':'v1','kind':'ConfigMap','name':'a','uid':'" + owner.text("/metadata/uid")
                + "','blockOwnerDeletion':true}";
        api.post(maps, "{'metadata':{'name':'b','finalizers':['x.y/z'],'ownerReferences':[" + reference + "]}}");
        Answer marked = api.delete(maps + "/a?propagationPolicy=Foreground");
        assertThat(marked.text("/metadata/finalizers/0")).isEqualTo("foregroundDeletion");
        Api.until(
                () -> api.get(maps + "/b"),
                answer -> !answer.text("/metadata/deletionTimestamp").isEmpty());
        assertThat(api.get(maps + "/a").code()).isEqualTo(200);
        api.patch(maps + "/b", Api.MERGE, "{'metadata':{'finalizers':null}}");
        Api.until(() -> api.get(maps + "/a"), answer -> answer.code() == 404);
    }

    @Test
    void takes_what_is_owned_with_it() {
        Answer owner = api.post(maps, "{'metadata':{'name':'a'}}");
        String reference =
                "{'apiVersion':'v1','kind':'ConfigMap','name':'a','uid':'" + owner.text("/metadata/uid") + "'}";
        api.post(maps, "{'metadata':{'name':'b','ownerReferences':[" + reference + "]}}");
        assertThat(api.delete(maps + "/a", "{'propagationPolicy':'Background'}").text("/status"))
                .isEqualTo("Success");
        Api.until(() -> api.get(maps + "/b"), answer -> answer.code() == 404);
    }

    @Test
    void refuses_options_that_it_cannot_read() {
        api.post(maps, "{'metadata':{'name':'a'}}");
        assertThat(api.delete(maps + "/a", "{'gracePeriodSeconds':'soon'}").code())
                .isEqualTo(Server.since(36, 400, 500));
        Answer refused = api.delete(maps + "/a", "{'kind':'Foo','apiVersion':'v1'}");
        assertThat(refused.code()).isEqualTo(Server.since(36, 400, 500));
        assertThat(refused.message()).startsWith("no kind \"Foo\" is registered for version \"v1\" in scheme");
        assertThat(api.get(maps + "/a").code()).isEqualTo(200);
    }

    @Test
    void refuses_contradicting_policies() {
        api.post(maps, "{'metadata':{'name':'a'}}");
        Answer refused = api.delete(maps + "/a", "{'propagationPolicy':'Sideways'}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).startsWith("DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: ");
    }

    @Test
    void takes_conditions_of_the_url() {
        api.post(maps, "{'metadata':{'name':'a','labels':{'set':'mine'}}}");
        Answer refused = api.delete(maps + "/a?uid=x");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.message()).contains("the UID in the precondition (x) does not match");
        assertThat(api.delete(maps + "/a?resourceVersion=1").code()).isEqualTo(409);
        assertThat(api.delete(maps + "?labelSelector=set%3Dmine&resourceVersion=1")
                        .code())
                .isEqualTo(409);
        assertThat(api.get(maps + "/a").code()).isEqualTo(200);
    }

    @Test
    void wants_options_that_are_an_object() {
        api.post(maps, "{'metadata':{'name':'a'}}");
        Answer refused = api.delete(maps + "/a", "[]");
        assertThat(refused.message()).contains("json: cannot unmarshal array into Go value");
        assertThat(api.get(maps + "/a").code()).isEqualTo(200);
    }

    @Test
    void may_be_asked_again_what_becomes_of_dependents() {
        api.post(maps, "{'metadata':{'name':'a','finalizers':['x.y/z']}}");
        api.delete(maps + "/a");
        Answer foreground = api.delete(maps + "/a", "{'propagationPolicy':'Foreground'}");
        assertThat(foreground.body().at("/metadata/finalizers").toString())
                .isEqualTo("[\"x.y/z\",\"foregroundDeletion\"]");
        Answer orphan = api.delete(maps + "/a", "{'propagationPolicy':'Orphan'}");
        assertThat(orphan.body().at("/metadata/finalizers").toString()).isEqualTo("[\"x.y/z\",\"orphan\"]");
        api.patch(maps + "/a", Api.MERGE, "{'metadata':{'finalizers':null}}");
    }

    @Test
    void keeps_the_time_that_is_left() {
        api.post(maps, "{'metadata':{'name':'a','finalizers':['x.y/z']}}");
        api.delete(maps + "/a");
        Answer refused = api.patch(maps + "/a", Api.MERGE, "{'metadata':{'deletionGracePeriodSeconds':1}}");
        assertThat(refused.causes())
                .contains(
                        "FieldValueInvalid metadata.deletionGracePeriodSeconds: Invalid value: 1: field is immutable");
        api.patch(maps + "/a", Api.MERGE, "{'metadata':{'finalizers':null}}");
    }
}
