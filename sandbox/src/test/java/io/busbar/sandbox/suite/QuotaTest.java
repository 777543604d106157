package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class QuotaTest {

    private final Api api = Server.api();
    private final String namespace = "/api/v1/namespaces/" + api.newNamespace();

    private void quota(String name, String spec) {
        assertThat(api.post(namespace + "/resourcequotas", "{'metadata':{'name':'" + name + "'},'spec':{" + spec + "}}")
                        .code())
                .isEqualTo(201);
        Api.until(
                () -> api.get(namespace + "/resourcequotas/" + name),
                answer -> answer.body().at("/status").has("used"));
    }

    private void used(String name, String resource, String amount) {
        Api.until(
                () -> api.get(namespace + "/resourcequotas/" + name),
                answer -> answer.text("/status/used/" + resource.replace("/", "~1"))
                        .equals(amount));
    }

    private Answer pod(String name, String spec) {
        return api.post(
                namespace + "/pods",
                "{'metadata':{'name':'" + name + "'},'spec':{'schedulerName':'nobody'," + spec + "}}");
    }

    private static String container(String resources) {
        return "{'name':'c','image':'i','resources':{" + resources + "}}";
    }

    /** A server that knows of a quota by a watch needs a moment to do so. */
    private static Answer untilRefused(Supplier<Answer> write) {
        return Api.until(write, answer -> answer.code() == 403);
    }

    @Test
    void counts_objects_of_any_kind_and_lets_go_what_is_deleted() {
        quota("q", "'hard':{'count/configmaps':'2','count/leases.coordination.k8s.io':'0'}");
        used("q", "count/configmaps", "1");
        String leases = namespace.replace("/api/v1", "/apis/coordination.k8s.io/v1") + "/leases";
        Answer lease = untilRefused(() -> api.post(leases + "?dryRun=All", "{'metadata':{'name':'a'},'spec':{}}"));
        assertThat(lease.message())
                .isEqualTo("leases.coordination.k8s.io \"a\" is forbidden: exceeded quota: q, requested:"
                        + " count/leases.coordination.k8s.io=1, used: count/leases.coordination.k8s.io=0, limited:"
                        + " count/leases.coordination.k8s.io=0");
        assertThat(api.post(namespace + "/configmaps", "{'metadata':{'name':'a'}}")
                        .code())
                .isEqualTo(201);
        used("q", "count/configmaps", "2");
        Answer refused = untilRefused(() -> api.post(namespace + "/configmaps", "{'metadata':{'name':'b'}}"));
        assertThat(refused.message())
                .isEqualTo("configmaps \"b\" is forbidden: exceeded quota: q, requested: count/configmaps=1, used:"
                        + " count/configmaps=2, limited: count/configmaps=2");
        api.delete(namespace + "/configmaps/a");
        used("q", "count/configmaps", "1");
        Api.until(
                () -> api.post(namespace + "/configmaps", "{'metadata':{'name':'b'}}"), answer -> answer.code() == 201);
    }

    @Test
    void adds_up_what_pods_ask_for_and_insists_that_they_say_it() {
        quota("q", "'hard':{'requests.cpu':'1','limits.memory':'1Gi','pods':'9'}");
        Answer silent = untilRefused(() -> pod("a", "'containers':[" + container("") + "]"));
        assertThat(silent.message())
                .isEqualTo("pods \"a\" is forbidden: failed quota: q: must specify "
                        + Server.since(36, "limits.memory for: c; requests.cpu for: c", "limits.memory,requests.cpu"));
        String half = container("'requests':{'cpu':'500m'},'limits':{'memory':'256Mi'}");
        assertThat(pod("a", "'containers':[" + half + "]").code()).isEqualTo(201);
        used("q", "requests.cpu", "500m");
        used("q", "limits.memory", "256Mi");
        String much =
                container("'requests':{'cpu':'600m'},'limits':{'memory':'1Gi'}").replace("'c'", "'i'");
        Answer more = untilRefused(() -> pod("b", "'containers':[" + half + "],'initContainers':[" + much + "]"));
        assertThat(more.message())
                .isEqualTo("pods \"b\" is forbidden: exceeded quota: q, requested: limits.memory=1Gi,requests.cpu=600m,"
                        + " used: limits.memory=256Mi,requests.cpu=500m, limited: limits.memory=1Gi,requests.cpu=1");
        api.patch(namespace + "/pods/a/status", Api.MERGE, "{'status':{'phase':'Succeeded'}}");
        used("q", "requests.cpu", "0");
        used("q", "pods", "0");
    }

    @Test
    void limits_only_what_is_in_its_scope() {
        quota(
                "q",
                "'hard':{'pods':'0'},'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'In',"
                        + "'values':['system-node-critical']}]}");
        String containers = "'containers':[" + container("") + "]";
        Answer refused = untilRefused(() -> pod("a", "'priorityClassName':'system-node-critical'," + containers));
        assertThat(refused.message()).contains("exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0");
        assertThat(pod("a", containers).code()).isEqualTo(201);
    }

    @Test
    @Since(value = "1.36", why = "quantities as JSON in messages")
    void says_what_is_wrong_with_a_quota() {
        Answer invalid = api.post(
                namespace + "/resourcequotas",
                "{'metadata':{'name':'q'},'spec':{'hard':{'cats':'1','count/x':'1.5','cpu':'-1'}}}");
        assertThat(invalid.causes())
                .containsExactlyInAnyOrder(
                        "FieldValueInvalid spec.hard[cats]: Invalid value: \"cats\": must be a standard resource type or"
                                + " fully qualified",
                        "FieldValueInvalid spec.hard[cats]: Invalid value: \"cats\": must be a standard resource for"
                                + " quota",
                        "FieldValueInvalid spec.hard[count/x]: Invalid value: \"1500m\": must be an integer",
                        "FieldValueInvalid spec.hard[cpu]: Invalid value: \"-1\": must be greater than or equal to 0");
    }

    @Test
    void gives_and_takes_as_a_limit_range_says() {
        assertThat(api.post(
                                namespace + "/limitranges",
                                "{'metadata':{'name':'l'},'spec':{'limits':[{'type':'Container','min':{'cpu':'100m'},"
                                        + "'max':{'cpu':'1'}},{'type':'Pod','max':{'cpu':'1500m'}},"
                                        + "{'type':'PersistentVolumeClaim','max':{'storage':'1Gi'}}]}}")
                        .body()
                        .at("/spec/limits/0"))
                .isEqualTo(Api.json(("{\"type\":\"Container\",\"max\":{\"cpu\":\"1\"},\"min\":{\"cpu\":\"100m\"},"
                                + "\"default\":{\"cpu\":\"1\"},\"defaultRequest\":{\"cpu\":\"1\"}}")
                        .getBytes(StandardCharsets.UTF_8)));
        Answer claim = untilRefused(() -> api.post(
                namespace + "/persistentvolumeclaims?dryRun=All",
                "{'metadata':{'name':'v'},'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':"
                        + "'2Gi'}}}}"));
        assertThat(claim.message())
                .isEqualTo(
                        "persistentvolumeclaims \"v\" is forbidden: maximum storage usage per PersistentVolumeClaim is"
                                + " 1Gi, but request is 2Gi");
        Answer filled = pod("a", "'containers':[" + container("'requests':{'cpu':'200m'}") + "]");
        assertThat(filled.text("/spec/containers/0/resources/limits/cpu")).isEqualTo("1");
        assertThat(filled.text("/metadata/annotations/kubernetes.io~1limit-ranger"))
                .isEqualTo("LimitRanger plugin set: cpu limit for container c");
        Answer two =
                pod("b", "'containers':[" + container("") + "," + container("").replace("'c'", "'d'") + "]");
        assertThat(two.code()).isEqualTo(403);
        assertThat(two.message())
                .isEqualTo("pods \"b\" is forbidden: maximum cpu usage per Pod is 1500m, but limit is 2");
        Answer few = pod("b", "'containers':[" + container("'limits':{'cpu':'50m'}") + "]");
        assertThat(few.message())
                .isEqualTo("pods \"b\" is forbidden: minimum cpu usage per Container is 100m, but request is 50m");
    }

    @Test
    @Since(value = "1.36", why = "quantities as JSON in messages")
    void says_what_is_wrong_with_a_limit_range() {
        Answer invalid = api.post(
                namespace + "/limitranges",
                "{'metadata':{'name':'l'},'spec':{'limits':[{'type':'Pod','default':{'cpu':'1'}},{'type':'Container',"
                        + "'min':{'cpu':'2'},'max':{'cpu':'1'},'default':{'cpu':'1'},'defaultRequest':{'cpu':'1'}},"
                        + "{'type':'Cat','maxLimitRequestRatio':{'cpu':'500m'}}]}}");
        assertThat(invalid.causes())
                .containsExactlyInAnyOrder(
                        "FieldValueForbidden spec.limits[0].default: Forbidden: may not be specified when `type` is"
                                + " 'Pod'",
                        "FieldValueInvalid spec.limits[1].min[cpu]: Invalid value: \"2\": min value 2 is greater than max"
                                + " value 1",
                        "FieldValueInvalid spec.limits[1].defaultRequest[cpu]: Invalid value: \"1\": min value 2 is"
                                + " greater than default request value 1",
                        "FieldValueInvalid spec.limits[1].default[cpu]: Invalid value: \"2\": min value 2 is greater than"
                                + " default value 1",
                        "FieldValueInvalid spec.limits[2].type: Invalid value: \"Cat\": must be a standard limit type or"
                                + " fully qualified",
                        "FieldValueInvalid spec.limits[2].maxLimitRequestRatio[cpu]: Invalid value: \"500m\": ratio 500m"
                                + " is less than 1");
    }
}
