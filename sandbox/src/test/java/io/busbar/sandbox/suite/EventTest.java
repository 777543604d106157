package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** What controllers tell of their work. */
class EventTest {

    private static final String ENDING = "{'metadata':{'annotations':{'fake-kubelet/exit-code':'%s'}},"
            + "'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'x'}]}}";

    private final Api api = Server.api();
    private final Workloads in = new Workloads(api, api.newNamespace());

    private void create(String plural, String name, String more) {
        Answer made = api.post(
                in.apps(plural),
                "{'metadata':{'name':'" + name + "'},'spec':{" + Workloads.SELECTOR + ",'template':"
                        + Workloads.TEMPLATE + more + "}}");
        assertThat(made.code()).as(made.message()).isEqualTo(201);
    }

    /** Waits for an Event of an object whose message begins so. */
    private JsonNode told(String kind, String name, String reason, String message) {
        String events = in.core("events") + "?fieldSelector=involvedObject.kind%3D" + kind + ",reason%3D" + reason;
        JsonNode[] found = new JsonNode[1];
        Api.until(() -> api.get(events), answer -> {
            for (JsonNode event : answer.body().path("items")) {
                if (event.at("/involvedObject/name").asText().startsWith(name)
                        && event.path("message").asText().startsWith(message)) {
                    found[0] = event;
                }
            }
            return found[0] != null;
        });
        assertThat(found[0].at("/involvedObject/uid").asText()).isNotEmpty();
        assertThat(found[0].at("/involvedObject/namespace").asText()).isEqualTo(in.namespace());
        return found[0];
    }

    private static void assertBy(JsonNode event, String component, String type) {
        assertThat(event.at("/source/component").asText()).isEqualTo(component);
        assertThat(event.path("type").asText()).isEqualTo(type);
        assertThat(event.path("count").asInt()).isPositive();
        assertThat(event.path("firstTimestamp").asText()).isNotEmpty();
        assertThat(event.path("lastTimestamp").asText()).isNotEmpty();
    }

    @Test
    void of_a_deployment_tell_how_its_sets_are_sized() {
        create("deployments", "d", ",'replicas':2");
        JsonNode grown = told("Deployment", "d", "ScalingReplicaSet", "Scaled up replica set d-");
        assertBy(grown, "deployment-controller", "Normal");
        assertThat(grown.path("message").asText()).endsWith(" to 2");
        in.until(in.apps("deployments") + "/d", "/status/availableReplicas", "2");
        api.patch(in.apps("deployments") + "/d", Api.MERGE, "{'spec':{'replicas':1}}");
        JsonNode shrunk = told("Deployment", "d", "ScalingReplicaSet", "Scaled down replica set d-");
        assertThat(shrunk.path("message").asText()).contains(" to 1");
    }

    @Test
    void of_a_replica_set_name_the_pods_that_come_and_go() {
        create("replicasets", "r", ",'replicas':1");
        String pod = in.pods(1).get(0).at("/metadata/name").asText();
        assertBy(told("ReplicaSet", "r", "SuccessfulCreate", "Created pod: " + pod), "replicaset-controller", "Normal");
        api.patch(in.apps("replicasets") + "/r", Api.MERGE, "{'spec':{'replicas':0}}");
        assertBy(told("ReplicaSet", "r", "SuccessfulDelete", "Deleted pod: " + pod), "replicaset-controller", "Normal");
    }

    @Test
    void count_what_happens_again() {
        refusePods();
        create("replicasets", "r", "");
        JsonNode failed = told("ReplicaSet", "r", "FailedCreate", "Error creating: Internal error occurred: failed");
        assertBy(failed, "replicaset-controller", "Warning");
        String event = in.core("events") + "/" + failed.at("/metadata/name").asText();
        Api.until(() -> api.get(event), answer -> answer.body().path("count").asInt() > 1);
    }

