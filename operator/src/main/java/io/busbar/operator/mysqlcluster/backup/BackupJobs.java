package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.ServerConfig;
import io.busbar.operator.mysqlcluster.objects.Texts;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.S3Storage;
import io.busbar.operator.mysqlcluster.v1alpha1.VerificationSpec;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The Jobs that write, read and remove files of backups. Pure; any thread. */
final class BackupJobs {

    private static final String FILE_SCRIPT = Texts.beside(BackupJobs.class, "file.sh");
    private static final String PIPE_SCRIPT = Texts.beside(BackupJobs.class, "pipe.sh");
    private static final String BACKUP_SCRIPT = Texts.beside(BackupJobs.class, "backup.sh");
    private static final String LOAD_SCRIPT = Texts.beside(BackupJobs.class, "load.sh");
    private static final String REMOVE_SCRIPT = Texts.beside(BackupJobs.class, "remove.sh");
    private static final String ARCHIVE_SCRIPT = Texts.beside(BackupJobs.class, "archive.sh");
    private static final String TRIAL_SCRIPT = Texts.beside(BackupJobs.class, "trial.sh");
    private static final String VERIFY_SCRIPT = FILE_SCRIPT + "\nreceive\nreport verified \"$FILE\"\n";

    /** Says nothing where all is well: the other container does. */
    private static final String VERIFY_LOGS_SCRIPT = PIPE_SCRIPT + "\nbinlog_problem=$(why_no_binlog)\n"
            + "[ -z \"$binlog_problem\" ] || fail \"$binlog_problem\"\n";

    /** One whose Pod cannot start must not hold up all that come after it for good. */
    private static final Duration LONGEST = Duration.ofDays(1);

    /** Nobody can write to a cluster that was erased for it: there is no use in ending it early. */
    private static final Duration LONGEST_LOAD = Duration.ofDays(7);

    /** Another one goes on from where it was. */
    private static final Duration LONGEST_ARCHIVING = Duration.ofHours(1);

    private static final Duration LONGEST_REMOVAL = Duration.ofMinutes(5);

    /** A Pod that is killed on its way, or whose Node goes, says nothing of the backup. */
    private static final int TRIES_MORE = 1;

    private BackupJobs() {}

    static String name(MySQLBackup backup) {
        return JobNames.of(backup.getMetadata().getName(), "backup");
    }

    static String trialName(MySQLBackup backup) {
        return JobNames.of(backup.getMetadata().getName(), "trial");
    }

    static String archiveName(String cluster) {
        return JobNames.of(cluster, "archive");
    }

    /** The path of a backup's file in its storage. */
    static String file(MySQLBackup backup, BackupStorage storage) {
        String cluster = backup.getSpec().clusterName();
        String name = backup.getMetadata().getName() + ".sql.gz";
        S3Storage s3 = storage.s3();
        return s3 == null
                ? cluster + "/" + name
                : folder(s3, backup.getMetadata().getNamespace(), cluster) + name;
    }

    /** What all keys of a cluster begin with. A bucket may be that of many namespaces. */
    private static String folder(S3Storage s3, String namespace, String cluster) {
        String below = namespace + "/" + cluster + "/";
        return s3.prefix() == null || s3.prefix().isEmpty() ? below : s3.prefix() + "/" + below;
    }

    /**
     * Brings the archive of binary logs up to what the primary has executed.
     *
     * @param image what the container runs that reaches the storage
     * @param source the primary, by its Pod's name
     * @param known the number of a binary log that was archived; 0 for none
     */
    static Job archive(MySQLCluster cluster, S3Storage s3, String image, String source, Endpoint endpoint, long known) {
        String name = cluster.getMetadata().getName();
        Job job = job(cluster, archiveName(name), PIPE_SCRIPT + ARCHIVE_SCRIPT, LONGEST_ARCHIVING);
        String folder = folder(s3, cluster.getMetadata().getNamespace(), name);
        S3Containers.join(job, s3, image, "archive", folder, "--after=" + known);
        ClusterJobs.variable(job, "SOURCE_NAME", source);
        ClusterJobs.endpoint(job, "SOURCE", endpoint);
        S3Containers.shareSource(job);
        return job;
    }

    /**
     * Makes the file.
     *
     * @param image what the container runs that reaches the storage; empty where none is needed
     */
    static Job backup(MySQLCluster cluster, MySQLBackup backup, BackupStorage storage, String image, Source source) {
        String file = file(backup, storage);
        Job job = job(cluster, name(backup), functions(storage) + BACKUP_SCRIPT, LONGEST);
        job.getMetadata().setAnnotations(Map.of(ClusterKeys.SOURCE.name(), source.name()));
        if (storage.s3() == null) {
            Storages.mount(job, storage, false);
            Storages.makeFolder(job, storage, file);
        } else {
            Storages.note(job, storage);
            S3Containers.join(job, storage.s3(), image, "put", file);
        }
        ClusterJobs.variable(job, "FILE", file);
        ClusterJobs.endpoint(job, "SOURCE", source.endpoint());
        source.primary().ifPresent(primary -> ClusterJobs.endpoint(job, "PRIMARY", primary));
        arguments(job, backup.getSpec().databases());
        return job;
    }

    /** Only looks whether the file is what it was, and what leads from there to something later. */
    static Job verify(MySQLCluster cluster, String name, StoredBackup stored, Until until) {
        Job job = job(cluster, name, until.isBeyond() ? VERIFY_LOGS_SCRIPT : VERIFY_SCRIPT, LONGEST);
        S3Storage s3 = stored.storage().s3();
        if (s3 == null) {
            mount(job, stored);
        } else if (until.isBeyond()) {
            S3Containers.join(job, s3, stored.image(), "check", stored.file(), flags(stored, until));
        } else {
            S3Containers.only(job, s3, stored.image(), "check", stored.file(), flags(stored, until));
        }
        return job;
    }

