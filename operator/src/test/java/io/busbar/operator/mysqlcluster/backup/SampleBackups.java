package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.DeletionPolicy;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.S3Storage;
import io.busbar.operator.mysqlcluster.v1alpha1.SecretRef;
import io.busbar.operator.mysqlcluster.v1alpha1.VerificationStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Backups, and a cluster, as tests need them. */
final class SampleBackups {

    static final BackupStorage HOST_PATH = new BackupStorage(null, "/backups", null);

    static final BackupStorage S3 = new BackupStorage(
            null,
            null,
            new S3Storage(
                    "http://127.0.0.1:9000",
                    "us-east-1",
                    "backups",
                    "mysql",
                    true,
                    new SecretRef("s3"),
                    "AES256",
                    new SecretRef("s3-ca")));

    private SampleBackups() {}

    /** @param spec in the flow style of YAML */
    static MySQLCluster cluster(String spec) {
        return Serialization.unmarshal("""
                apiVersion: database.example.com/v1alpha1
                kind: MySQLCluster
                metadata: {name: db, namespace: ns, uid: u-1}
                spec: {image: "mariadb:10.11", %s}
                """.formatted(spec), MySQLCluster.class);
    }

    static MySQLBackup waiting(String name, String created, String... databases) {
        MySQLBackup backup = new MySQLBackup();
        backup.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace("ns")
                .withCreationTimestamp(created)
                .build());
        backup.setSpec(new MySQLBackupSpec("db", List.of(databases), null, DeletionPolicy.Retain));
        return backup;
    }

    static MySQLBackup scheduled(MySQLBackup backup) {
        backup.getMetadata().setAnnotations(Map.of(ClusterKeys.SCHEDULED_AT.name(), "2026-01-01T00:00:00Z"));
        return backup;
    }

    static MySQLBackup running(MySQLBackup backup) {
        return with(backup, Backups.RUNNING, null, "False", null, "");
    }

    static MySQLBackup complete(MySQLBackup backup, String completed) {
        return complete(backup, completed, "0".repeat(64), "0-100-7");
    }

    static MySQLBackup complete(MySQLBackup backup, String completed, String sha256, String gtid) {
        return with(backup, Backups.COMPLETE, completed, "True", sha256, gtid);
    }

    static MySQLBackup failed(MySQLBackup backup, String completed) {
        return with(backup, Backups.FAILED, completed, "False", null, "");
    }

    /** With what came of loading it. */
    static MySQLBackup tried(MySQLBackup backup, boolean verified) {
        return backup.with(backup.told().toBuilder()
                .verification(new VerificationStatus(
                        verified ? "Verified" : "Failed",
                        "now",
                        Objects.requireNonNull(backup.told().completionTime()),
                        "it was loaded"))
                .conditions(Stream.concat(
                                backup.told().conditions().stream(),
                                Stream.of(condition(MySQLBackupStatus.VERIFIED, verified ? "True" : "False")))
                        .toList())
                .build());
    }

    private static MySQLBackup with(
            MySQLBackup backup,
            String phase,
            @Nullable String completed,
            String complete,
            @Nullable String sha256,
            String gtid) {
        MySQLBackupStatus.Builder status = new MySQLBackupStatus.Builder()
                .phase(phase)
                .source("db-1", "2026-01-01T00:00:00Z")
                .ended(completed)
                .storage(HOST_PATH)
                .conditions(List.of(
                        condition(MySQLBackupStatus.COMPLETE, complete),
                        condition(MySQLBackupStatus.FAILED, phase.equals(Backups.FAILED) ? "True" : "False")));
        if (sha256 != null) {
            status.copy(BackupJobs.file(backup, HOST_PATH), 1000, sha256, gtid);
        }
        return backup.with(status.build());
    }

    /** One that waits for nobody. */
    static Source source(Endpoint endpoint) {
        return new Source("db-0", endpoint, Optional.empty());
    }

    /** A replica of that primary. */
    static Source replica(Endpoint endpoint, Endpoint primary) {
        return new Source("db-1", endpoint, Optional.of(primary));
    }

    private static Condition condition(String type, String status) {
        return new ConditionBuilder().withType(type).withStatus(status).build();
    }
}
