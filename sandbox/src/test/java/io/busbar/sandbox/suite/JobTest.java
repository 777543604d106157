package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobTest {

    private final Api api = Server.api();
    private final Workloads in = new Workloads(api, api.newNamespace());
    private final String jobs = "/apis/batch/v1/namespaces/" + in.namespace() + "/jobs";
    private final String j = jobs + "/j";

    private Answer create(String annotations, String more) {
        return api.post(
                jobs,
                "{'metadata':{'name':'j'},'spec':{'template':{'metadata':{'annotations':" + annotations
                        + "},'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'x'}]}}" + more + "}}");
    }

    private Answer complete() {
        return Api.until(
                () -> api.get(j),
                answer -> Workloads.condition(answer, "Complete").startsWith("True"));
    }

    private Answer failed(String reason) {
        return in.untilCondition(j, "Failed", "True " + reason);
    }

    @Test
    void is_complete_when_its_pod_has_succeeded() {
        Answer made = create("{'fake-kubelet/exit-code':'0'}", "");
        assertThat(made.text("/spec/completions")).isEqualTo("1");
        Answer done = complete();
        assertThat(done.text("/status/succeeded")).isEqualTo("1");
        assertThat(done.body().path("status").has("active")).isFalse();
        assertThat(done.text("/status/startTime")).isNotEmpty();
        assertThat(done.text("/status/completionTime")).isNotEmpty();
        JsonNode pod = in.pods(1).get(0);
        assertThat(pod.at("/metadata/labels/job-name").asText()).isEqualTo("j");
        assertThat(pod.at("/metadata/labels/controller-uid").asText()).isEqualTo(made.text("/metadata/uid"));
        assertThat(pod.at("/metadata/name").asText()).startsWith("j-");
    }

    @Test
    void runs_so_many_pods_at_a_time() {
        create("{'fake-kubelet/hold':'true'}", ",'completions':3,'parallelism':2");
        in.until(j, "/status/active", "2");
        for (JsonNode pod : in.pods(2)) {
            api.patch(
                    in.core("pods") + "/" + pod.at("/metadata/name").asText(),
                    Api.MERGE,
                    "{'metadata':{'annotations':{'fake-kubelet/hold':null,'fake-kubelet/exit-code':'0'}}}");
        }
        in.until(j, "/status/succeeded", "2");
        Answer last = in.until(j, "/status/active", "1");
        assertThat(Workloads.condition(last, "Complete")).isEmpty();
        api.patch(j, Api.MERGE, "{'spec':{'parallelism':0}}");
        in.until(j, "/status/active", "");
        in.pods(2);
    }

    @Test
    void has_failed_after_too_many_tries() {
        create("{'fake-kubelet/exit-code':'1'}", ",'backoffLimit':0");
        Answer done = failed("BackoffLimitExceeded");
        assertThat(done.text("/status/failed")).isEqualTo("1");
        assertThat(done.body().path("status").has("completionTime")).isFalse();
        assertThat(done.body().findValuesAsText("message")).contains("Job has reached the specified backoff limit");
    }

    @Test
    void has_failed_after_its_deadline() {
        create("{}", ",'activeDeadlineSeconds':2");
        Answer done = failed("DeadlineExceeded");
        assertThat(done.body().path("status").has("active")).isFalse();
        in.pods(0);
    }

    @Test
    void does_not_change_what_it_is_to_do() {
        create("{}", "");
        Answer refused = api.patch(j, Api.MERGE, "{'spec':{'completions':3}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes())
                .containsExactly("FieldValueInvalid spec.completions: Invalid value: 3: field is immutable");
    }

    @Test
    void leaves_its_pods_unless_told_otherwise() {
        create("{}", "");
        in.until(j, "/status/active", "1");
        api.delete(j);
        Api.until(() -> api.get(j), answer -> answer.code() == 404);
        assertThat(in.pods(1).get(0).path("metadata").has("ownerReferences")).isFalse();
        create("{}", "");
        in.pods(2);
        api.delete(j, "{'propagationPolicy':'Background'}");
        in.pods(1);
    }

    @Test
    @Since(value = "1.22", why = "the indexed Job")
    void gives_each_pod_an_index() {
        create("{'fake-kubelet/exit-code':'0'}", ",'completions':3,'parallelism':3,'completionMode':'Indexed'");
        Answer done = complete();
        assertThat(done.text("/status/completedIndexes")).isEqualTo("0-2");
        List<String> indexes = in.pods(3).stream()
                .map(pod -> pod.at("/metadata/annotations/batch.kubernetes.io~1job-completion-index")
                        .asText())
                .toList();
        assertThat(indexes).containsExactlyInAnyOrder("0", "1", "2");
        assertThat(in.pods(3).get(0).at("/spec/containers/0/env/0/name").asText())
                .isEqualTo("JOB_COMPLETION_INDEX");
    }

    @Test
    @Since(value = "1.22", why = "suspension")
    void rests_while_it_is_suspended() {
        create("{'fake-kubelet/exit-code':'0'}", ",'suspend':true");
        Answer suspended = in.untilCondition(j, "Suspended", "True JobSuspended");
        assertThat(suspended.body().path("status").has("startTime")).isFalse();
        in.pods(0);
        api.patch(j, Api.MERGE, "{'spec':{'suspend':false}}");
        assertThat(Workloads.condition(complete(), "Suspended")).isEqualTo("False JobResumed");
    }

    @Test
    @Since(value = "1.21", why = "the time to live of what is finished")
    void goes_a_while_after_its_end() {
        create("{'fake-kubelet/exit-code':'0'}", ",'ttlSecondsAfterFinished':0");
        Api.until(() -> api.get(j), answer -> answer.code() == 404);
        in.pods(0);
    }

    @Test
    @Since(value = "1.26", why = "that what was counted stays so")
    void ends_also_where_somebody_has_deleted_a_pod_that_had_failed() {
        create("{'fake-kubelet/hold':'true'}", ",'parallelism':2");
        String failed =
                in.core("pods") + "/" + in.pods(2).get(0).at("/metadata/name").asText();
        String end = "{'metadata':{'annotations':{'fake-kubelet/hold':null,'fake-kubelet/exit-code':'%d'}}}";
        api.patch(failed, Api.MERGE, end.formatted(1));
        in.until(j, "/status/failed", "1");
        api.delete(failed);
        Api.until(() -> api.get(failed), answer -> answer.code() == 404);
        for (JsonNode pod : in.pods(2)) {
            api.patch(in.core("pods") + "/" + pod.at("/metadata/name").asText(), Api.MERGE, end.formatted(0));
        }
        assertThat(complete().text("/status/failed")).isEqualTo("1");
    }

    @Test
    @Since(value = "1.32", why = "that another controller may care for it")
    void is_left_alone_where_another_controller_cares_for_it() {
        create("{'fake-kubelet/exit-code':'0'}", ",'managedBy':'example.com/other'");
        api.post(
                jobs,
                "{'metadata':{'name':'own'},'spec':{'template':{'metadata':{'annotations':{'fake-kubelet/exit-code':'0'}}"
                        + ",'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'x'}]}}}}");
        in.untilCondition(jobs + "/own", "Complete", "True CompletionsReached");
        assertThat(api.get(j).body().path("status").has("startTime")).isFalse();
    }

    @Test
    @Since(value = "1.32", why = "what the status of a Job may become")
    void ends_only_as_a_job_does() {
        create("{'fake-kubelet/hold':'true'}", "");
        in.until(j, "/status/active", "1");
        String conditions = "FieldValueInvalid status.conditions: Invalid value: ";
        assertThat(status("'conditions':[{'type':'Complete','status':'True'}]").causes())
                .containsExactlyInAnyOrder(
                        conditions + "cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
                        "FieldValueRequired status.completionTime: Required value: completionTime is required for"
                                + " Complete jobs",
                        "FieldValueInvalid status.active: Invalid value: 1: active>0 is invalid for finished job");
        assertThat(status("'active':0,'ready':0,'conditions':[{'type':'Failed','status':'True'}]")
                        .causes())
                .containsExactly(
                        conditions + "cannot set Failed=True condition without the FailureTarget=true condition");
        assertThat(status("'startTime':null").causes())
                .containsExactly("FieldValueInvalid status.startTime: Invalid value: null:"
                        + " field is immutable for unsuspended job once set");
        assertThat(status("'completionTime':'2099-01-01T00:00:00Z'").causes())
                .containsExactly("FieldValueInvalid status.completionTime: Invalid value: \"2099-01-01T00:00:00Z\":"
                        + " cannot set completionTime when there is no Complete=True condition");
        Answer done = status("'active':0,'ready':0,'completionTime':'2099-01-01T00:00:00Z','conditions':"
                + "[{'type':'SuccessCriteriaMet','status':'True'},{'type':'Complete','status':'True'}]");
        assertThat(done.code()).isEqualTo(200);
    }

    private Answer status(String fields) {
        return api.patch(j + "/status?dryRun=All", Api.MERGE, "{'status':{" + fields + "}}");
    }

    @Test
    @Since(value = "1.35", why = "that the status is true unless said otherwise, as documented")
    void takes_a_condition_of_its_failure_policy_for_true() {
        Answer made = create(
                "{'fake-kubelet/hold':'true'}",
                ",'suspend':true,'podFailurePolicy':{'rules':[{'action':'Ignore','onPodConditions':"
                        + "[{'type':'DisruptionTarget'}]}]}");
        assertThat(made.text("/spec/podFailurePolicy/rules/0/onPodConditions/0/status"))
                .isEqualTo("True");
    }

    @Test
    @Since(value = "1.36", why = "the words of these refusals")
    void does_not_write_over_labels_that_the_user_has_chosen() {
        Answer refused = api.post(
                jobs + "?dryRun=All",
                "{'metadata':{'name':'j'},'spec':{'template':{'metadata':{'labels':{'job-name':'x'}},'spec':"
                        + "{'restartPolicy':'Never','containers':[{'name':'c','image':'x'}]}}}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes())
                .singleElement()
                .asString()
                .startsWith("FieldValueInvalid spec.template.metadata.labels[job-name]: Invalid value: {")
                .endsWith("}: must be 'j'");
    }

    @Test
    @Since(value = "1.36", why = "the words of these refusals")
    void checks_the_indexes_that_have_to_succeed() {
        String rule = "FieldValueInvalid spec.successPolicy.rules[0].";
        assertThat(indexed("{'succeededIndexes':'0-1,1'}").causes())
                .containsExactly(rule + "succeededIndexes: Invalid value: \"0-1,1\": error parsing succeededIndexes:"
                        + " non-increasing order, previous: 1, current: 1");
        assertThat(indexed("{'succeededIndexes':'0,3'}").causes())
                .containsExactly(rule + "succeededIndexes: Invalid value: \"0,3\": error parsing succeededIndexes:"
                        + " too large index: \"3\"");
        assertThat(indexed("{'succeededIndexes':'0-1','succeededCount':3}").causes())
                .containsExactly(
                        rule + "succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of"
                                + " indexes in the specified succeededIndexes field)");
        assertThat(indexed("{'succeededIndexes':'0-2','succeededCount':2}").code())
                .isEqualTo(201);
    }

    private Answer indexed(String rule) {
        return api.post(
                jobs + "?dryRun=All",
                "{'metadata':{'name':'j'},'spec':{'completions':3,'completionMode':'Indexed','successPolicy':{'rules':["
                        + rule
                        + "]},'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'x'}]}}}}");
    }

    @Test
    @Since(value = "1.27", why = "that the Pods of an Indexed Job are hosts")
    void has_a_name_that_leaves_room_for_an_index() {
        String name = "j".repeat(62);
        Answer refused = api.post(
                jobs + "?dryRun=All",
                "{'metadata':{'name':'" + name + "'},'spec':{'completions':3,'completionMode':'Indexed','template':"
                        + "{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'x'}]}}}}");
        assertThat(refused.causes())
                .containsExactly("FieldValueInvalid metadata.name: Invalid value: \"" + name + "\": will not able to"
                        + " create pod with invalid DNS label: " + name + "-2");
    }
}
