package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class PriorityTest {

    private static final String CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";

    private final Api api = Server.api();
    private final String pods = "/api/v1/namespaces/" + api.newNamespace() + "/pods";
    private final String name =
            "suite-" + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), 36);

    private Answer pod(String spec) {
        return api.post(
                pods + "?dryRun=All",
                "{'metadata':{'name':'a'},'spec':{" + spec + "'containers':[{'name':'c','image':'i'}]}}");
    }

    @Test
    void gives_a_pod_the_priority_of_its_class() {
        api.post(CLASSES, "{'metadata':{'name':'" + name + "'},'value':77,'preemptionPolicy':'Never'}");
        Answer pod = Api.until(() -> pod("'priorityClassName':'" + name + "',"), answer -> answer.code() == 201);
        assertThat(pod.text("/spec/priority")).isEqualTo("77");
        assertThat(pod.text("/spec/preemptionPolicy")).isEqualTo("Never");
        Answer other = pod("'priority':5,'priorityClassName':'" + name + "',");
        assertThat(other.code()).isEqualTo(403);
        assertThat(other.message())
                .isEqualTo(
                        "pods \"a\" is forbidden: the integer value of priority (5) must not be provided in pod spec;"
                                + " priority admission controller computed 77 from the given PriorityClass name");
        assertThat(pod("'priorityClassName':'no-such-class',").message())
                .isEqualTo("pods \"a\" is forbidden: no PriorityClass with name no-such-class was found");
        assertThat(pod("").text("/spec/priority")).isEqualTo("0");
    }

    @Test
    void keeps_the_classes_of_the_system_to_itself() {
        assertThat(api.get(CLASSES + "/system-cluster-critical").text("/value")).isEqualTo("2000000000");
        Answer taken = api.post(CLASSES + "?dryRun=All", "{'metadata':{'name':'system-mine'},'value':1}");
        assertThat(taken.causes())
                .containsExactly(
                        "FieldValueForbidden metadata.name: Forbidden: priority class names with 'system-' prefix"
                                + " are reserved for system use only. error: system-mine is not a known system priority class");
        assertThat(api.post(CLASSES + "?dryRun=All", "{'metadata':{'name':'" + name + "'},'value':1000000001}")
                        .causes())
                .containsExactly(
                        "FieldValueForbidden value: Forbidden: maximum allowed value of a user defined priority is"
                                + " 1000000000");
    }

    @Test
    void never_changes_the_value_of_a_class() {
        assertThat(api.post(CLASSES, "{'metadata':{'name':'" + name + "'},'value':77}")
                        .text("/metadata/generation"))
                .isEqualTo("1");
        Answer changed = api.patch(CLASSES + "/" + name, Api.MERGE, "{'value':78}");
        assertThat(changed.code()).isEqualTo(422);
        assertThat(changed.causes())
                .containsExactly("FieldValueForbidden " + Server.since(36, "value", "Value")
                        + ": Forbidden: may not be changed in an update.");
    }

    @Test
    void of_the_system_stay() {
        Answer refused = api.delete("/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical");
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo(
                        "priorityclasses.scheduling.k8s.io \"system-node-critical\" is forbidden: this is a system priority"
                                + " class and cannot be deleted");
    }
}
