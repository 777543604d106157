package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeTest {

    private static final String NODES = "/api/v1/nodes";

    private final Api api = Server.api();
    private final String name = api.newNamespace();
    private final String node = NODES + "/" + name;

    @Test
    void is_tainted_in_known_ways() {
        make();
        Answer refused = api.patch(node, Api.MERGE, "{'spec':{'taints':[{'key':'a','effect':'Odd'}]}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes())
                .containsOnly("FieldValueNotSupported metadata.taints[0].effect: Unsupported value: \"Odd\":"
                        + " supported values: \"NoSchedule\", \"PreferNoSchedule\", \"NoExecute\"");
        String taint = "{'key':'a','effect':'NoSchedule'}";
        Answer twice = api.patch(node, Api.MERGE, "{'spec':{'taints':[" + taint + "," + taint + "]}}");
        assertThat(twice.message()).contains("taints must be unique by key and effect pair");
        assertThat(api.patch(node, Api.MERGE, "{'spec':{'taints':[" + taint + "]}}")
                        .code())
                .isEqualTo(200);
    }

    @Test
    void stays_with_its_provider() {
        make();
        assertThat(api.patch(node, Api.MERGE, "{'spec':{'providerID':'x://1'}}").text("/spec/providerID"))
                .isEqualTo("x://1");
        Answer refused = api.patch(node, Api.MERGE, "{'spec':{'providerID':'x://2'}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes())
                .contains("FieldValueForbidden spec.providerID: Forbidden: node updates may not change"
                        + " providerID except from \"\" to valid");
    }

    @Test
    void has_ranges_of_addresses_for_its_pods() {
        make();
        assertThat(api.patch(node, Api.MERGE, "{'spec':{'podCIDR':'x'}}").code())
                .isEqualTo(422);
        Answer ranged = api.patch(node, Api.MERGE, "{'spec':{'podCIDR':'10.1.0.0/24'}}");
        assertThat(ranged.text("/spec/podCIDRs/0")).isEqualTo("10.1.0.0/24");
        assertThat(api.patch(node, Api.MERGE, "{'spec':{'podCIDR':'10.2.0.0/24','podCIDRs':['10.2.0.0/24']}}")
                        .code())
                .isEqualTo(422);
    }

    private void make() {
        assertThat(api.post(NODES, "{'metadata':{'name':'" + name + "'},'spec':{'unschedulable':true}}")
                        .code())
                .isEqualTo(201);
    }
}