    /** Tells what a backup in S3 was when it was made, and where it leads to. */
    static Job find(MySQLCluster cluster, String name, S3Storage s3, String image, String file, Until until) {
        Job job = job(cluster, name, "", LONGEST);
        S3Containers.only(job, s3, image, "find", file, until.flags());
        return job;
    }

    /**
     * Verifies the file, and puts what it holds into a server that was erased; and then, in the same session, what binary
     * logs add to it. All of it, or the server stays marked as incomplete.
     *
     * @param until for a backup in S3 alone
     * @param erased the server's state since: in any other, nothing is loaded
     */
    static Job load(
            MySQLCluster cluster, String name, StoredBackup stored, Until until, Endpoint target, ServerState erased) {
        Job job = job(cluster, name, functions(stored.storage()) + LOAD_SCRIPT, LONGEST_LOAD);
        S3Storage s3 = stored.storage().s3();
        if (s3 == null) {
            mount(job, stored);
        } else {
            ClusterJobs.variable(job, "FILE", stored.file());
            S3Containers.join(job, s3, stored.image(), "get", stored.file(), flags(stored, until));
            if (until.isBeyond()) {
                ClusterJobs.variable(job, "REPLAY", "1");
            }
        }
        ClusterJobs.target(job, target, erased);
        if (stored.whole()) {
            arguments(job, List.of(ClusterNames.OPERATOR, ClusterNames.REPLICATION, "root"));
        }
        return job;
    }

    /**
     * Loads what the file holds into a server of its own, and compares what comes back. No server of the cluster is
     * asked, and none of its passwords needed.
     *
     * @param request that the Job answers
     */
    static Job trial(MySQLCluster cluster, MySQLBackup backup, StoredBackup stored, String request) {
        MySQLClusterSpec spec = cluster.wanted();
        Job job = job(cluster, trialName(backup), functions(stored.storage()) + TRIAL_SCRIPT, LONGEST);
        job.getMetadata().setAnnotations(Map.of(ClusterKeys.VERIFY.name(), request));
        job.getSpec().setBackoffLimit(TRIES_MORE);
        Container container = ClusterJobs.container(job);
        container.getEnv().removeIf(variable -> variable.getValueFrom() != null);
        VerificationSpec verification =
                spec.backup() == null ? null : spec.backup().verification();
        container.setResources(
                verification == null || verification.resources() == null ? spec.resources() : verification.resources());
        job.getSpec().getTemplate().getSpec().getVolumes().stream()
                .map(Volume::getEmptyDir)
                .filter(Objects::nonNull)
                .forEach(work -> work.setSizeLimit(spec.storage().size()));
        S3Storage s3 = stored.storage().s3();
        if (s3 == null) {
            mount(job, stored);
        } else {
            ClusterJobs.variable(job, "FILE", stored.file());
            S3Containers.join(job, s3, stored.image(), "get", stored.file(), "--sha256=" + stored.sha256());
        }
        ClusterJobs.variable(job, "GTID", stored.gtid());
        ClusterJobs.variable(job, "SETTINGS", ServerConfig.alone(spec));
        arguments(job, backup.getSpec().databases());
        return job;
    }

    /** Removes the file, without any server. */
    static Job remove(MySQLCluster cluster, MySQLBackup backup, BackupStorage storage, String image) {
        Job job = job(cluster, removalName(backup), REMOVE_SCRIPT, LONGEST_REMOVAL);
        String file = file(backup, storage);
        if (storage.s3() != null) {
            String sha256 = Objects.requireNonNullElse(backup.told().sha256(), "");
            S3Containers.only(job, storage.s3(), image, "remove", file, "--sha256=" + sha256);
            return job;
        }
        // The password may be gone with the cluster.
        ClusterJobs.container(job).getEnv().clear();
        Storages.mount(job, storage, false);
        ClusterJobs.variable(job, "FILE", file);
        if (backup.told().sha256() != null) {
            ClusterJobs.variable(job, "WHOLE", "1");
        }
        return job;
    }

    static String removalName(MySQLBackup backup) {
        return JobNames.of(backup.getMetadata().getName(), "remove");
    }

    /**
     * One of a backup that is there.
     *
     * @param expected whether what the watch does not show, which may be behind, is asked for
     */
    static Optional<Job> owned(
            String name, MySQLBackup backup, boolean expected, ReconcileContext<MySQLBackup> context) {
        Optional<Job> seen = context.owned(Job.class).stream()
                .filter(job -> job.getMetadata().getName().equals(name) && !job.isMarkedForDeletion())
                .findFirst();
        if (seen.isPresent() || !expected) {
            return seen;
        }
        Job asked = context.client()
                .batch()
                .v1()
                .jobs()
                .inNamespace(context.key().namespace())
                .withName(name)
                .get();
        String uid = backup.getMetadata().getUid();
        return Optional.ofNullable(asked)
                .filter(job -> job.getMetadata().getOwnerReferences().stream()
                        .anyMatch(owner -> owner.getUid().equals(uid)));
    }

    private static String[] flags(StoredBackup stored, Until until) {
        return Stream.concat(Stream.of("--sha256=" + stored.sha256()), Stream.of(until.flags()))
                .toArray(String[]::new);
    }

    private static String functions(BackupStorage storage) {
        return storage.s3() == null ? FILE_SCRIPT : PIPE_SCRIPT;
    }

    private static void mount(Job job, StoredBackup stored) {
        Storages.mount(job, stored.storage(), true);
        ClusterJobs.variable(job, "FILE", stored.file());
        ClusterJobs.variable(job, "SHA256", stored.sha256());
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
