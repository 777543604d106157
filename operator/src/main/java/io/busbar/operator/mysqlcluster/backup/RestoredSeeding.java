package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.decide.Filling;
import io.busbar.operator.mysqlcluster.decide.Seeding;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupInStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.BootstrapFrom;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Lets a new cluster begin with the data of a backup, where it asks for one. A server that stands where the backup
 * stands was given it, by an operator that has ended since. One that has anything else has a volume that is older than
 * the cluster: it is neither touched nor passed off as the backup.
 *
 * <p>The accounts of the cluster, root among them, stay what its own Secret says; the others come with the backup.
 * Pure; any thread.
 */
public final class RestoredSeeding implements Seeding {

    @Override
    public boolean isSeeded(Observation seen, Member first, Draft draft) {
        BootstrapFrom from = seen.spec().bootstrapFrom();
        if (from != null && from.storedBackup() != null) {
            return FoundSeeding.isSeeded(seen, first, draft, from.storedBackup(), until(from));
        }
        String name = from == null ? null : from.backupName();
        if (from == null || name == null) {
            return true;
        }
        if (until(from).isBeyond()) {
            return isReplayed(seen, first, draft, name, until(from));
        }
        Optional<MySQLBackup> backup = seen.catalog().source(name);
        Optional<Job> job = Filling.running(seen, jobName(seen));
        if (job.isEmpty() && !first.isBlank() && !first.isIncomplete()) {
            return isRestored(seen, draft, first, name, backup);
        }
        Optional<StoredBackup.Refusal> refusal = StoredBackup.refusal(name, seen.catalog(), seen.cluster());
        if (refusal.isPresent()) {
            draft.note(
                    refusal.get().ofCluster(),
                    "spec.bootstrapFrom: " + refusal.get().message());
            return false;
        }
        StoredBackup stored = StoredBackup.of(name, seen.catalog());
        filling(seen, stored, Until.THE_BACKUP).goOn(seen, draft, first);
        return false;
    }

    private static Until until(BootstrapFrom from) {
        return new Until(from.pointInTime(), from.gtid());
    }

    /** Where that leads to is found out as of a backup that only the bucket has. */
    private static boolean isReplayed(Observation seen, Member first, Draft draft, String name, Until until) {
        Optional<StoredBackup.Refusal> refusal = StoredBackup.refusal(name, seen.catalog(), seen.cluster());
        if (refusal.isPresent()) {
            draft.note(
                    refusal.get().ofCluster(),
                    "spec.bootstrapFrom: " + refusal.get().message());
            return false;
        }
        StoredBackup stored = StoredBackup.of(name, seen.catalog());
        if (stored.storage().s3() == null || !stored.whole()) {
            draft.note(
                    ClusterReasons.BACKUP_FAILED,
                    "spec.bootstrapFrom: MySQLBackup " + name + " is not of all databases and in S3, beside the binary"
                            + " logs that lead to " + until.text() + ": name one that is");
            return false;
        }
        return FoundSeeding.isSeeded(seen, first, draft, new BackupInStorage(stored.storage(), stored.file()), until);
    }

    /** Whether what a server has is the backup and nothing else; says what to do where it is not. */
    private static boolean isRestored(
            Observation seen, Draft draft, Member first, String name, Optional<MySQLBackup> backup) {
        ServerState has = first.state().orElseThrow();
        Optional<String> position =
                backup.flatMap(one -> Optional.ofNullable(one.told().gtid()));
        if (position.filter(gtid -> stands(has, gtid)).isPresent()) {
            return true;
        }
        refuse(
                seen,
                draft,
                first,
                "MySQLBackup " + name,
                position.map(gtid -> ", up to " + gtid).orElse(""));
        return false;
    }

    /** @param upTo what the backup has, as the end of a sentence; empty where that is not known */
    static void refuse(Observation seen, Draft draft, Member first, String backup, String upTo) {
        ServerState has = first.state().orElseThrow();
        String claims = seen.members().all().stream()
                .map(member -> ClusterNames.claimPrefix(seen.name()) + member.ordinal())
                .collect(Collectors.joining(", "));
        draft.trouble(
                ClusterReasons.VOLUMES_HAVE_DATA,
                "VolumesHaveData",
                "Bootstrap",
                first.name() + " has data already, up to " + has.history().text()
                        + ", which is not that of " + backup + upTo
                        + ": to begin with the backup, delete the PersistentVolumeClaims " + claims
                        + " and their Pods; to go on with what is there, leave spec.bootstrapFrom out");
    }

    /** Whether what a server has is exactly what a backup holds. */
    static boolean stands(ServerState has, String gtid) {
        try {
            Position backup = Position.of(has.flavor(), gtid);
            return backup.contains(has.history()) && has.history().contains(backup);
        } catch (IllegalArgumentException ofAnotherProduct) {
            return false;
        }
    }

    static Filling filling(Observation seen, StoredBackup stored, Until until) {
        return new Filling(
                jobName(seen),
                stored.name(),
                "mend its storage, or make a cluster of another backup",
                erased -> BackupJobs.load(
                        seen.cluster(),
                        jobName(seen),
                        stored,
                        until,
                        erased.endpoint().orElseThrow(),
                        erased.state().orElseThrow()),
                report -> stored.gtid());
    }

    static String jobName(Observation seen) {
        return JobNames.of(seen.name(), "bootstrap");
    }
}
