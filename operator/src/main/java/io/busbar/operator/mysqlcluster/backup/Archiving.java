package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.decide.Step;
import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import io.busbar.operator.mysqlcluster.v1alpha1.ArchiveStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.S3Storage;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Has the binary logs of the primary archived, as long as there is something that is not: by one Job at a time, and not
 * more often than {@code spec.backup.archive.intervalSeconds}. Tells what can be restored with the archive. Pure; any
 * thread.
 */
public final class Archiving implements Step {

    private static final String ACTION = "Archive";

    @Override
    public Next decide(Observation seen, Draft draft) {
        Optional<Job> job = seen.job(BackupJobs.archiveName(seen.name()));
        S3Storage s3 = storage(seen.spec().backup());
        Member primary = seen.servingPrimary().orElse(null);
        if (s3 == null || primary == null) {
            job.ifPresent(one -> delete(draft, one));
            if (s3 == null) {
                draft.progress(progress -> progress.withArchive(null));
            }
            return Next.GO_ON;
        }
        ArchiveStatus told = Objects.requireNonNullElse(seen.progress().archive(), ArchiveStatus.NONE);
        ArchiveStatus next = restorable(seen, s3, told, primary.state().orElseThrow());
        draft.progress(progress -> progress.withArchive(next.equals(ArchiveStatus.NONE) ? null : next));
        note(draft, next);
        if (job.isPresent()) {
            follow(seen, draft, job.get(), primary, next);
        } else if (isDue(seen, primary, next)) {
            begin(seen, draft, s3, primary, next);
        }
        return Next.GO_ON;
    }

    /** Where binary logs are archived; null where they are not. */
    private static @Nullable S3Storage storage(@Nullable BackupSpec spec) {
        BackupStorage storage = spec == null || spec.archive() == null ? null : spec.storage();
        return storage == null ? null : storage.s3();
    }

    private static void delete(Draft draft, Job job) {
        if (!job.isMarkedForDeletion()) {
            draft.act(new Action.DeleteJob(job));
        }
    }

    private static boolean isDue(Observation seen, Member primary, ArchiveStatus told) {
        Duration interval = Duration.ofSeconds(Objects.requireNonNull(
                        Objects.requireNonNull(seen.spec().backup()).archive())
                .intervalSeconds());
        boolean isTime = Stream.of(told.lastArchiveTime(), told.failedTime())
                .flatMap(Stream::ofNullable)
                .map(Instant::parse)
                .allMatch(last -> !seen.now().isBefore(last.plus(interval)));
        return isTime && !isArchived(primary, told);
    }

    /** Whether all that a server has executed is in the archive. */
    public static boolean isArchived(Member primary, ArchiveStatus told) {
        return primary.state()
                .filter(server ->
                        Position.of(server.flavor(), text(told.position())).contains(server.history()))
                .isPresent();
    }

    private static void begin(Observation seen, Draft draft, S3Storage s3, Member primary, ArchiveStatus told) {
        Optional<String> image = seen.catalog().storageImage();
        if (image.isEmpty()) {
            fail(seen, draft, told, StorageImage.UNKNOWN);
            return;
        }
        draft.act(new Action.StartJob(BackupJobs.archive(
                seen.cluster(),
                s3,
                image.get(),
                primary.name(),
                primary.endpoint().orElseThrow(),
                told.lastSegment())));
    }

    private static void follow(Observation seen, Draft draft, Job job, Member primary, ArchiveStatus told) {
        if (job.isMarkedForDeletion()) {
            return;
        }
        JobReport report = seen.report(job);
        switch (report.state()) {
            case SUCCEEDED -> {
                ArchiveStatus next = archived(seen, job, report, told);
                draft.save(progress -> progress.withArchive(next));
                draft.act(new Action.DeleteJob(job));
            }
            case FAILED -> {
                // What it asked is the primary no more: that is no failure of the archive.
                if (ClusterJobs.value(job, "SOURCE_NAME").equals(primary.name())) {
                    fail(seen, draft, told, report.text("message"));
                }
                draft.act(new Action.DeleteJob(job));
            }
            case RUNNING -> {
                if (!ClusterJobs.value(job, "SOURCE_NAME").equals(primary.name())) {
                    draft.act(new Action.DeleteJob(job));
                }
            }
        }
    }

