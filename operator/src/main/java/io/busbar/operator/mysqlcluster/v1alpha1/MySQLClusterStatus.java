package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.Conditions;
import io.busbar.common.condition.HasConditions;
import io.busbar.manifests.crd.ListMap;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has come of a MySQLCluster.
 *
 * <p>Immutable, but for the conditions; lists are never null.
 *
 * @param nodes names of the Pods, sorted
 * @param phase what is going on, in a word
 * @param observedGeneration the generation that the status is for
 * @param replicas how many Pods there are
 * @param readyReplicas how many members serve: the primary, and replicas that follow it closely enough
 * @param targetSize how many members are wanted at the moment, by the spec or by autoscaling
 * @param selector selector of the Pods, for those who scale
 * @param currentPrimary the Pod that is written to
 * @param primaryFailingSince since when the primary is away, in RFC 3339
 * @param version version of the primary, as it tells
 * @param volumeSize how large each member's volume is at least; null where members have none
 * @param currentRevision the revision that all Pods ran last
 * @param updateRevision the revision that they are to run
 * @param updatedReplicas how many Pods run that
 * @param failover the last change of the primary, or the one under way
 * @param members each member, as it was seen last
 * @param acknowledgements how many replicas have each write that was acknowledged and is newer than what {@code
 *     members} tells of the primary; 0 while none has to
 * @param lastBackup the last complete backup
 * @param nextBackupTime when the next backup is due, in RFC 3339
 * @param archive how far the archive of binary logs has come; null without one
 * @param rotation how old the passwords are
 * @param externalPrimary how the cluster follows a server outside, or that it has taken over from it
 * @param conditions Available, PrimaryReady, Progressing, Degraded and others
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MySQLClusterStatus(
        List<String> nodes,
        @Nullable String phase,
        long observedGeneration,
        @StatusReplicas int replicas,
        int readyReplicas,
        int targetSize,
        @Nullable @LabelSelector String selector,
        @Nullable String currentPrimary,
        @Nullable String primaryFailingSince,
        @Nullable String version,
        @Nullable Quantity volumeSize,
        @Nullable String currentRevision,
        @Nullable String updateRevision,
        int updatedReplicas,
        FailoverStatus failover,
        @ListMap(keys = "name") List<MemberStatus> members,
        int acknowledgements,
        @Nullable LastBackup lastBackup,
        @Nullable String nextBackupTime,
        @Nullable ArchiveStatus archive,
        @Nullable RotationStatus rotation,
        @Nullable ExternalPrimaryStatus externalPrimary,
        List<Condition> conditions)
        implements HasConditions {

    /** Before anything was looked at. */
    public static final MySQLClusterStatus NONE = new Builder().build();

    public MySQLClusterStatus {
        nodes = Present.list(nodes);
        failover = failover == null ? FailoverStatus.NONE : failover;
        members = Present.list(members);
        conditions = Present.list(conditions);
    }

    /** The same, to be changed. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Puts a status together; what is not said stays as it was, or is as in {@link #NONE}. For one thread. */
    public static final class Builder {

        private List<String> nodes = List.of();
        private @Nullable String phase;
        private long observedGeneration;
        private int replicas;
        private int readyReplicas;
        private int targetSize;
        private @Nullable String selector;
        private @Nullable String currentPrimary;
        private @Nullable String primaryFailingSince;
        private @Nullable String version;
        private @Nullable Quantity volumeSize;
        private @Nullable String currentRevision;
        private @Nullable String updateRevision;
        private int updatedReplicas;
        private FailoverStatus failover = FailoverStatus.NONE;
        private List<MemberStatus> members = List.of();
        private int acknowledgements;
        private @Nullable LastBackup lastBackup;
        private @Nullable String nextBackupTime;
        private @Nullable ArchiveStatus archive;
        private @Nullable RotationStatus rotation;
        private @Nullable ExternalPrimaryStatus externalPrimary;
        private List<Condition> conditions = List.of();

        public Builder() {}

        private Builder(MySQLClusterStatus before) {
            nodes = before.nodes;
            phase = before.phase;
            observedGeneration = before.observedGeneration;
            replicas = before.replicas;
            readyReplicas = before.readyReplicas;
            targetSize = before.targetSize;
            selector = before.selector;
            currentPrimary = before.currentPrimary;
            primaryFailingSince = before.primaryFailingSince;
            version = before.version;
            volumeSize = before.volumeSize;
            currentRevision = before.currentRevision;
            updateRevision = before.updateRevision;
            updatedReplicas = before.updatedReplicas;
            failover = before.failover;
            members = before.members;
            acknowledgements = before.acknowledgements;
            lastBackup = before.lastBackup;
            nextBackupTime = before.nextBackupTime;
            archive = before.archive;
            rotation = before.rotation;
            externalPrimary = before.externalPrimary;
            conditions = before.conditions;
        }

        /**
         * All Pods that there are.
         *
         * @param names sorted
         */
        public Builder nodes(List<String> names) {
            nodes = names;
            replicas = names.size();
            return this;
        }

        public Builder selector(String ofPods) {
            selector = ofPods;
            return this;
        }

        /** How many members serve, of how many that should. */
        public Builder serving(int ready, int wanted) {
            readyReplicas = ready;
            targetSize = wanted;
            return this;
        }

        public Builder phase(@Nullable String word) {
            phase = word;
            return this;
        }

        /**
         * The Pod that is written to.
         *
         * @param failingSince in RFC 3339; null while it is there
         */
        public Builder primary(@Nullable String name, @Nullable String failingSince) {
            currentPrimary = name;
            primaryFailingSince = failingSince;
            return this;
        }

        public Builder version(@Nullable String ofPrimary) {
            version = ofPrimary;
            return this;
        }

        public Builder volumeSize(@Nullable Quantity atLeast) {
            volumeSize = atLeast;
            return this;
        }

        /**
         * What Pods ran last and are to run.
         *
         * @param updated how many run that
         */
        public Builder revisions(@Nullable String current, @Nullable String update, int updated) {
            currentRevision = current;
            updateRevision = update;
            updatedReplicas = updated;
            return this;
        }

        public Builder failover(FailoverStatus last) {
            failover = last;
            return this;
        }

        public Builder members(List<MemberStatus> all) {
            members = all;
            return this;
        }

        /** How many replicas have each acknowledged write that is newer than what is told of the primary. */
        public Builder acknowledgements(int replicas) {
            acknowledgements = replicas;
            return this;
        }

        /**
         * The last backup and the next.
         *
         * @param next in RFC 3339
         */
        public Builder backups(@Nullable LastBackup last, @Nullable String next) {
            lastBackup = last;
            nextBackupTime = next;
            return this;
        }

        public Builder archive(@Nullable ArchiveStatus ofLogs) {
            archive = ofLogs;
            return this;
        }

        public Builder rotation(@Nullable RotationStatus ofPasswords) {
            rotation = ofPasswords;
            return this;
        }

        public Builder externalPrimary(@Nullable ExternalPrimaryStatus followed) {
            externalPrimary = followed;
            return this;
        }

        /** With the generation that they, and so all of the status, are for. */
        public Builder conditions(Conditions all) {
            conditions = all.list();
            observedGeneration = all.observedGeneration();
            return this;
        }

        public MySQLClusterStatus build() {
            return new MySQLClusterStatus(
                    nodes,
                    phase,
                    observedGeneration,
                    replicas,
                    readyReplicas,
                    targetSize,
                    selector,
                    currentPrimary,
                    primaryFailingSince,
                    version,
                    volumeSize,
                    currentRevision,
                    updateRevision,
                    updatedReplicas,
                    failover,
                    members,
                    acknowledgements,
                    lastBackup,
                    nextBackupTime,
                    archive,
                    rotation,
                    externalPrimary,
                    conditions);
        }
    }
}
