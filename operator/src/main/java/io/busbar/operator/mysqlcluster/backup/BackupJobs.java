package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.Texts;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The Jobs that write, read and remove files of backups. Pure; any thread. */
final class BackupJobs {

    static final String BACKUP_SCRIPT = Texts.beside(BackupJobs.class, "backup.sh");
    static final String VERIFY_SCRIPT = Texts.beside(BackupJobs.class, "verify.sh");
    static final String LOAD_SCRIPT = Texts.beside(BackupJobs.class, "load.sh");
    static final String REMOVE_SCRIPT = Texts.beside(BackupJobs.class, "remove.sh");
    private static final String VERIFIED = "\nreport verified \"$FILE\"\n";

    /** One whose Pod cannot start must not hold up all that come after it for good. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private static final Duration LONGEST_REMOVAL = Duration.ofMinutes(5);

    private BackupJobs() {}

    /** The path of a backup's file in its storage. */
    static String file(MySQLBackup backup) {
        return backup.getSpec().clusterName() + "/" + backup.getMetadata().getName() + ".sql.gz";
    }

    /**
     * Makes the file.
     *
     * @param source by its Pod's name
     */
    static Job backup(
            MySQLCluster cluster, MySQLBackup backup, BackupStorage storage, String source, Endpoint endpoint) {
        Job job = job(cluster, JobNames.of(backup.getMetadata().getName(), "backup"), BACKUP_SCRIPT, LONGEST);
        job.getMetadata().setAnnotations(Map.of(ClusterKeys.SOURCE.name(), source));
        Storages.mount(job, storage, false);
        Storages.makeFolder(job, storage, file(backup));
        ClusterJobs.variable(job, "FILE", file(backup));
        ClusterJobs.endpoint(job, "SOURCE", endpoint);
        arguments(job, backup.getSpec().databases());
        return job;
    }

    /** Only looks whether the file is what it was. */
    static Job verify(MySQLCluster cluster, String name, StoredBackup stored) {
        return reading(cluster, name, stored, VERIFY_SCRIPT + VERIFIED);
    }

    /**
     * Verifies the file, and puts what it holds into a server that was erased.
     *
     * @param erased the server's state since: in any other, nothing is loaded
     */
    static Job load(MySQLCluster cluster, String name, StoredBackup stored, Endpoint target, ServerState erased) {
        Job job = reading(cluster, name, stored, VERIFY_SCRIPT + LOAD_SCRIPT);
        ClusterJobs.target(job, target, erased);
        if (stored.whole()) {
            arguments(job, List.of(ClusterNames.OPERATOR, ClusterNames.REPLICATION, "root"));
        }
        return job;
    }

    /** Removes the file, without any server. */
    static Job remove(MySQLCluster cluster, MySQLBackup backup, BackupStorage storage) {
        Job job = job(cluster, removalName(backup), REMOVE_SCRIPT, LONGEST_REMOVAL);
        // The password may be gone with the cluster.
        ClusterJobs.container(job).getEnv().clear();
        Storages.mount(job, storage, false);
        ClusterJobs.variable(job, "FILE", file(backup));
        return job;
    }

    static String removalName(MySQLBackup backup) {
        return JobNames.of(backup.getMetadata().getName(), "remove");
    }

    private static Job reading(MySQLCluster cluster, String name, StoredBackup stored, String script) {
        Job job = job(cluster, name, script, LONGEST);
        Storages.mount(job, stored.storage(), true);
        ClusterJobs.variable(job, "FILE", stored.file());
        ClusterJobs.variable(job, "SHA256", stored.sha256());
        return job;
    }

    private static Job job(MySQLCluster cluster, String name, String script, Duration longest) {
        Job job = new ClusterJobs(cluster).running(name, script);
        job.getSpec().setActiveDeadlineSeconds(longest.toSeconds());
        return job;
    }

    /** Bash calls the first one that follows a script its name. */
    private static void arguments(Job job, List<String> arguments) {
        ClusterJobs.container(job).getCommand().add("job");
        ClusterJobs.container(job).getCommand().addAll(arguments);
    }
}