    /** What the Job says counts from when it was made: what was written since may not be among it. */
    private static ArchiveStatus archived(Observation seen, Job job, JobReport report, ArchiveStatus told) {
        String last = report.text("lastEventTime");
        String broken = report.text("broken");
        long since = number(report, "since", told.since());
        boolean isNew = since != told.since();
        String begun = Objects.requireNonNullElseGet(
                job.getMetadata().getCreationTimestamp(), () -> BackupProgress.seconds(seen.now()));
        return new ArchiveStatus(
                report.text("position").isEmpty() ? told.position() : report.text("position"),
                number(report, "lastSegment", told.lastSegment()),
                begun,
                isNew ? null : told.restorableFrom(),
                last.isEmpty() ? told.restorableTo() : last,
                since,
                report.text("sincePosition"),
                broken.isEmpty() ? told.broken() : broken,
                broken.isEmpty() ? told.broken() == null ? null : told.message() : report.text("message"),
                null);
    }

    private static long number(JobReport report, String key, long otherwise) {
        String text = report.text(key);
        return text.isEmpty() ? otherwise : Long.parseLong(text);
    }

    private static void fail(Observation seen, Draft draft, ArchiveStatus told, String message) {
        draft.save(progress -> progress.withArchive(told.withFailure(message, BackupProgress.seconds(seen.now()))));
        draft.warn("ArchiveFailed", ACTION, message);
    }

    /** With the oldest whole backup that the archive can roll forward; a gap before that does not matter any more. */
    private static ArchiveStatus restorable(Observation seen, S3Storage s3, ArchiveStatus told, ServerState server) {
        if (told.position() == null) {
            return told;
        }
        Position end = Position.of(server.flavor(), told.position());
        Position since = Position.of(server.flavor(), text(told.sincePosition()));
        String from = seen.catalog().backups().stream()
                .filter(backup -> isRolledForward(backup, s3, server.flavor(), since, end))
                .flatMap(backup -> Stream.ofNullable(backup.told().completionTime()))
                .min(String::compareTo)
                .orElse(null);
        return told.withRestorableFrom(from);
    }

    /** Whether what it holds lies between where the unbroken part of the archive begins and where that ends. */
    private static boolean isRolledForward(
            MySQLBackup backup, S3Storage s3, Flavor flavor, Position since, Position end) {
        MySQLBackupStatus status = backup.told();
        if (!Backups.isComplete(backup)
                || backup.isMarkedForDeletion()
                || !backup.getSpec().databases().isEmpty()
                || status.gtid() == null
                || status.storage() == null
                || status.storage().s3() == null
                || !isSamePlace(status.storage().s3(), s3)) {
            return false;
        }
        Position held = Position.of(flavor, status.gtid());
        return end.contains(held) && end.upTo(held).contains(since);
    }

    private static boolean isSamePlace(S3Storage one, S3Storage other) {
        return one.bucket().equals(other.bucket())
                && text(one.endpoint()).equals(text(other.endpoint()))
                && text(one.prefix()).equals(text(other.prefix()));
    }

    private static void note(Draft draft, ArchiveStatus told) {
        if (told.broken() != null) {
            ConditionReason reason =
                    told.broken().equals("Fork") ? ClusterReasons.ARCHIVE_FORK : ClusterReasons.ARCHIVE_GAP;
            draft.trouble(
                    reason,
                    "ArchiveBroken",
                    ACTION,
                    text(told.message())
                            + "; nothing can be restored across that: make a MySQLBackup of all databases now, from"
                            + " which moments can be restored again");
        } else if (told.failedTime() != null) {
            draft.note(
                    ClusterReasons.ARCHIVE_FAILING,
                    text(told.message()) + "; it is tried again after spec.backup.archive.intervalSeconds");
        } else if (told.lastArchiveTime() != null) {
            draft.note(
                    ClusterReasons.ARCHIVE_WHOLE,
                    told.restorableFrom() == null
                            ? "binary logs are archived; there is no whole MySQLBackup in that bucket yet that they"
                                    + " follow on"
                            : "from " + told.restorableFrom() + " on, nothing is missing");
        }
    }

    private static String text(@Nullable String text) {
        return Objects.requireNonNullElse(text, "");
    }
}
