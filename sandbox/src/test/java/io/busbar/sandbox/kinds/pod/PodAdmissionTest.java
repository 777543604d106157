package io.busbar.sandbox.kinds.pod;

import static io.busbar.sandbox.Json.json;
import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class PodAdmissionTest {

    @Test
    void admission_adds_account_and_tolerations() {
        ObjectNode pod = PodAdmission.admit(
                object(
                        "{spec: {tolerations: [{key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute'}]}}"));

        assertThat(pod).isEqualTo(json("""
                                {spec: {serviceAccountName: 'default', serviceAccount: 'default',
                                  tolerations: [
                                    {key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute'},
                                    {key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute',
                                     tolerationSeconds: 300}]}}"""));
        assertThat(PodAdmission.admit(pod)).isEqualTo(pod);
    }
}
