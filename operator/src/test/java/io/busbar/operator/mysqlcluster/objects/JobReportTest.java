package io.busbar.operator.mysqlcluster.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.operator.mysqlcluster.objects.JobReport.State;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class JobReportTest {

    @Test
    void tells_what_the_Job_said() {
        JobReport report =
                new JobReport(State.SUCCEEDED, json("{\"gtid\":\"0-100-7\",\"sizeBytes\":\"12\"}"), Instant.EPOCH);

        assertThat(report.text("gtid")).isEqualTo("0-100-7");
        assertThat(report.text("sizeBytes")).isEqualTo("12");
        assertThat(report.text("sha256")).isEmpty();
    }

    private static JsonNode json(String text) {
        return Serialization.unmarshal(text, JsonNode.class);
    }
}
