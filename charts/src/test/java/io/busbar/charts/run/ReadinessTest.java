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

    @Test
    void a_service_with_addresses_of_its_own_waits_for_none_of_a_load_balancer() throws Exception {
        String service = """
                {"apiVersion": "v1", "kind": "Service", "spec": {"type": "LoadBalancer", "externalIPs": [%s]}}
                """;

        assertThat(Readiness.lacks(new ObjectMapper().readTree(service.formatted(""))))
                .contains("it has no address yet");
        assertThat(Readiness.lacks(new ObjectMapper().readTree(service.formatted("\"192.0.2.1\""))))
                .isEmpty();
    }

    @Test
    void a_kind_of_another_group_is_ready_once_it_is_there_whatever_its_name_is() throws Exception {
        String job = "{\"apiVersion\": \"%s\", \"kind\": \"Job\", \"status\": {\"state\": {\"phase\": \"Running\"}}}";

        assertThat(Readiness.lacks(new ObjectMapper().readTree(job.formatted("batch/v1"))))
                .contains("it is not complete");
        assertThat(Readiness.lacks(new ObjectMapper().readTree(job.formatted("batch.volcano.sh/v1alpha1"))))
                .isEmpty();
    }
}
