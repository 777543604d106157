package io.busbar.charts.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class ReadinessTest {

    @Test
    void a_deployment_is_not_ready_while_pods_of_before_serve() throws Exception {
        String deployment = """
                {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"generation": 2}, "spec": {"replicas": 1},
                 "status": {"observedGeneration": 2, "replicas": %d, "updatedReplicas": 1, "availableReplicas": 1}}
                """;

        assertThat(Readiness.lacks(new ObjectMapper().readTree(deployment.formatted(2))))
                .contains("1 Pods of before are still there");
        assertThat(Readiness.lacks(new ObjectMapper().readTree(deployment.formatted(1))))
                .isEmpty();
    }
}
