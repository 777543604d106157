package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

class ServiceTest {

    private final Api api = Server.api();
    private final Workloads in = new Workloads(api, api.newNamespace());
    private final String services = in.core("services");
    private final String endpoints = in.core("endpoints") + "/s";

    private Answer create(String more) {
        return api.post(
                services,
                "{'metadata':{'name':'s','labels':{'l':'m'}},'spec':{'selector':{'app':'a'},"
                        + "'ports':[{'name':'http','port':80,'targetPort':'web'}]" + more + "}}");
    }

    private Answer pod(String name, String annotations) {
        return in.createPod("{'metadata':{'name':'" + name + "','labels':{'app':'a'},'annotations':" + annotations
                + "},'spec':{'terminationGracePeriodSeconds':1,'containers':[{'name':'c','image':'x',"
                + "'ports':[{'name':'web','containerPort':8080}]}]}}");
    }

    @Test
    void gets_an_address_that_stays() {
        Answer made = create("");
        String address = made.text("/spec/clusterIP");
        assertThat(address).matches("10\\.96\\.[0-9]+\\.[0-9]+");
        assertThat(made.text("/spec/clusterIPs/0")).isEqualTo(address);
        Answer refused = api.patch(services + "/s", Api.MERGE, "{'spec':{'clusterIP':'10.96.0.77'}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes())
                .contains("FieldValueInvalid spec.clusterIPs[0]: Invalid value: " + texts("10.96.0.77")
                        + ": may not change once set");
        Answer labelled = api.patch(services + "/s", Api.MERGE, "{'metadata':{'labels':{'x':'y'}}}");
        assertThat(labelled.text("/spec/clusterIP")).isEqualTo(address);
    }

    @Test
    void does_not_get_an_address_that_is_taken_or_out_of_range() {
        String address = create("").text("/spec/clusterIP");
        Answer taken = api.post(
                services, "{'metadata':{'name':'t'},'spec':{'clusterIP':'" + address + "','ports':[{'port':80}]}}");
        assertThat(taken.code()).isEqualTo(422);
        assertThat(taken.causes())
                .containsExactly("FieldValueInvalid spec.clusterIPs: Invalid value: " + texts(address)
                        + Server.since(
                                36,
                                ": failed to allocate IP " + address + ": ",
                                ": failed to allocated ip:" + address + " with error:")
                        + "provided IP is already allocated");
        Answer outside =
                api.post(services, "{'metadata':{'name':'t'},'spec':{'clusterIP':'1.2.3.4','ports':[{'port':80}]}}");
        assertThat(outside.message())
                .contains("provided IP is not in the valid range. The range of valid IPs is 10.96.0.0/16");
        api.delete(services + "/s");
        Answer free = api.post(
                services, "{'metadata':{'name':'t'},'spec':{'clusterIP':'" + address + "','ports':[{'port':80}]}}");
        assertThat(free.code()).isEqualTo(201);
    }

    @Test
    void is_headless_when_told_so() {
        Answer made = create(",'clusterIP':'None'");
        assertThat(made.text("/spec/clusterIP")).isEqualTo("None");
        pod("a", "{}");
        Answer found = in.until(endpoints, "/subsets/0/addresses/0/targetRef/name", "a");
        assertThat(found.body().at("/metadata/labels").has("service.kubernetes.io/headless"))
                .isTrue();
    }

    @Test
    void gets_node_ports() {
        Answer made = create(",'type':'NodePort'");
        int port = made.body().at("/spec/ports/0/nodePort").asInt();
        assertThat(port).isBetween(30_000, 32_767);
        Answer refused = api.post(
                services,
                "{'metadata':{'name':'t'},'spec':{'type':'NodePort','ports':[{'port':80,'nodePort':" + port + "}]}}");
        assertThat(refused.causes())
                .containsExactly("FieldValueInvalid spec.ports[0].nodePort: Invalid value: " + port
                        + ": provided port is already allocated");
    }

    @Test
    @Since(value = "1.24", why = "LoadBalancers without node ports")
    void gets_no_node_ports_when_told_so() {
        Answer made = create(",'type':'LoadBalancer','allocateLoadBalancerNodePorts':false");
        assertThat(made.code()).isEqualTo(201);
        assertThat(made.body().at("/spec/ports/0").has("nodePort")).isFalse();
        Answer node = api.patch(services + "/s", Api.MERGE, "{'spec':{'type':'NodePort'}}");
        assertThat(node.body().at("/spec/ports/0/nodePort").asInt()).isPositive();
        assertThat(node.body().at("/spec").has("allocateLoadBalancerNodePorts")).isFalse();
    }

    @Test
    @Since(value = "1.23", why = "that an update keeps what was given out")
    void keeps_node_ports_by_the_names_of_ports() {
        int port =
                create(",'type':'NodePort'").body().at("/spec/ports/0/nodePort").asInt();
        Answer moved = api.patch(
                services + "/s", Api.MERGE, "{'spec':{'ports':[{'name':'http','port':81},{'name':'x','port':80}]}}");
        assertThat(moved.body().at("/spec/ports/0/nodePort").asInt()).isEqualTo(port);
        assertThat(moved.body().at("/spec/ports/1/nodePort").asInt())
                .isPositive()
                .isNotEqualTo(port);
        Answer inner = api.patch(
                services + "/s",
                Api.MERGE,
                "{'spec':{'type':'ClusterIP','ports':[{'port':82,'nodePort':" + port + "}]}}");
        assertThat(inner.code()).isEqualTo(200);
        assertThat(inner.body().at("/spec/ports/0").has("nodePort")).isFalse();
    }

    @Test
    @Since(value = "1.23", why = "that an update follows what is meant")
    void becomes_an_alias_whether_its_address_is_taken_away_or_not() {
        create("");
        for (String address : new String[] {"", ",'clusterIP':''", ",'clusterIP':null,'clusterIPs':null"}) {
            Answer alias = api.patch(
                    services + "/s?dryRun=All",
                    Api.MERGE,
                    "{'spec':{'type':'ExternalName','externalName':'a.example'" + address + "}}");
            assertThat(alias.code()).isEqualTo(200);
            for (String gone : new String[] {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
                assertThat(alias.body().at("/spec").has(gone)).isFalse();
            }
        }
    }

    @Test
    @Since(value = "1.36", why = "the words of this refusal")
    void cannot_lose_its_address() {
        create("");
        Answer refused = api.patch(services + "/s", Api.MERGE, "{'spec':{'clusterIP':'None'}}");
        assertThat(refused.causes())
                .containsExactly("FieldValueInvalid spec.clusterIPs[0]: Invalid value: " + texts("None")
                        + ": may not change once set");
    }

    @Test
    @Since(value = "1.23", why = "that an update follows what is meant")
    void has_no_balancer_unless_it_is_of_that_type() {
        create(",'type':'LoadBalancer'");
        String ingress = "{'status':{'loadBalancer':{'ingress':[{'ip':'192.0.2.1'}]}}}";
        Answer balanced = api.patch(services + "/s/status", Api.MERGE, ingress);
        assertThat(balanced.text("/status/loadBalancer/ingress/0/ip")).isEqualTo("192.0.2.1");
        Answer inner = api.patch(services + "/s", Api.MERGE, "{'spec':{'type':'ClusterIP'}}");
        assertThat(inner.body().at("/status/loadBalancer")).isEmpty();
    }

    @Test
    void knows_the_pods_behind_it() {
        create("");
        pod("a", "{}");
        pod("b", "{'fake-kubelet/ready':'false'}");
        Answer found = Api.until(
                () -> api.get(endpoints),
                answer -> answer.text("/subsets/0/addresses/0/targetRef/name").equals("a")
                        && answer.text("/subsets/0/notReadyAddresses/0/targetRef/name")
                                .equals("b"));
        assertThat(found.text("/metadata/labels/l")).isEqualTo("m");
        JsonNode subset = found.body().at("/subsets/0");
        assertThat(subset.at("/ports/0/name").asText()).isEqualTo("http");
        assertThat(subset.at("/ports/0/port").asInt()).isEqualTo(8080);
        Answer pod = api.get(in.core("pods") + "/a");
        assertThat(subset.at("/addresses/0/ip").asText()).isEqualTo(pod.text("/status/podIP"));
        assertThat(subset.at("/addresses/0/nodeName").asText()).isEqualTo(pod.text("/spec/nodeName"));
        assertThat(subset.at("/addresses/0/targetRef/uid").asText()).isEqualTo(pod.text("/metadata/uid"));
        api.delete(in.core("pods") + "/a");
        Api.until(
                () -> api.get(endpoints),
                answer -> answer.body().at("/subsets/0/addresses").isMissingNode());
        api.delete(services + "/s");
        Api.until(() -> api.get(endpoints), answer -> answer.code() == 404);
    }

    @Test
    void publishes_pods_that_are_not_ready_when_told_so() {
        create(",'publishNotReadyAddresses':true");
        pod("b", "{'fake-kubelet/ready':'false'}");
        in.until(endpoints, "/subsets/0/addresses/0/targetRef/name", "b");
    }

    @Test
    void has_slices() {
        create("");
        pod("a", "{}");
        String slices = in.newest("discovery.k8s.io", "endpointslices");
        Answer found = Api.until(
                () -> api.get(slices),
                answer -> slice(answer).at("/endpoints/0/conditions/ready").asBoolean());
        JsonNode slice = slice(found);
        assertThat(slice.at("/metadata/labels/kubernetes.io~1service-name").asText())
                .isEqualTo("s");
        assertThat(slice.at("/metadata/labels/endpointslice.kubernetes.io~1managed-by")
                        .asText())
                .isEqualTo("endpointslice-controller.k8s.io");
        assertThat(slice.at("/metadata/ownerReferences/0/name").asText()).isEqualTo("s");
        assertThat(slice.at("/ports/0/port").asInt()).isEqualTo(8080);
        assertThat(slice.at("/endpoints/0/targetRef/name").asText()).isEqualTo("a");
        assertThat(slice.at("/endpoints/0/addresses/0").asText())
                .isEqualTo(api.get(in.core("pods") + "/a").text("/status/podIP"));
    }

    /** 1.20 has an empty one for IPv6, too. */
    private static JsonNode slice(Answer slices) {
        for (JsonNode slice : slices.body().path("items")) {
            if (slice.path("addressType").asText().equals("IPv4")) {
                return slice;
            }
        }
        return slices.body().path("none");
    }

    private static String texts(String only) {
        return Server.since(36, "[\"" + only + "\"]", "[]string{\"" + only + "\"}");
    }
}
