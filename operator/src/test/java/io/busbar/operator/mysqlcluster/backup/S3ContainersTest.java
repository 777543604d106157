package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.observe.Catalog;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What Jobs are made of whose backups are in S3. */
class S3ContainersTest {

    private static final String KEY = "mysql/ns/db/b.sql.gz";

    private static Job backup() {
        return BackupJobs.backup(
                SampleBackups.cluster("size: 1"),
                SampleBackups.waiting("b", "1"),
                SampleBackups.S3,
                "busbar:1",
                SampleBackups.source(new Endpoint("127.0.0.1", 3306)));
    }

    private static PodSpec pod(Job job) {
        return job.getSpec().getTemplate().getSpec();
    }

    @Test
    void a_dump_goes_to_the_operators_own_image_through_a_folder_in_memory() {
        PodSpec pod = pod(backup());

        assertThat(pod.getContainers()).extracting(Container::getImage).containsExactly("mariadb:10.11", "busbar:1");
        assertThat(pod.getContainers().get(1).getArgs())
                .containsExactly(
                        "backup-object",
                        "--endpoint=http://127.0.0.1:9000",
                        "--region=us-east-1",
                        "--bucket=backups",
                        "--key=" + KEY,
                        "--path-style",
                        "--encryption=AES256",
                        "--own-ca",
                        "put");
        assertThat(pod.getVolumes())
                .filteredOn(volume -> volume.getName().equals("pipe"))
                .singleElement()
                .satisfies(
                        volume -> assertThat(volume.getEmptyDir().getMedium()).isEqualTo("Memory"));
        assertThat(pod.getContainers())
                .allSatisfy(container -> assertThat(container.getVolumeMounts())
                        .extracting(VolumeMount::getMountPath)
                        .contains("/pipe"));
        assertThat(pod.getContainers().get(1).getSecurityContext())
                .isEqualTo(pod.getContainers().get(0).getSecurityContext());
    }

    @Test
    void each_container_has_only_the_secrets_that_it_needs() {
        PodSpec pod = pod(backup());

        assertThat(secrets(pod.getContainers().get(0))).containsExactly("db-auth operator-password");
        assertThat(secrets(pod.getContainers().get(1)))
                .containsExactly("s3 accessKeyId", "s3 secretAccessKey", "s3-ca ca.crt");
    }

    private static List<String> secrets(Container container) {
        return container.getEnv().stream()
                .map(EnvVar::getValueFrom)
                .filter(source -> source != null)
                .map(source -> source.getSecretKeyRef().getName() + " "
                        + source.getSecretKeyRef().getKey())
                .toList();
    }

    @Test
    void a_job_tells_where_its_backup_goes() {
        assertThat(Storages.of(backup())).contains(SampleBackups.S3);
    }

    @Test
    void what_needs_no_server_runs_nothing_of_a_database() {
        MySQLBackup waiting = SampleBackups.waiting("b", "1");
        StoredBackup stored = new StoredBackup("b", SampleBackups.S3, "busbar:1", KEY, "0".repeat(64), "", true);
        for (Job job : List.of(
                BackupJobs.verify(SampleBackups.cluster("size: 1"), "verify", stored, Until.THE_BACKUP),
                BackupJobs.remove(SampleBackups.cluster("size: 1"), waiting, SampleBackups.S3, "busbar:1"))) {
            assertThat(pod(job).getContainers()).singleElement().satisfies(container -> {
                assertThat(container.getImage()).isEqualTo("busbar:1");
                assertThat(container.getCommand()).isEmpty();
                assertThat(container.getArgs()).contains("--key=" + KEY);
            });
        }
    }

    @Test
    void nothing_is_put_back_while_the_image_is_not_known() {
        MySQLBackup complete = SampleBackups.complete(SampleBackups.waiting("b", "1"), "2");
        MySQLBackup inS3 = complete.with(
                complete.told().toBuilder().storage(SampleBackups.S3).build());

        assertThat(StoredBackup.refusal("b", catalog(inS3, Optional.empty()), SampleBackups.cluster("size: 1")))
                .hasValueSatisfying(refusal -> {
                    assertThat(refusal.ofRestore().reason()).isEqualTo("StorageImageUnknown");
                    assertThat(refusal.message()).contains("--storage-image");
                });
        assertThat(StoredBackup.refusal("b", catalog(inS3, Optional.of("busbar:1")), SampleBackups.cluster("size: 1")))
                .isEmpty();
    }

    private static Catalog catalog(MySQLBackup source, Optional<String> image) {
        return new Catalog(List.of(), List.of(), Map.of("b", source), image);
    }
}
