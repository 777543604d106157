package io.busbar.operator.mysqlcluster.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.common.condition.Conditions;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A builder leaves out nothing of what a status consists of. */
class StatusBuildersTest {

    private static final Conditions CONDITIONS =
            Conditions.of(List.of(), 7, Instant.EPOCH).with("Available", true, "PrimaryServes", "3 of 3 members serve");

    private static final MySQLClusterStatus CLUSTER = new MySQLClusterStatus.Builder()
                    .nodes(List.of("db-0", "db-1"))
                    .phase("Running")
                    .serving(2, 3)
                    .selector("app=db")
                    .primary("db-0", "2026-01-01T00:00:00Z")
                    .version("9.7.4")
                    .volumeSize(new Quantity("2Gi"))
                    .revisions("a", "b", 1)
                    .failover(FailoverStatus.NONE.at(FailoverPhase.Fencing))
                    .members(List.of(
                            new MemberStatus("db-0", MemberRole.Primary, false, "0-100-1", 1L, true, true, "no error")))
                    .acknowledgements(2)
                    .backups(new LastBackup("b", "2026-01-01T00:00:00Z", "0-100-1"), "2026-01-02T00:00:00Z")
                    .archive(new ArchiveStatus("0-100-1", 1, null, null, null, 1, null, null, null, null))
                    .rotation(new RotationStatus("2026-01-01T00:00:00Z", null, "now"))
                    .externalPrimary(new ExternalPrimaryStatus("db:3306", ExternalPrimaryState.Following, 1L, "0-7-1"))
                    .conditions(CONDITIONS)
                    .build()
                    .toBuilder()
                    .build();

    private static final MySQLBackupStatus BACKUP = new MySQLBackupStatus.Builder()
                    .phase("Complete")
                    .source("db-1", "2026-01-01T00:00:00Z")
                    .ended("2026-01-01T00:01:00Z")
                    .copy("db/b.sql.gz", 7, "ab", "0-100-1")
                    .message("none")
                    .storage(new BackupStorage(null, "/backups", null))
                    .verification(new VerificationStatus("Verified", "now", "2026-01-02T00:00:00Z", "55 parts"))
                    .conditions(
                            List.of(new ConditionBuilder().withType("Complete").build()))
                    .build()
                    .toBuilder()
                    .build();

    static Stream<Record> statuses() {
        return Stream.of(CLUSTER, BACKUP);
    }

    @ParameterizedTest
    @MethodSource("statuses")
    void each_component_can_be_said_and_stays(Record status) throws Exception {
        Record none = (Record) status.getClass().getField("NONE").get(null);
        for (RecordComponent component : status.getClass().getRecordComponents()) {
            assertThat(component.getAccessor().invoke(status))
                    .as(component.getName())
                    .isNotEqualTo(component.getAccessor().invoke(none));
        }
        assertThat(Serialization.unmarshal(Serialization.asJson(status), status.getClass()))
                .isEqualTo(status);
    }

    @Test
    void the_names_on_the_wire_are_those_of_the_components() throws Exception {
        assertThat(new ObjectMapper().readTree(Serialization.asJson(CLUSTER)).fieldNames())
                .toIterable()
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(MySQLClusterStatus.class.getRecordComponents())
                        .map(RecordComponent::getName)
                        .toList());
    }
}
