package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SubresourceTest {

    private final Api api = Server.api();
    private final String namespace = api.newNamespace();
    private final String pods = "/api/v1/namespaces/" + namespace + "/pods";

    private void pod(String spec) {
        Answer made = api.post(
                pods,
                "{'metadata':{'name':'p'},'spec':{'schedulerName':'none','containers':[{'name':'c','image':'x'}]" + spec
                        + "}}");
        assertThat(made.code()).as(made.message()).isEqualTo(201);
    }

    @Test
    void bind_a_pod_to_a_node() {
        pod("");
        String binding =
                "{'apiVersion':'v1','kind':'Binding','metadata':{'name':'p'},'target':{'kind':'Node','name':'nowhere'}}";
        Answer bound = api.post(pods + "/p/binding", binding);
        assertThat(bound.code()).as(bound.message()).isEqualTo(201);
        assertThat(bound.text("/kind")).isEqualTo("Status");
        assertThat(bound.text("/status")).isEqualTo("Success");
        Answer now = api.get(pods + "/p");
        assertThat(now.text("/spec/nodeName")).isEqualTo("nowhere");
        assertThat(now.body().at("/status/conditions").toString()).contains("\"PodScheduled\"");
        Answer again = api.post(pods + "/p/binding", binding);
        assertThat(again.code()).isEqualTo(409);
        assertThat(again.message()).contains("pod p is already assigned to node \"nowhere\"");
        api.delete(pods + "/p?gracePeriodSeconds=0");
    }

    @Test
    void bind_nothing_that_is_not_there() {
        Answer refused = api.post(
                pods + "/p/binding",
                "{'apiVersion':'v1','kind':'Binding','metadata':{'name':'p'},'target':{'kind':'Node','name':'n'}}");
        assertThat(refused.code()).isEqualTo(404);
        assertThat(refused.message()).isEqualTo("pods \"p\" not found");
    }

    @Test
    void evict_a_pod() {
        pod("");
        Answer evicted = api.post(
                pods + "/p/eviction", "{'apiVersion':'policy/v1beta1','kind':'Eviction','metadata':{'name':'p'}}");
        assertThat(evicted.code()).as(evicted.message()).isEqualTo(201);
        assertThat(evicted.text("/status")).isEqualTo("Success");
        assertThat(api.get(pods + "/p").code()).isEqualTo(404);
    }

    @Test
    @Since(value = "1.26", why = "the condition of a Pod that somebody wants to be gone")
    void evict_a_pod_that_runs_and_tell_it_why() {
        pod("");
        String binding =
                "{'apiVersion':'v1','kind':'Binding','metadata':{'name':'p'},'target':{'kind':'Node','name':'nowhere'}}";
        api.post("/api/v1/namespaces/" + namespace + "/bindings", binding);
        assertThat(api.get(pods + "/p").text("/spec/nodeName")).isEqualTo("nowhere");
        String eviction = "{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'p'}";
        Answer tried = api.post(pods + "/p/eviction", eviction + ",'deleteOptions':{'dryRun':['All']}}");
        assertThat(tried.code()).isEqualTo(201);
        assertThat(api.get(pods + "/p").body().path("metadata").has("deletionTimestamp"))
                .isFalse();
        assertThat(api.post(pods + "/p/eviction", eviction + "}").code()).isEqualTo(201);
        Answer evicted = api.get(pods + "/p");
        assertThat(evicted.body().path("metadata").has("deletionTimestamp")).isTrue();
        assertThat(evicted.body().at("/status/conditions").toString())
                .contains("\"DisruptionTarget\"")
                .contains("\"EvictionByEvictionAPI\"");
        api.delete(pods + "/p?gracePeriodSeconds=0");
    }

    @Test
    void evict_and_bind_nothing_by_another_name() {
        pod("");
        Answer bound = api.post(
                pods + "/p/binding",
                "{'apiVersion':'v1','kind':'Binding','metadata':{'name':'q'},'target':{'kind':'Node','name':'n'}}");
        Answer evicted = api.post(
                pods + "/p/eviction", "{'apiVersion':'policy/v1beta1','kind':'Eviction','metadata':{'name':'q'}}");
        assertThat(bound.code()).isEqualTo(400);
        assertThat(bound.message()).isEqualTo("name in URL does not match name in Binding object");
        assertThat(evicted.code()).isEqualTo(400);
        assertThat(evicted.message()).isEqualTo("name in URL does not match name in Eviction object");
    }

    @Test
    void tell_what_a_scale_counts() {
        String sets = "/apis/apps/v1/namespaces/" + namespace + "/replicasets";
        api.post(
                sets,
                "{'metadata':{'name':'r'},'spec':{'replicas':0,'selector':{'matchExpressions':["
                        + "{'key':'x','operator':'In','values':['b','a']},{'key':'w','operator':'NotIn','values':['c']},"
                        + "{'key':'y','operator':'Exists'},{'key':'no','operator':'DoesNotExist'}],'matchLabels':{'z':'1'}},"
                        + "'template':{'metadata':{'labels':{'x':'a','y':'','z':'1'}},"
                        + "'spec':{'containers':[{'name':'c','image':'x'}]}}}}");
        assertThat(api.get(sets + "/r/scale").text("/status/selector")).isEqualTo("!no,w notin (c),x in (a,b),y,z=1");
    }

    @Test
    @Since(value = "1.34", why = "generations of Pods")
    void count_what_is_wanted_of_a_pod() {
        pod(",'activeDeadlineSeconds':100");
        assertThat(api.get(pods + "/p").text("/metadata/generation")).isEqualTo("1");
        api.patch(pods + "/p", Api.MERGE, "{'metadata':{'labels':{'x':'y'}}}");
        Answer changed = api.patch(pods + "/p", Api.MERGE, "{'spec':{'activeDeadlineSeconds':50}}");
        assertThat(changed.text("/metadata/generation")).isEqualTo("2");
        Answer seen = api.patch(pods + "/p/status", Api.MERGE, "{'status':{'observedGeneration':2}}");
        assertThat(seen.text("/metadata/generation")).isEqualTo("2");
        Answer forgotten = api.patch(pods + "/p/status", Api.MERGE, "{'status':{'observedGeneration':null}}");
        assertThat(forgotten.text("/status/observedGeneration")).isEqualTo("2");
    }

    @Test
    @Since(value = "1.34", why = "resizing of Pods, and their generations")
    void resize_a_pod_within_bounds() {
        Answer made = api.post(
                pods,
                "{'metadata':{'name':'p'},'spec':{'schedulerName':'none','containers':[{'name':'c','image':'x','resources':"
                        + "{'requests':{'cpu':'100m'},'limits':{'cpu':'1'}}}]}}");
        assertThat(made.code()).isEqualTo(201);
        Answer resized = resize("{'requests':{'cpu':'200m'}}");
        assertThat(resized.code()).as(resized.message()).isEqualTo(200);
        assertThat(resized.text("/metadata/generation")).isEqualTo("2");
        assertThat(resized.text("/spec/containers/0/resources/requests/cpu")).isEqualTo("200m");
        assertThat(resize("{'requests':{'cpu':'2'}}").causes())
                .containsExactly(
                        "FieldValueInvalid spec.containers[0].resources.requests: Invalid value: \"2\": must be"
                                + " less than or equal to cpu limit of 1");
        assertThat(resize("{'limits':{'cpu':null}}").causes())
                .containsExactly("FieldValueForbidden spec.containers[0].resources.limits: Forbidden: resource limits"
                        + " cannot be removed");
        assertThat(resize("{'requests':{'ephemeral-storage':'1Gi'}}").causes().toString())
                .contains("spec: Forbidden: only cpu and memory resources are mutable");
        assertThat(api.patch(
                                pods + "/p",
                                Api.STRATEGIC,
                                "{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'300m'}}}]}}")
                        .code())
                .isEqualTo(422);
    }

    private Answer resize(String resources) {
        return api.patch(
                pods + "/p/resize",
                Api.STRATEGIC,
                "{'spec':{'hostname':'ignored','containers':[{'name':'c','image':'ignored','resources':" + resources
                        + "}]}}");
    }

    @Test
    @Since(value = "1.30", why = "scheduling gates")
    void bind_a_pod_only_when_its_gates_are_gone() {
        pod(",'schedulingGates':[{'name':'x.y/a'},{'name':'x.y/b'}],'nodeSelector':{'k':'v'}");
        assertThat(api.get(pods + "/p").text("/status/conditions/0/reason")).isEqualTo("SchedulingGated");
        String binding =
                "{'apiVersion':'v1','kind':'Binding','metadata':{'name':'p'},'target':{'kind':'Node','name':'nowhere'}}";
        Answer held = api.post(pods + "/p/binding", binding);
        assertThat(held.code()).isEqualTo(409);
        assertThat(held.message())
                .isEqualTo(
                        "Operation cannot be fulfilled on pods/binding \"p\": pod p has non-empty .spec.schedulingGates");
        assertThat(api.patch(pods + "/p", Api.MERGE, "{'spec':{'schedulingGates':[{'name':'x.y/c'}]}}")
                        .causes())
                .containsExactly(
                        "FieldValueForbidden spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but"
                                + " found new scheduling gate 'x.y/c'");
        assertThat(api.patch(pods + "/p", Api.MERGE, "{'spec':{'nodeSelector':{'k':'w'}}}")
                        .causes()
                        .toString())
                .contains("only additions to spec.nodeSelector are allowed (no mutations or deletions)");
        Answer narrowed = api.patch(
                pods + "/p", Api.MERGE, "{'spec':{'nodeSelector':{'l':'w'},'schedulingGates':[{'name':'x.y/b'}]}}");
        assertThat(narrowed.code()).as(narrowed.message()).isEqualTo(200);
        api.patch(pods + "/p", Api.MERGE, "{'spec':{'schedulingGates':null}}");
        assertThat(api.patch(pods + "/p", Api.MERGE, "{'spec':{'nodeSelector':{'m':'w'}}}")
                        .code())
                .isEqualTo(422);
        assertThat(api.post(pods + "/p/binding", binding).code()).isEqualTo(201);
        api.delete(pods + "/p?gracePeriodSeconds=0");
    }

    @Test
    void write_a_pods_status_alone() {
        pod("");
        Answer status = api.patch(
                pods + "/p/status",
                Api.STRATEGIC,
                "{'metadata':{'labels':{'x':'y'}},'spec':{'nodeName':'n'},'status':{'conditions':[{'type':'x.y/z','status':'True'}]}}");
        assertThat(status.code()).as(status.message()).isEqualTo(200);
        assertThat(status.body().path("spec").has("nodeName")).isFalse();
        assertThat(status.text("/status/conditions/0/type")).isEqualTo("x.y/z");
        assertThat(api.get(pods + "/p/status").text("/kind")).isEqualTo("Pod");
    }

    @Test
    @Since(value = "1.25", why = "ephemeral containers as part of the Pod")
    void add_ephemeral_containers() {
        pod("");
        Answer added = api.patch(
                pods + "/p/ephemeralcontainers",
                Api.STRATEGIC,
                "{'spec':{'ephemeralContainers':[{'name':'debug','image':'y'}],'hostname':'ignored'}}");
        assertThat(added.code()).as(added.message()).isEqualTo(200);
        assertThat(added.text("/spec/ephemeralContainers/0/name")).isEqualTo("debug");
        assertThat(added.body().path("spec").has("hostname")).isFalse();
        Answer refused = api.patch(
                pods + "/p/ephemeralcontainers",
                Api.JSON_PATCH,
                "[{'op':'remove','path':'/spec/ephemeralContainers/0'}]");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes().toString()).contains("spec.ephemeralContainers: Forbidden: ");
    }

    @Test
    void finalize_a_namespace() {
        String url = "/api/v1/namespaces/" + namespace;
        Answer now = api.put(
                url + "/finalize",
                "{'metadata':{'name':'" + namespace + "'},'spec':{'finalizers':['kubernetes','x.y/z']}}");
        assertThat(now.code()).as(now.message()).isEqualTo(200);
        assertThat(now.body().at("/spec/finalizers").toString()).isEqualTo("[\"kubernetes\",\"x.y/z\"]");
        api.delete(url);
        Answer waiting = Api.until(
                () -> api.get(url),
                answer -> answer.body().at("/spec/finalizers").toString().equals("[\"x.y/z\"]"));
        assertThat(waiting.text("/status/phase")).isEqualTo("Terminating");
        api.put(url + "/finalize", "{'metadata':{'name':'" + namespace + "'},'spec':{'finalizers':[]}}");
        Api.until(() -> api.get(url), answer -> answer.code() == 404);
    }

    @Test
    void scale_what_has_replicas() {
        String sets = "/apis/apps/v1/namespaces/" + namespace + "/replicasets";
        api.post(
                sets,
                "{'metadata':{'name':'r'},'spec':{'replicas':0,'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':"
                        + "{'labels':{'a':'b'}},'spec':{'schedulerName':'none','containers':[{'name':'c','image':'x'}]}}}}");
        Answer scale = api.get(sets + "/r/scale");
        assertThat(scale.text("/kind")).isEqualTo("Scale");
        assertThat(scale.body().path("spec").toString()).isEqualTo("{}");
        Answer refused = api.put(
                sets + "/r/scale",
                "{'metadata':{'name':'r','namespace':'" + namespace
                        + "','resourceVersion':'1'},'spec':{'replicas':0}}");
        assertThat(refused.code()).isEqualTo(409);
        Answer nowhere = api.put(sets + "/r/scale", "{'metadata':{'name':'r'},'spec':{'replicas':0}}");
        if (Server.version() < 23) {
            assertThat(nowhere.causes()).containsExactly("FieldValueRequired metadata.namespace: Required value");
        } else {
            assertThat(nowhere.text("/metadata/namespace")).isEqualTo(namespace);
        }
        Answer negative = api.put(
                sets + "/r/scale", "{'metadata':{'name':'r','namespace':'" + namespace + "'},'spec':{'replicas':-1}}");
        assertThat(negative.code()).isEqualTo(422);
        assertThat(negative.causes())
                .containsExactly(
                        "FieldValueInvalid spec.replicas: Invalid value: -1: must be greater than or equal to 0");
    }

    @Test
    void are_not_where_there_are_none() {
        String maps = "/api/v1/namespaces/" + namespace + "/configmaps";
        api.post(maps, "{'metadata':{'name':'a'}}");
        assertThat(api.get(maps + "/a/status").code()).isEqualTo(404);
        assertThat(api.get(maps + "/a/scale").code()).isEqualTo(404);
        assertThat(api.delete("/api/v1/namespaces/" + namespace + "/status").code())
                .isEqualTo(405);
    }

    @Test
    void scale_the_object_that_is_meant() {
        String sets = "/apis/apps/v1/namespaces/" + namespace + "/replicasets";
        assertThat(api.get(sets + "/none/scale").message()).isEqualTo("replicasets/scale.apps \"none\" not found");
        api.post(
                sets,
                "{'metadata':{'name':'r'},'spec':{'replicas':0,'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':"
                        + "{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'x'}]}}}}");
        Answer other = api.put(
                sets + "/r/scale", "{'metadata':{'name':'r','namespace':'" + namespace + "','uid':'x'},'spec':{}}");
        assertThat(other.code()).isEqualTo(409);
        assertThat(other.message()).contains("Precondition failed: UID in precondition: x, UID in object meta: ");
        assertThat(api.put(sets + "/r/scale", "{'metadata':{'name':'r','namespace':'elsewhere'},'spec':{}}")
                        .code())
                .isEqualTo(400);
    }

    @Test
    void bind_what_has_a_name() {
        Answer refused = api.post(
                "/api/v1/namespaces/" + namespace + "/bindings", "{'metadata':{},'target':{'kind':'Node','name':'x'}}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).isEqualTo("Name parameter required.");
    }

    @Test
    void count_nothing_below_zero() {
        Workloads in = new Workloads(api, namespace);
        String jobs = "/apis/batch/v1/namespaces/" + namespace + "/jobs";
        api.post(
                jobs,
                "{'metadata':{'name':'j'},'spec':{'suspend':true,'template':{'spec':{'restartPolicy':'Never','containers':"
                        + "[{'name':'c','image':'x'}]}}}}");
        Answer refused = api.patch(jobs + "/j/status", Api.MERGE, "{'status':{'active':-1}}");
        assertThat(refused.causes())
                .contains("FieldValueInvalid status.active: Invalid value: -1: must be greater than or equal to 0");
        api.post(in.core("services"), "{'metadata':{'name':'s'},'spec':{'type':'LoadBalancer','ports':[{'port':1}]}}");
        Answer address = api.patch(
                in.core("services") + "/s/status",
                Api.MERGE,
                "{'status':{'loadBalancer':{'ingress':[{'ip':'x'},{'hostname':'1.2.3.4'}]}}}");
        assertThat(address.causes()).hasSize(2);
        assertThat(address.causes().get(0))
                .startsWith(
                        "FieldValueInvalid status.loadBalancer.ingress[0].ip: Invalid value: \"x\": must be a valid IP");
        assertThat(address.causes().get(1))
                .isEqualTo(
                        "FieldValueInvalid status.loadBalancer.ingress[1].hostname: Invalid value: \"1.2.3.4\": must be a"
                                + " DNS name, not an IP address");
    }
}
