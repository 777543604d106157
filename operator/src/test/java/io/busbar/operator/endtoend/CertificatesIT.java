package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.dsl.Resource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The operator's own certificates. */
@EndToEnd("sidecarset")
class CertificatesIT {

    private static final String SPOILT = "c3BvaWx0";

    private final Cluster cluster;

    CertificatesIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @AfterEach
    void goes_on_with_an_operator() {
        cluster.running().startOperator();
    }

    @Test
    void are_made_anew_and_trusted_when_somebody_has_spoilt_their_secret_meanwhile() {
        cluster.running().stopOperator();
        secret().edit(stored -> {
            stored.getData().replaceAll((file, content) -> SPOILT);
            return stored;
        });
        cluster.running().startOperator();

        assertThat(secret().require().getData().values()).doesNotContain(SPOILT);
        cluster.createSet(SidecarSets.oneSidecar("trusting", "example/proxy:1", ""));
        Pod pod = cluster.createPod("trusting", "trusting");
        assertThat(pod.getSpec().getContainers()).hasSize(2);
    }

    private Resource<Secret> secret() {
        return cluster.client()
                .secrets()
                .inNamespace(cluster.running().namespace())
                .withName("busbar-webhook-ca");
    }
}
