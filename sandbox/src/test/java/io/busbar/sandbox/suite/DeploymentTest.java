package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeploymentTest {

    private final Api api = Server.api();
    private final Workloads in = new Workloads(api, api.newNamespace());
    private final String deployments = in.apps("deployments");
    private final String sets = in.apps("replicasets");
    private final String d = deployments + "/d";

    private Answer create(int replicas, String more) {
        return api.post(
                deployments,
                "{'metadata':{'name':'d','annotations':{'note':'x'}},'spec':{'replicas':" + replicas + ","
                        + Workloads.SELECTOR + ",'template':" + Workloads.TEMPLATE + more + "}}");
    }

    private Answer available(int replicas) {
        return in.until(d, "/status/availableReplicas", Integer.toString(replicas));
    }

    private Answer complete() {
        return in.untilCondition(d, "Progressing", "True NewReplicaSetAvailable");
    }

    private Answer image(String image) {
        return api.patch(
                d,
                Api.STRATEGIC,
                "{'spec':{'template':{'spec':{'containers':[{'name':'c','image':'" + image + "'}]}}}}");
    }

    @Test
    void makes_a_replica_set_that_makes_pods() {
        Answer made = create(2, "");
        assertThat(made.code()).isEqualTo(201);
        available(2);
        Answer ready = complete();
        assertThat(Workloads.condition(ready, "Available")).isEqualTo("True MinimumReplicasAvailable");
        assertThat(ready.text("/metadata/annotations/deployment.kubernetes.io~1revision"))
                .isEqualTo("1");
        assertThat(ready.text("/metadata/generation")).isEqualTo("1");
        assertThat(ready.text("/status/observedGeneration")).isEqualTo("1");
        assertThat(ready.text("/status/updatedReplicas")).isEqualTo("2");
        assertThat(ready.body().path("status").has("unavailableReplicas")).isFalse();
        JsonNode set = api.get(sets).body().at("/items/0");
        String hash = set.at("/metadata/labels/pod-template-hash").asText();
        assertThat(hash).matches("[bcdfghjklmnpqrstvwxz2456789]+");
        assertThat(set.at("/metadata/name").asText()).isEqualTo("d-" + hash);
        assertThat(set.at("/spec/selector/matchLabels/pod-template-hash").asText())
                .isEqualTo(hash);
        assertThat(set.at("/metadata/annotations/note").asText()).isEqualTo("x");
        assertThat(set.at("/metadata/annotations/deployment.kubernetes.io~1desired-replicas")
                        .asText())
                .isEqualTo("2");
        assertThat(set.at("/metadata/annotations/deployment.kubernetes.io~1max-replicas")
                        .asText())
                .isEqualTo("3");
        assertThat(set.at("/metadata/ownerReferences/0/uid").asText()).isEqualTo(made.text("/metadata/uid"));
        JsonNode pod = in.pods(2).get(0);
        assertThat(pod.at("/metadata/name").asText()).startsWith("d-" + hash + "-");
        assertThat(pod.at("/metadata/generateName").asText()).isEqualTo("d-" + hash + "-");
        assertThat(pod.at("/metadata/labels/pod-template-hash").asText()).isEqualTo(hash);
        assertThat(pod.at("/metadata/ownerReferences/0/name").asText()).isEqualTo("d-" + hash);
    }

    @Test
    void rolls_a_new_template_out_and_back() {
        create(2, "");
        complete();
        image("y");
        in.until(d, "/metadata/annotations/deployment.kubernetes.io~1revision", "2");
        Answer rolled = Api.until(
                () -> api.get(d),
                answer -> Workloads.condition(answer, "Progressing").equals("True NewReplicaSetAvailable")
                        && answer.text("/status/observedGeneration").equals("2")
                        && answer.text("/status/updatedReplicas").equals("2")
                        && answer.text("/status/replicas").equals("2"));
        assertThat(rolled.text("/status/availableReplicas")).isEqualTo("2");
        assertThat(images(in.pods(2))).containsExactly("y", "y");
        assertThat(api.get(sets).names()).hasSize(2);
        image("x");
        in.until(d, "/metadata/annotations/deployment.kubernetes.io~1revision", "3");
        assertThat(api.get(sets).names()).hasSize(2);
        Answer back = Api.until(() -> api.get(sets), answer -> histories(answer).contains("1"));
        assertThat(histories(back)).containsOnlyOnce("1");
    }

    private static List<String> images(List<JsonNode> pods) {
        return pods.stream()
                .map(pod -> pod.at("/spec/containers/0/image").asText())
                .toList();
    }

    private static List<String> histories(Answer sets) {
        return sets.body().path("items").findValuesAsText("deployment.kubernetes.io/revision-history");
    }

    @Test
    void keeps_enough_pods_while_new_ones_do_not_get_ready() {
        create(4, ",'strategy':{'rollingUpdate':{'maxSurge':1,'maxUnavailable':'25%'}},'progressDeadlineSeconds':1");
        available(4);
        api.patch(d, Api.MERGE, "{'spec':{'template':{'metadata':{'annotations':{'fake-kubelet/ready':'false'}}}}}");
        Answer stuck = Api.until(
                () -> api.get(d),
                answer -> Workloads.condition(answer, "Progressing").equals("False ProgressDeadlineExceeded")
                        && answer.text("/status/updatedReplicas").equals("2")
                        && answer.text("/status/replicas").equals("5"));
        assertThat(stuck.text("/status/availableReplicas")).isEqualTo("3");
        assertThat(stuck.text("/status/unavailableReplicas")).isEqualTo("2");
        assertThat(Workloads.condition(stuck, "Available")).isEqualTo("True MinimumReplicasAvailable");
    }

    @Test
    void replaces_all_at_once_when_told_to() {
        create(2, ",'strategy':{'type':'Recreate'}");
        complete();
        api.patch(d, Api.MERGE, "{'spec':{'template':{'metadata':{'annotations':{'fake-kubelet/hold':'true'}}}}}");
        in.until(d, "/metadata/annotations/deployment.kubernetes.io~1revision", "2");
        Answer replaced = in.until(d, "/status/updatedReplicas", "2");
        assertThat(replaced.text("/status/replicas")).isEqualTo("2");
        assertThat(Workloads.condition(replaced, "Available")).isEqualTo("False MinimumReplicasUnavailable");
    }

    @Test
    void changes_its_size() {
        create(1, "");
        available(1);
        Answer scale = api.patch(d + "/scale", Api.MERGE, "{'spec':{'replicas':3}}");
        assertThat(scale.text("/spec/replicas")).isEqualTo("3");
        available(3);
        api.patch(d, Api.MERGE, "{'spec':{'replicas':1}}");
        available(1);
        in.pods(1);
        assertThat(api.get(sets).text("/items/0/metadata/annotations/deployment.kubernetes.io~1desired-replicas"))
                .isEqualTo("1");
    }

    @Test
    void changes_its_size_but_no_template_while_it_is_paused() {
        create(1, "");
        complete();
        api.patch(d, Api.MERGE, "{'spec':{'paused':true}}");
        in.untilCondition(d, "Progressing", "Unknown DeploymentPaused");
        image("y");
        api.patch(d, Api.MERGE, "{'spec':{'replicas':2}}");
        available(2);
        assertThat(api.get(sets).names()).hasSize(1);
        api.patch(d, Api.MERGE, "{'spec':{'paused':false}}");
        in.until(d, "/metadata/annotations/deployment.kubernetes.io~1revision", "2");
        complete();
        assertThat(images(in.pods(2))).containsExactly("y", "y");
    }

    @Test
    void forgets_old_revisions() {
        create(1, ",'revisionHistoryLimit':1");
        complete();
        for (String image : List.of("1", "2", "3")) {
            image(image);
            in.until(d, "/status/observedGeneration", Integer.toString(1 + Integer.parseInt(image)));
            Api.until(
                    () -> api.get(d),
                    answer -> Workloads.condition(answer, "Progressing").equals("True NewReplicaSetAvailable")
                            && answer.text("/status/replicas").equals("1")
                            && answer.text("/status/updatedReplicas").equals("1"));
        }
        Api.until(() -> api.get(sets), answer -> answer.names().size() == 2);
    }

    @Test
    void is_not_available_before_its_pods_have_been_ready_for_long_enough() {
        create(1, ",'minReadySeconds':500");
        Answer ready = in.until(d, "/status/readyReplicas", "1");
        assertThat(ready.body().path("status").has("availableReplicas")).isFalse();
        assertThat(Workloads.condition(ready, "Available")).isEqualTo("False MinimumReplicasUnavailable");
        api.patch(d, Api.MERGE, "{'spec':{'minReadySeconds':0}}");
        available(1);
    }
}
