package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
                "backup: {storage: {hostPath: /b, s3: {bucket: bbb, credentialsSecretRef: {name: s}}}}      | spec.backup.storage",
                "backup: {storage: {s3: {bucket: Bucket, credentialsSecretRef: {name: s}}}}       | spec.backup.storage.s3.bucket",
                "backup: {storage: {s3: {bucket: a..b, credentialsSecretRef: {name: s}}}}         | spec.backup.storage.s3.bucket",
                "backup: {storage: {s3: {bucket: 10.0.0.1, credentialsSecretRef: {name: s}}}}     | spec.backup.storage.s3.bucket",
                "backup: {storage: {s3: {bucket: bbb, credentialsSecretRef: {name: s}, endpoint: minio:9000}}}   | spec.backup.storage.s3.endpoint",
                "backup: {storage: {s3: {bucket: bbb, credentialsSecretRef: {name: s}, endpoint: 'http://h/path'}}} | spec.backup.storage.s3.endpoint",
                "backup: {storage: {s3: {bucket: bbb, credentialsSecretRef: {name: s}, endpoint: 'http://u:p@h'}}}  | spec.backup.storage.s3.endpoint",
                "backup: {storage: {s3: {bucket: bbb, credentialsSecretRef: {name: s}, prefix: /a}}}           | spec.backup.storage.s3.prefix",
                "backup: {storage: {s3: {bucket: bbb, credentialsSecretRef: {name: s}, prefix: a//b}}}         | spec.backup.storage.s3.prefix",
                "backup: {storage: {s3: {bucket: bbb, credentialsSecretRef: {name: s}, region: 'EU west'}}}    | spec.backup.storage.s3.region",
                "backup: {storage: {s3: {bucket: bbb, credentialsSecretRef: {name: s}, serverSideEncryption: AES}}} | spec.backup.storage.s3.serverSideEncryption",
                "backup: {storage: {s3: {bucket: bbb}}}                          | spec.backup.storage.s3.credentialsSecretRef.name",
                "backup: {storage: {s3: {bucket: bbb, credentialsSecretRef: {name: s}, caSecretRef: {name: ''}}}} | spec.backup.storage.s3.caSecretRef.name",
                "backup: {storage: {hostPath: /b}, verification: {schedule: nightly}}             | spec.backup.verification.schedule",
                "backup: {storage: {hostPath: /b}, verification: {schedule: '0 3 * * *', timeZone: X}} | spec.backup.verification.timeZone",
                "backup: {storage: {hostPath: /b}, archive: {}}                                  | spec.backup.archive",
                "backup: {archive: {intervalSeconds: 60}}                                        | spec.backup.archive",
                "backup: {archive: {intervalSeconds: 9}, storage: {s3: {bucket: bbb, credentialsSecretRef: {name: s}}}} | spec.backup.archive.intervalSeconds",
                "mode: Simple, backup: {storage: {hostPath: /b}}                                 | spec.backup",
            })
    void names_the_field_that_cannot_be(String spec, String path) {
        assertThat(BackupRules.problems(SampleBackups.cluster(spec).wanted()))
                .singleElement()
                .satisfies(problem -> assertThat(problem.path()).isEqualTo(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"backups-in-s3.yaml", "archive.yaml"})
    void lets_pass_what_the_documentation_shows(String file) throws IOException {
        String example = Files.readString(Path.of("../docs/examples/mysql/" + file));
        MySQLCluster cluster = Serialization.unmarshal(example.split("---\n", -1)[1], MySQLCluster.class);

        assertThat(cluster.wanted().backup()).isNotNull();
        assertThat(BackupRules.problems(cluster.wanted())).isEmpty();
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
        assertThat(BackupRules.problems(
                        SampleBackups.cluster("backup: {storage: {s3: {endpoint: 'https://s3.example.com:9000/',"
                                        + " bucket: a.b-c, prefix: mysql/production, serverSideEncryption: 'aws:kms',"
                                        + " credentialsSecretRef: {name: s}}}}")
                                .wanted()))
                .isEmpty();
        assertThat(BackupRules.problems(SampleBackups.cluster("size: 1").wanted()))
                .isEmpty();
    }
}
