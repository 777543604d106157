package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackupRulesTest {

    private static final String CLAIM = "storage: {pvc: {claimName: backups}}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "backup: {schedule: '0 3 * *', storage: {hostPath: /b}}                          | spec.backup.schedule",
                "backup: {schedule: '@daily', storage: {hostPath: /b}}                           | spec.backup.schedule",
                "backup: {schedule: '0 3 * * *', timeZone: Nowhere, storage: {hostPath: /b}}     | spec.backup.timeZone",
                "backup: {schedule: '0 3 * * *'}                                                 | spec.backup.storage",
                "backup: {storage: {}}                                                           | spec.backup.storage",
                "backup: {storage: {hostPath: /b, pvc: {claimName: c}}}                          | spec.backup.storage",
                "backup: {storage: {hostPath: b}}                                     | spec.backup.storage.hostPath",
                "mode: Simple, backup: {storage: {hostPath: /b}}                                 | spec.backup",
            })
    void names_the_field_that_cannot_be(String spec, String path) {
        assertThat(BackupRules.problems(SampleBackups.cluster(spec).wanted()))
                .singleElement()
                .satisfies(problem -> assertThat(problem.path()).isEqualTo(path));
    }

    @Test
    void lets_pass_a_schedule_with_a_place_and_a_place_without_a_schedule_and_nothing_at_all() {
        assertThat(BackupRules.problems(SampleBackups.cluster(
                                "backup: {schedule: '*/5 2-4 * * 1', timeZone: Europe/Berlin, " + CLAIM + "}")
                        .wanted()))
                .isEmpty();
        assertThat(BackupRules.problems(
                        SampleBackups.cluster("backup: {" + CLAIM + "}").wanted()))
                .isEmpty();
        assertThat(BackupRules.problems(SampleBackups.cluster("size: 1").wanted()))
                .isEmpty();
    }
}
