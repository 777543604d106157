package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

class DisruptionTest {

    private final Api api = Server.api();
    private final Workloads in = new Workloads(api, api.newNamespace());
    private final String budgets = in.newest("policy", "poddisruptionbudgets");
    private final String b = budgets + "/b";

    private void budget(String limit) {
        api.post(budgets, "{'metadata':{'name':'b'},'spec':{" + limit + "," + Workloads.SELECTOR + "}}");
    }

    private void deployment(int replicas) {
        api.post(
                in.apps("deployments"),
                "{'metadata':{'name':'d'},'spec':{'replicas':" + replicas + "," + Workloads.SELECTOR + ",'template':"
                        + Workloads.TEMPLATE + "}}");
        in.until(in.apps("deployments") + "/d", "/status/availableReplicas", Integer.toString(replicas));
    }

    private Answer evict(String pod) {
        return api.post(
                in.core("pods") + "/" + pod + "/eviction",
                "{'apiVersion':'policy/v1beta1','kind':'Eviction','metadata':{'name':'" + pod + "'}}");
    }

    private String somePod(int pods) {
        JsonNode pod = in.pods(pods).get(0);
        return pod.at("/metadata/name").asText();
    }

    @Test
    void counts_what_may_be_missing() {
        deployment(3);
        budget("'maxUnavailable':'34%'");
        Answer counted = in.until(b, "/status/disruptionsAllowed", "2");
        assertThat(counted.text("/status/expectedPods")).isEqualTo("3");
        assertThat(counted.text("/status/currentHealthy")).isEqualTo("3");
        assertThat(counted.text("/status/desiredHealthy")).isEqualTo("1");
        assertThat(counted.text("/status/observedGeneration")).isEqualTo("1");
        api.patch(
                in.core("pods") + "/" + somePod(3),
                Api.MERGE,
                "{'metadata':{'annotations':{'fake-kubelet/ready':'false'}}}");
        Answer fewer = in.until(b, "/status/disruptionsAllowed", "1");
        assertThat(fewer.text("/status/currentHealthy")).isEqualTo("2");
    }

    @Test
    void lets_a_pod_go_that_can_be_spared() {
        deployment(2);
        budget("'minAvailable':1");
        in.until(b, "/status/disruptionsAllowed", "1");
        String pod = somePod(2);
        Answer evicted = evict(pod);
        assertThat(evicted.code()).isEqualTo(201);
        assertThat(evicted.text("/status")).isEqualTo("Success");
        Api.until(() -> api.get(in.core("pods") + "/" + pod), answer -> answer.code() == 404);
        in.until(b, "/status/currentHealthy", "2");
    }

    @Test
    void tries_in_a_dry_run_alone() {
        deployment(2);
        budget("'minAvailable':1");
        in.until(b, "/status/disruptionsAllowed", "1");
        String pod = somePod(2);
        Answer tried = api.post(
                in.core("pods") + "/" + pod + "/eviction",
                "{'apiVersion':'policy/v1beta1','kind':'Eviction','metadata':{'name':'" + pod
                        + "'},'deleteOptions':{'dryRun':['All']}}");
        assertThat(tried.code()).isEqualTo(201);
        assertThat(api.get(in.core("pods") + "/" + pod).body().path("metadata").has("deletionTimestamp"))
                .isFalse();
        assertThat(api.get(b).text("/status/disruptionsAllowed")).isEqualTo("1");
    }

    @Test
    void keeps_a_pod_that_is_needed() {
        deployment(1);
        budget("'minAvailable':'100%'");
        in.until(b, "/status/currentHealthy", "1");
        String pod = somePod(1);
        Answer refused = evict(pod);
        assertThat(refused.code()).isEqualTo(429);
        assertThat(refused.reason()).isEqualTo("TooManyRequests");
        assertThat(refused.message()).isEqualTo("Cannot evict pod as it would violate the pod's disruption budget.");
        assertThat(refused.body().at("/details/causes/0/reason").asText()).isEqualTo("DisruptionBudget");
        assertThat(refused.body().at("/details/causes/0/message").asText())
                .isEqualTo("The disruption budget b needs 1 healthy pods and has 1 currently");
        assertThat(api.get(in.core("pods") + "/" + pod).body().path("metadata").has("deletionTimestamp"))
                .isFalse();
    }

    @Test
    void does_not_ask_for_a_pod_without_a_budget() {
        deployment(1);
        String pod = somePod(1);
        assertThat(evict(pod).code()).isEqualTo(201);
        Api.until(() -> api.get(in.core("pods") + "/" + pod), answer -> answer.code() == 404);
        assertThat(evict("nobody").code()).isEqualTo(404);
    }
}
