package io.busbar.sandbox.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.admission.ConfigurationRules;
import io.busbar.sandbox.crd.DefinitionRules;
import io.busbar.sandbox.kinds.autoscaler.AutoscalerConversion;
import io.busbar.sandbox.kinds.autoscaler.AutoscalerRules;
import io.busbar.sandbox.kinds.config.SecretRules;
import io.busbar.sandbox.kinds.cronjob.CronJobRules;
import io.busbar.sandbox.kinds.daemonset.DaemonSetRules;
import io.busbar.sandbox.kinds.deployment.DeploymentRules;
import io.busbar.sandbox.kinds.disruption.Budgets;
import io.busbar.sandbox.kinds.event.EventConversion;
import io.busbar.sandbox.kinds.event.EventRules;
import io.busbar.sandbox.kinds.job.JobRules;
import io.busbar.sandbox.kinds.lease.LeaseRules;
import io.busbar.sandbox.kinds.network.NetworkRules;
import io.busbar.sandbox.kinds.node.NodeRules;
import io.busbar.sandbox.kinds.pod.PodRules;
import io.busbar.sandbox.kinds.replicaset.ReplicaSetRules;
import io.busbar.sandbox.kinds.service.ServiceAddresses;
import io.busbar.sandbox.kinds.service.ServiceRules;
import io.busbar.sandbox.kinds.statefulset.StatefulSetRules;
import io.busbar.sandbox.kinds.volume.ClaimRules;
import io.busbar.sandbox.policy.PolicyRules;
import io.busbar.sandbox.priority.PriorityRules;
import io.busbar.sandbox.quota.QuotaRules;
import io.busbar.sandbox.rbac.RbacRules;
import io.busbar.sandbox.resource.BuiltIn;
import io.busbar.sandbox.resource.Conversion;
import io.busbar.sandbox.resource.KindRules;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Labels;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.rules.TypeRules;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which room a built-in kind has. One context, for the rooms that look at the cluster. */
public final class BuiltInKinds implements BuiltIn.Rooms {

    /** What is valid of all built-in types. */
    public static final TypeRules RULES = new TypeRules(List.of(
            RulesFile.beside(Budgets.class),
            RulesFile.beside(BuiltInKinds.class, Map.of("labelRequirement", Labels::requirement)),
            AutoscalerRules.RULES,
            ClaimRules.RULES,
            ConfigurationRules.RULES,
            CronJobRules.RULES,
            DaemonSetRules.RULES,
            DefinitionRules.RULES,
            DeploymentRules.RULES,
            EventRules.RULES,
            JobRules.RULES,
            LeaseRules.RULES,
            NetworkRules.RULES,
            NodeRules.RULES,
            PodRules.RULES,
            PolicyRules.RULES,
            PriorityRules.RULES,
            QuotaRules.RULES,
            RbacRules.RULES,
            ReplicaSetRules.RULES,
            SecretRules.RULES,
            ServiceRules.RULES,
            StatefulSetRules.RULES));

    private final ServiceAddresses addresses;
    private final @Nullable Function<ObjectKey, @Nullable ObjectNode> accounts;
    private final @Nullable Supplier<Collection<ObjectNode>> storageClasses;

    private BuiltInKinds(
            ServiceAddresses addresses,
            @Nullable Function<ObjectKey, @Nullable ObjectNode> accounts,
            @Nullable Supplier<Collection<ObjectNode>> storageClasses) {
        this.addresses = addresses;
        this.accounts = accounts;
        this.storageClasses = storageClasses;
    }

    /** In a cluster whose Pods run as nobody, and where nothing protects or provides volumes. */
    public static BuiltInKinds of(ServiceAddresses addresses) {
        return new BuiltInKinds(addresses, null, null);
    }

    /** @param found finds a service account; null for one that is not there */
    public BuiltInKinds withAccounts(Function<ObjectKey, @Nullable ObjectNode> found) {
        return new BuiltInKinds(addresses, found, storageClasses);
    }

    /** Claims get a class, and are protected while a Pod uses them. */
    public BuiltInKinds withStorageClasses(Supplier<Collection<ObjectNode>> all) {
        return new BuiltInKinds(addresses, accounts, all);
    }

    @Override
    public KindRules rules(ResourceType type, boolean hasStatus, Set<String> traits) {
        String kind = type.kind() + "." + type.group();
        BuiltInRules.Facts facts = new BuiltInRules.Facts(type, hasStatus, traits, RULES);
        return switch (kind) {
            case "Pod." -> new PodRules(facts, accounts);
            case "Deployment.apps" -> new DeploymentRules(facts);
            case "ReplicaSet.apps", "ReplicationController." -> new ReplicaSetRules(facts);
            case "StatefulSet.apps" -> new StatefulSetRules(facts);
            case "DaemonSet.apps" -> new DaemonSetRules(facts);
            case "Job.batch" -> new JobRules(facts);
            case "CronJob.batch" -> new CronJobRules(facts);
            case "HorizontalPodAutoscaler.autoscaling" -> new AutoscalerRules(facts);
            case "Service." -> new ServiceRules(facts, addresses);
            case "Secret." -> new SecretRules(facts);
            case "PersistentVolumeClaim." -> new ClaimRules(facts, storageClasses);
            case "Lease.coordination.k8s.io" -> new LeaseRules(facts);
            case "Namespace." -> new NamespaceRules(facts);
            case "Node." -> new NodeRules(facts);
            case "PriorityClass.scheduling.k8s.io" -> new PriorityRules(facts);
            case "CustomResourceDefinition.apiextensions.k8s.io" -> new DefinitionRules(facts);
            default -> new BuiltInRules(facts);
        };
    }

    @Override
    public Conversion conversion(ResourceType type) {
        return switch (type.apiVersion()) {
            case "events.k8s.io/v1" -> EventConversion.conversion();
            case "autoscaling/v1" -> AutoscalerConversion.conversion();
            default -> Conversion.NONE;
        };
    }
}
