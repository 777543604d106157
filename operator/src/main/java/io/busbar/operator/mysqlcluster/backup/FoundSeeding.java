package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.decide.Filling;
import io.busbar.operator.mysqlcluster.decide.Seeding;
import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupInStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.S3Storage;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Lets a new cluster begin with a backup in S3 that it names by its key: a first Job reads the manifest beside it, and
 * all goes on as with a MySQLBackup whose status says the same. Pure; any thread.
 */
final class FoundSeeding {

    private FoundSeeding() {}

    /** As {@link Seeding#isSeeded}. */
    static boolean isSeeded(Observation seen, Member first, Draft draft, BackupInStorage asked, Until until) {
        String image = seen.catalog().storageImage().orElse("");
        if (image.isEmpty()) {
            draft.note(
                    ClusterReasons.STORAGE_IMAGE_UNKNOWN,
                    "spec.bootstrapFrom: the backup is in S3, and " + StorageImage.UNKNOWN);
            return false;
        }
        S3Storage s3 = Objects.requireNonNull(asked.storage().s3());
        Job find = Filling.running(seen, findName(seen)).orElse(null);
        if (find == null) {
            draft.act(new Action.StartJob(
                    BackupJobs.find(seen.cluster(), findName(seen), s3, image, asked.file(), until)));
            return false;
        }
        JobReport report = seen.report(find);
        return switch (report.state()) {
            case RUNNING -> false;
            case FAILED -> isFailed(seen, draft, asked, until, find, report);
            case SUCCEEDED -> isLoaded(seen, first, draft, asked, until, find, image, report);
        };
    }

    private static boolean isFailed(
            Observation seen, Draft draft, BackupInStorage asked, Until until, Job find, JobReport report) {
        draft.trouble(
                ClusterReasons.BACKUP_MISSING,
                "RestoreFailed",
                "Restore",
                "spec.bootstrapFrom: " + asked.file()
                        + (until.isBeyond() ? " does not lead to " + until.text() + ": " : " cannot be found: ")
                        + report.text("message") + "; it is looked for again");
        if (Duration.between(report.since(), seen.steadily()).compareTo(Filling.PAUSE) > 0) {
            draft.act(new Action.DeleteJob(find));
        }
        return false;
    }

    private static boolean isLoaded(
            Observation seen,
            Member first,
            Draft draft,
            BackupInStorage asked,
            Until until,
            Job find,
            String image,
            JobReport found) {
        String file = found.text("file");
        String gtid = found.text("gtid");
        ServerState has = first.state().orElseThrow();
        if (file.isEmpty()) {
            // Its Pod is gone, and what it said.
            draft.act(new Action.DeleteJob(find));
            return false;
        }
        Optional<Job> load = Filling.running(seen, RestoredSeeding.jobName(seen));
        if (load.filter(one -> !ClusterJobs.value(one, "FILE").equals(file)).isPresent()) {
            // Of a folder, another has become the newest: whose position it is must be known.
            draft.act(new Action.DeleteJob(load.get()));
            return false;
        }
        if (load.isEmpty() && !first.isBlank() && !first.isIncomplete()) {
            if (!RestoredSeeding.stands(has, gtid)) {
                RestoredSeeding.refuse(seen, draft, first, file, ", up to " + gtid);
                return false;
            }
            draft.act(new Action.DeleteJob(find));
            return true;
        }
        String version = found.text("serverVersion");
        boolean isMariaDb = version.contains("MariaDB");
        if (isMariaDb != (has.flavor() == ServerState.Flavor.MARIADB)) {
            draft.trouble(
                    ClusterReasons.RESTORE_FAILED,
                    "RestoreFailed",
                    "Restore",
                    file + " is of a server " + version + ", and the cluster's are " + has.version()
                            + ": make a cluster with an image of the same product");
            return false;
        }
        // All that a dump of some databases lacks is accounts, which is seen as it is loaded.
        StoredBackup stored = new StoredBackup(file, asked.storage(), image, file, found.text("sha256"), gtid, true);
        RestoredSeeding.filling(seen, stored, until).goOn(seen, draft, first);
        return false;
    }

    private static String findName(Observation seen) {
        return JobNames.of(seen.name(), "find");
    }
}