    /** By a webhook that nobody answers for. */
    private void refusePods() {
        String namespace = in.namespace();
        api.patch(
                "/api/v1/namespaces/" + namespace, Api.MERGE, "{'metadata':{'labels':{'suite':'" + namespace + "'}}}");
        api.post(
                "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
                "{'metadata':{'name':'" + namespace + "'},'webhooks':[{'name':'refuse.suite.io','clientConfig':"
                        + "{'url':'https://127.0.0.1:1/'},'rules':[{'apiGroups':[''],'apiVersions':['v1'],"
                        + "'resources':['pods'],'operations':['CREATE']}],'sideEffects':'None',"
                        + "'admissionReviewVersions':['v1'],'namespaceSelector':{'matchLabels':{'suite':'" + namespace
                        + "'}}}]}");
        Api.until(
                () -> api.post(
                        in.core("pods") + "?dryRun=All",
                        "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'x'}]}}"),
                answer -> answer.code() == 500);
    }

    @Test
    void of_a_stateful_set_name_pods_and_claims() {
        create(
                "statefulsets",
                "s",
                ",'serviceName':'s','replicas':1,'volumeClaimTemplates':[{'metadata':{'name':'v'},'spec':{"
                        + "'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}]");
        assertBy(
                told(
                        "StatefulSet",
                        "s",
                        "SuccessfulCreate",
                        Server.since(36, "Create", "create") + " Pod s-0 in StatefulSet s successful"),
                "statefulset-controller",
                "Normal");
        told(
                "StatefulSet",
                "s",
                "SuccessfulCreate",
                Server.since(36, "Create", "create") + " Claim v-s-0 Pod s-0 in StatefulSet s success");
        api.patch(in.apps("statefulsets") + "/s", Api.MERGE, "{'spec':{'replicas':0}}");
        told(
                "StatefulSet",
                "s",
                "SuccessfulDelete",
                Server.since(36, "Delete", "delete") + " Pod s-0 in StatefulSet s successful");
    }

    @Test
    void of_a_daemon_set_name_its_pods() {
        create("daemonsets", "ds", "");
        assertBy(told("DaemonSet", "ds", "SuccessfulCreate", "Created pod: ds-"), "daemonset-controller", "Normal");
    }

    @Test
    void of_a_job_tell_its_end() {
        String jobs = "/apis/batch/v1/namespaces/" + in.namespace() + "/jobs";
        api.post(jobs, "{'metadata':{'name':'good'},'spec':{'template':" + ENDING.formatted("0") + "}}");
        api.post(
                jobs, "{'metadata':{'name':'bad'},'spec':{'backoffLimit':0,'template':" + ENDING.formatted("1") + "}}");
        assertBy(told("Job", "good", "SuccessfulCreate", "Created pod: good-"), "job-controller", "Normal");
        assertBy(told("Job", "good", "Completed", "Job completed"), "job-controller", "Normal");
        assertBy(
                told("Job", "bad", "BackoffLimitExceeded", "Job has reached the specified backoff limit"),
                "job-controller",
                "Warning");
    }

    @Test
    void of_a_pod_tell_where_it_was_placed() {
        in.createPod("{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'x'}]}}");
        String node = Api.until(
                        () -> api.get(in.core("pods") + "/p"),
                        answer -> !answer.text("/spec/nodeName").isEmpty())
                .text("/spec/nodeName");
        JsonNode event = told("Pod", "p", "Scheduled", "Successfully assigned " + in.namespace() + "/p to " + node);
        assertThat(event.path("reportingComponent").asText()).isEqualTo("default-scheduler");
        assertThat(event.path("action").asText()).isEqualTo("Binding");
        assertThat(event.path("eventTime").asText()).matches("\\S+\\.\\d{6}Z");
    }

    @Test
    void of_a_pod_tell_why_it_waits() {
        in.createPod("{'metadata':{'name':'p'},'spec':{'nodeSelector':{'nobody':'has-it'},"
                + "'containers':[{'name':'c','image':'x'}]}}");
        JsonNode event = told("Pod", "p", "FailedScheduling", "0/");
        assertThat(event.path("message").asText()).contains(" nodes are available: ");
        assertThat(event.path("type").asText()).isEqualTo("Warning");
    }
}
