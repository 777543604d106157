package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaSetTest {

    private final Api api = Server.api();
    private final Workloads in = new Workloads(api, api.newNamespace());
    private final String sets = in.apps("replicasets");
    private final String r = sets + "/r";

    private Answer create(int replicas) {
        return api.post(
                sets,
                "{'metadata':{'name':'r'},'spec':{'replicas':" + replicas + "," + Workloads.SELECTOR + ",'template':"
                        + Workloads.TEMPLATE + "}}");
    }

    /** It runs when this returns: a controller that starts then knows of it. */
    private void bare(String name, String labels) {
        in.createPod("{'metadata':{'name':'" + name + "','labels':" + labels
                + "},'spec':{'terminationGracePeriodSeconds':1,'containers':[{'name':'c','image':'x'}]}}");
        in.until(in.core("pods") + "/" + name, "/status/phase", "Running");
    }

    @Test
    void replaces_pods_that_are_deleted() {
        create(2);
        in.until(r, "/status/readyReplicas", "2");
        List<JsonNode> first = in.pods(2);
        api.delete(in.core("pods") + "/" + first.get(0).at("/metadata/name").asText());
        Answer now = Api.until(
                () -> api.get(in.core("pods")),
                answer -> answer.names().size() == 2
                        && !answer.names().equals(Workloads.names(first))
                        && !answer.body().toString().contains("deletionTimestamp"));
        assertThat(now.names()).contains(first.get(1).at("/metadata/name").asText());
    }

    @Test
    void adopts_what_its_selector_finds() {
        bare("mine", "{'app':'a'}");
        bare("other", "{'app':'b'}");
        create(1);
        Answer adopted = in.until(in.core("pods") + "/mine", "/metadata/ownerReferences/0/name", "r");
        assertThat(adopted.text("/metadata/ownerReferences/0/controller")).isEqualTo("true");
        in.until(r, "/status/replicas", "1");
        assertThat(api.get(in.core("pods")).names()).containsExactly("mine", "other");
    }

    @Test
    void lets_go_of_what_its_selector_does_not_find() {
        create(1);
        String name = in.pods(1).get(0).at("/metadata/name").asText();
        api.patch(in.core("pods") + "/" + name, Api.MERGE, "{'metadata':{'labels':{'app':'b'}}}");
        Api.until(
                () -> api.get(in.core("pods") + "/" + name),
                answer -> !answer.body().path("metadata").has("ownerReferences"));
        in.pods(2);
        in.until(r, "/status/readyReplicas", "1");
    }

    @Test
    void gives_up_pods_that_are_not_ready_first() {
        create(2);
        in.until(r, "/status/readyReplicas", "2");
        String stays = in.pods(2).get(1).at("/metadata/name").asText();
        String goes = in.pods(2).get(0).at("/metadata/name").asText();
        api.patch(
                in.core("pods") + "/" + goes, Api.MERGE, "{'metadata':{'annotations':{'fake-kubelet/ready':'false'}}}");
        in.until(r, "/status/readyReplicas", "1");
        api.patch(r, Api.MERGE, "{'spec':{'replicas':1}}");
        assertThat(Workloads.names(in.pods(1))).containsExactly(stays);
        in.until(r, "/status/replicas", "1");
    }

    @Test
    void takes_its_pods_along() {
        create(2);
        in.pods(2);
        api.delete(r);
        in.pods(0);
    }

    @Test
    void counts_pods_that_carry_all_labels() {
        bare("mine", "{'app':'a'}");
        api.post(
                sets,
                "{'metadata':{'name':'r'},'spec':{'replicas':2," + Workloads.SELECTOR
                        + ",'template':{'metadata':{'labels':{'app':'a','more':'b'}},'spec':{'containers':[{'name':'c','image':'x'}]}}}}");
        Answer counted = in.until(r, "/status/readyReplicas", "2");
        assertThat(counted.text("/status/fullyLabeledReplicas")).isEqualTo("1");
    }
}
