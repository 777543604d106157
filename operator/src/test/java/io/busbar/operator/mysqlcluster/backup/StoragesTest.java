package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.ClaimRef;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Who may write to where backups are kept. */
class StoragesTest {

    private static Job backup(BackupStorage storage) {
        return BackupJobs.backup(
                SampleBackups.cluster("size: 1"),
                SampleBackups.waiting("b", "1"),
                storage,
                "",
                SampleBackups.source(new Endpoint("127.0.0.1", 3306)));
    }

    static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** As the kubelet makes it: of root, and nobody else may write there. */
    @Test
    @EnabledIf(value = "isRoot", disabledReason = "only root may give a folder away")
    void a_folder_of_a_node_is_made_for_whom_the_job_runs_as(@TempDir Path node) throws Exception {
        Job job = backup(SampleBackups.HOST_PATH);
        Long user = job.getSpec().getTemplate().getSpec().getSecurityContext().getRunAsUser();
        Path file = node.resolve("db/b.sql.gz");
        open(node);
        List<String> write = List.of(
                "setpriv",
                "--reuid=" + user,
                "--regid=" + user,
                "--clear-groups",
                "bash",
                "-c",
                "mkdir -p \"$0\" && touch \"$1\"",
                node.resolve("db").toString(),
                file.toString());
        assertThat(run(write)).contains("Permission denied");

        Container first =
                job.getSpec().getTemplate().getSpec().getInitContainers().get(0);
        assertThat(run(first.getCommand().stream()
                        .map(word -> word.replaceFirst("^/backup/", node + "/"))
                        .toList()))
                .isEmpty();

        assertThat(run(write)).isEmpty();
        assertThat(file).exists();
        assertThat(first.getSecurityContext().getCapabilities().getAdd()).containsExactly("CHOWN", "DAC_OVERRIDE");
        assertThat(first.getVolumeMounts()).hasSize(1);
    }

    @Test
    void the_volume_of_a_claim_is_left_to_the_group_of_the_pod() {
        Job job = backup(new BackupStorage(new ClaimRef("c"), null, null));

        assertThat(job.getSpec().getTemplate().getSpec().getInitContainers()).isEmpty();
        assertThat(job.getSpec().getTemplate().getSpec().getSecurityContext().getFsGroup())
                .isEqualTo(999);
    }

    /** Whoever is not root gets through to it; what a test makes is closed to all others. */
    private static void open(Path folder) throws Exception {
        for (Path each : Stream.iterate(folder, path -> !path.equals(Path.of("/tmp")), Path::getParent)
                .toList()) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private static String run(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }
}
