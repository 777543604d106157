package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.HasConditions;
import io.busbar.manifests.crd.ListMap;
import io.fabric8.kubernetes.api.model.Condition;
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
 * @param observedGeneration the generation that the rest is for
 * @param replicas how many Pods there are
 * @param readyReplicas members that serve: the primary, and replicas that follow it closely enough
 * @param targetSize how many members are wanted at the moment, by the spec or by autoscaling
 * @param selector of the Pods, for those who scale
 * @param currentPrimary the Pod that is written to
 * @param primaryFailingSince in RFC 3339, while it is away
 * @param version of the primary, as it tells
 * @param currentRevision what all Pods ran last
 * @param updateRevision what they are to run
 * @param nextBackupTime in RFC 3339
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
        @Nullable String currentRevision,
        @Nullable String updateRevision,
        int updatedReplicas,
        FailoverStatus failover,
        @ListMap(keys = "name") List<MemberStatus> members,
        @Nullable LastBackup lastBackup,
        @Nullable String nextBackupTime,
        List<Condition> conditions)
        implements HasConditions {

    /** Before anything was looked at. */
    public static final MySQLClusterStatus NONE = new MySQLClusterStatus(
            List.of(),
            null,
            0,
            0,
            0,
            0,
            null,
            null,
            null,
            null,
            null,
            null,
            0,
            FailoverStatus.NONE,
            List.of(),
            null,
            null,
            List.of());

    public MySQLClusterStatus {
        nodes = Present.list(nodes);
        failover = failover == null ? FailoverStatus.NONE : failover;
        members = Present.list(members);
        conditions = Present.list(conditions);
    }

    /** The same but for its members. */
    public MySQLClusterStatus withMembers(List<MemberStatus> others) {
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
                currentRevision,
                updateRevision,
                updatedReplicas,
                failover,
                others,
                lastBackup,
                nextBackupTime,
                conditions);
    }
}
