package io.busbar.operator.sidecarset.v1beta1;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

class SidecarSetTest {

    private static final String WHOLE = """
            {"apiVersion":"apps.kruise.io/v1beta1","kind":"SidecarSet","metadata":{"name":"logs"},
             "spec":{"selector":{"matchLabels":{"app":"shop"}},"namespaceSelector":{},"customVersion":"v7",
              "containers":[{"name":"agent","image":"depot/agent:1","env":[{"name":"E","value":"","newer":{"a":1}}],
                "resources":{"limits":{"cpu":"1"}},"newer":[1,2],
                "podInjectPolicy":"AfterAppContainer","upgradeStrategy":{"upgradeType":"HotUpgrade","hotUpgradeEmptyImage":"e:1"},
                "shareVolumePolicy":{"type":"enabled"},"shareVolumeDevicePolicy":{"type":"disabled"},
                "transferEnv":[{"sourceContainerNameFrom":{"fieldRef":{"fieldPath":"metadata.labels['c']"}},"envName":"Q"},
                               {"sourceContainerName":"c","envNames":["A","B"]}],
                "resourcesPolicy":{"targetContainersMode":"sum","targetContainersNameRegex":"a.*",
                  "resourcesExpr":{"limits":{"cpu":"cpu*50%"},"requests":{"memory":"memory"}}}}],
              "initContainers":[{"name":"gate","image":"depot/gate:1","restartPolicy":"Always"}],
              "volumes":[{"name":"v","emptyDir":{},"newer":true}],
              "updateStrategy":{"type":"RollingUpdate","paused":true,"selector":{"matchLabels":{"a":"b"}},"partition":"10%",
                "maxUnavailable":3,"priorityStrategy":{"orderPriority":[{"orderedKey":"k"}],
                "weightPriority":[{"weight":5,"matchSelector":{"matchLabels":{"a":"b"}}}]},"scatterStrategy":[{"key":"a","value":"*"}]},
              "injectionStrategy":{"paused":false,"revision":{"customVersion":"1","revisionName":"r","policy":"Partial"}},
              "imagePullSecrets":[{"name":"s"}],"revisionHistoryLimit":3,
              "patchPodMetadata":[{"annotations":{"k":"v"},"patchPolicy":"Overwrite"}]},
             "status":{"observedGeneration":7,"matchedPods":3,"updatedPods":2,"readyPods":1,"updatedReadyPods":0,
              "latestRevision":"logs-1","collisionCount":1}}
            """;

    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final ObjectMapper json = new ObjectMapper();

    @Test
    void writes_what_it_has_read_unknown_fields_of_containers_and_volumes_included() throws Exception {
        SidecarSet set = serialization.unmarshal(WHOLE, SidecarSet.class);

        assertThat(written(set)).isEqualTo(json.readTree(WHOLE));
    }

    @Test
    void equals_a_copy_of_itself_and_differs_by_a_field_of_a_container() {
        SidecarSet set = serialization.unmarshal(WHOLE, SidecarSet.class);
        SidecarSet copy = serialization.clone(set);
        assertThat(copy.getSpec()).isEqualTo(set.getSpec()).hasSameHashCodeAs(set.getSpec());

        copy.getSpec().containers().get(0).setPodInjectPolicy(SidecarContainer.BEFORE);
        assertThat(copy.getSpec()).isNotEqualTo(set.getSpec());
    }

    @Test
    void has_neither_spec_nor_status_before_it_is_read() {
        assertThat(new SidecarSet().getSpec()).isNull();
        assertThat(new SidecarSet().getStatus()).isNull();
    }

    @Test
    void knows_which_fields_are_the_core_containers_own() throws Exception {
        SidecarContainer container = serialization
                .unmarshal(WHOLE, SidecarSet.class)
                .getSpec()
                .containers()
                .get(0);

        assertThat(written(container.toContainer()).fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("name", "image", "env", "resources", "newer");
    }

    @Test
    void is_served_under_the_cluster_scope() {
        assertThat(ResourceType.of(SidecarSet.class).path()).isEqualTo("/apis/apps.kruise.io/v1beta1/sidecarsets");
        assertThat(ResourceType.of(SidecarSet.class).namespaced()).isFalse();
    }

    private JsonNode written(Object object) throws Exception {
        return json.readTree(serialization.asJson(object));
    }
}
