package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class DaemonSetTest {

    private final Api api = Server.api();
    private final Workloads in = new Workloads(api, api.newNamespace());
    private final String sets = in.apps("daemonsets");
    private final String d = sets + "/d";

    private Answer create(String more) {
        return api.post(
                sets,
                "{'metadata':{'name':'d'},'spec':{" + Workloads.SELECTOR + ",'template':" + Workloads.TEMPLATE + more
                        + "}}");
    }

    private static List<String> nodes(List<JsonNode> pods) {
        return pods.stream().map(pod -> pod.at("/spec/nodeName").asText()).toList();
    }

    @Test
    void runs_a_pod_on_each_node() {
        create("");
        int nodes = api.get("/api/v1/nodes").names().size();
        Answer available = in.until(d, "/status/numberAvailable", Integer.toString(nodes));
        assertThat(available.text("/status/desiredNumberScheduled")).isEqualTo(Integer.toString(nodes));
        assertThat(available.text("/status/currentNumberScheduled")).isEqualTo(Integer.toString(nodes));
        assertThat(available.text("/status/numberReady")).isEqualTo(Integer.toString(nodes));
        assertThat(available.text("/status/updatedNumberScheduled")).isEqualTo(Integer.toString(nodes));
        assertThat(available.body().path("status").has("numberUnavailable")).isFalse();
        List<JsonNode> pods = in.pods(nodes);
        assertThat(nodes(pods))
                .containsExactlyInAnyOrderElementsOf(api.get("/api/v1/nodes").names());
        JsonNode revision = api.get(in.apps("controllerrevisions")).body().at("/items/0");
        assertThat(revision.at("/metadata/name").asText())
                .isEqualTo("d-"
                        + pods.get(0)
                                .at("/metadata/labels/controller-revision-hash")
                                .asText());
    }

    @Test
    void runs_on_the_nodes_that_it_selects() {
        api.post(
                sets,
                "{'metadata':{'name':'d'},'spec':{" + Workloads.SELECTOR
                        + ",'template':{'metadata':{'labels':{'app':'a'}},'spec':{'nodeSelector':{'topology.kubernetes.io/zone':'zone-1'},"
                        + "'containers':[{'name':'c','image':'x'}]}}}}");
        in.until(d, "/status/numberAvailable", "1");
        assertThat(nodes(in.pods(1))).containsExactly("node-1");
    }

    @Test
    void replaces_pods_of_an_old_template() {
        create(",'updateStrategy':{'rollingUpdate':{'maxUnavailable':'100%'}}");
        String nodes = Integer.toString(api.get("/api/v1/nodes").names().size());
        in.until(d, "/status/numberAvailable", nodes);
        api.patch(d, Api.STRATEGIC, "{'spec':{'template':{'spec':{'containers':[{'name':'c','image':'y'}]}}}}");
        Api.until(
                () -> api.get(d),
                answer -> answer.text("/status/observedGeneration").equals("2")
                        && answer.text("/status/updatedNumberScheduled").equals(nodes)
                        && answer.text("/status/numberAvailable").equals(nodes));
        assertThat(api.get(in.core("pods")).body().findValuesAsText("image")).doesNotContain("x");
        assertThat(api.get(in.apps("controllerrevisions")).body().findValuesAsText("revision"))
                .containsExactlyInAnyOrder("1", "2");
    }

    @Test
    void keeps_pods_of_an_old_template_when_told_so() {
        create(",'updateStrategy':{'type':'OnDelete'}");
        int nodes = api.get("/api/v1/nodes").names().size();
        in.until(d, "/status/numberAvailable", Integer.toString(nodes));
        api.patch(d, Api.STRATEGIC, "{'spec':{'template':{'spec':{'containers':[{'name':'c','image':'y'}]}}}}");
        Answer seen = in.until(d, "/status/observedGeneration", "2");
        assertThat(seen.text("/status/numberAvailable")).isEqualTo(Integer.toString(nodes));
        in.until(d, "/status/updatedNumberScheduled", "");
    }
}
