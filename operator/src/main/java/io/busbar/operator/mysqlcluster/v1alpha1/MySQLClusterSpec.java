package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a MySQLCluster's author wants.
 *
 * <p>Immutable, but for the fabric8 models within; what has a default is never null.
 *
 * @param size how many members there are
 * @param version version of the servers; a number where somebody forgot the quotes. The webhook writes 9.7 into a new
 *     cluster that names neither this nor an image; where it has not, 8.4 is meant
 * @param mode whether one member is written to and the others follow it, or each is on its own
 * @param image image of the servers; {@code mysql:<version>} if left out
 * @param rootSecretRef the Secret with the root password as {@code root-password}; if left out, one is made up
 * @param auth what programs log in with, and where they may write
 * @param tls whether connections are encrypted, and by whose certificates; not, if left out
 * @param storage what each server keeps its data on
 * @param resources what each server asks of its node, and may use at most
 * @param podTemplate what the Pods get beside what they cannot do without
 * @param config settings of the section mysqld, by the names of my.cnf
 * @param replication how replicas follow the primary
 * @param failover whether and when another member becomes the primary by itself
 * @param autoscaling how many members there are by how busy they are; without it, size says how many
 * @param backup backups at set times; none if left out
 * @param bootstrapFrom whose data a new cluster begins with; empty if left out
 * @param metrics what is measured beside what the operator itself sees
 * @param updateStrategy how members follow a change of what they run
 * @param divergedMembers what becomes of a member that has writes that the primary never had
 * @param deletionPolicy what becomes of the generated passwords and of the volumes when the cluster is deleted:
 *     without the one the other is of no use
 * @param paused whether the cluster is left as it is, whatever happens
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MySQLClusterSpec(
        @Default("1") @Min(1) @Max(9) @SpecReplicas Integer size,
        @Nullable Object version,
        @Default("Replicated") Mode mode,
        @Nullable String image,
        @Nullable SecretRef rootSecretRef,
        AuthSpec auth,
        TlsSpec tls,
        Storage storage,
        @Nullable ResourceRequirements resources,
        PodTemplate podTemplate,
        Map<String, IntOrString> config,
        ReplicationSpec replication,
        FailoverSpec failover,
        @Nullable Autoscaling autoscaling,
        @Nullable BackupSpec backup,
        @Nullable BootstrapFrom bootstrapFrom,
        MetricsSpec metrics,
        UpdateStrategy updateStrategy,
        @Default("Reclone") DivergedMembers divergedMembers,
        @Default("Retain") DeletionPolicy deletionPolicy,
        @Default("false") boolean paused) {

    public MySQLClusterSpec {
        size = Present.number(size, 1);
        mode = mode == null ? Mode.Replicated : mode;
        auth = auth == null ? AuthSpec.STANDARD : auth;
        tls = tls == null ? TlsSpec.NONE : tls;
        storage = storage == null ? Storage.STANDARD : storage;
        podTemplate = podTemplate == null ? PodTemplate.NONE : podTemplate;
        config = Present.map(config);
        replication = replication == null ? ReplicationSpec.STANDARD : replication;
        failover = failover == null ? FailoverSpec.STANDARD : failover;
        metrics = metrics == null ? MetricsSpec.NONE : metrics;
        updateStrategy = updateStrategy == null ? UpdateStrategy.STANDARD : updateStrategy;
        divergedMembers = divergedMembers == null ? DivergedMembers.Reclone : divergedMembers;
        deletionPolicy = deletionPolicy == null ? DeletionPolicy.Retain : deletionPolicy;
    }

    /** What an object without a spec stands for. */
    public static MySQLClusterSpec empty() {
        return new MySQLClusterSpec(
                1,
                null,
                Mode.Replicated,
                null,
                null,
                AuthSpec.STANDARD,
                TlsSpec.NONE,
                Storage.STANDARD,
                null,
                PodTemplate.NONE,
                Map.of(),
                ReplicationSpec.STANDARD,
                FailoverSpec.STANDARD,
                null,
                null,
                null,
                MetricsSpec.NONE,
                UpdateStrategy.STANDARD,
                DivergedMembers.Reclone,
                DeletionPolicy.Retain,
                false);
    }
}
