package io.busbar.operator.mysqlcluster;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.access.Passwords;
import io.busbar.operator.mysqlcluster.act.Turn;
import io.busbar.operator.mysqlcluster.backup.Backups;
import io.busbar.operator.mysqlcluster.backup.StorageImage;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.decide.Decision;
import io.busbar.operator.mysqlcluster.migrate.ExternalPrimaries;
import io.busbar.operator.mysqlcluster.migrate.MigratedSeeding;
import io.busbar.operator.mysqlcluster.objects.Budgets;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.ClusterObjects;
import io.busbar.operator.mysqlcluster.objects.Dependents;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.objects.PerCluster;
import io.busbar.operator.mysqlcluster.objects.Settings;
import io.busbar.operator.mysqlcluster.observe.Access;
import io.busbar.operator.mysqlcluster.observe.Fleet;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.observe.Observer;
import io.busbar.operator.mysqlcluster.observe.Obstacle;
import io.busbar.operator.mysqlcluster.observe.PodAddressing;
import io.busbar.operator.mysqlcluster.observe.Remembered;
import io.busbar.operator.mysqlcluster.observe.Together;
import io.busbar.operator.mysqlcluster.report.ClusterMeters;
import io.busbar.operator.mysqlcluster.report.SimpleReport;
import io.busbar.operator.mysqlcluster.report.StatusReport;
import io.busbar.operator.mysqlcluster.scale.Autoscaler;
import io.busbar.operator.mysqlcluster.sql.Accounts;
import io.busbar.operator.mysqlcluster.sql.DatabaseServers;
import io.busbar.operator.mysqlcluster.tls.EncryptedPods;
import io.busbar.operator.mysqlcluster.tls.EncryptedPods.Encrypted;
import io.busbar.operator.mysqlcluster.v1alpha1.Autoscaling;
import io.busbar.operator.mysqlcluster.v1alpha1.Mode;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.dependent.Rollout;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Keeps the servers of a MySQLCluster, who is written to, and who follows whom. Any thread. */
final class MySQLClusterReconciler implements Reconciler<MySQLCluster> {

    /** Servers do not tell when something happens to them. */
    private static final Duration STEADY = Duration.ofSeconds(2);

    private static final Duration UNDER_WAY = Duration.ofMillis(500);

    private final Passwords passwords;
    private final EncryptedPods encryption;
    private final DatabaseServers servers;
    private final ExternalPrimaries externalPrimaries;
    private final PodAddressing addressing;
    private final StorageImage storageImage;
    private final Decision decision;
    private final StatusReport report;
    private final ClusterMeters meters;
    private final Autoscaler autoscaler = new Autoscaler();
    private final Clock clock;
    private final Clock steady;
    private final Dependents dependents;
    private final Budgets budgets;
    private final ClusterClaims claims;
    private final VolumeGrowth growth;
    private final PerCluster<Remembered> memories = new PerCluster<>();
    private final PerCluster<Map<String, JobReport>> endedJobs = new PerCluster<>();
    private final PerCluster<Long> tenures = new PerCluster<>();
    private final Together together;

    MySQLClusterReconciler(
            Passwords passwords,
            EncryptedPods encryption,
            DatabaseServers servers,
            PodAddressing addressing,
            StorageImage storageImage,
            Decision decision,
            StatusReport report,
            ClusterMeters meters,
            Together together,
            Clock clock,
            Clock steady) {
        this.passwords = passwords;
        this.encryption = encryption;
        this.servers = servers;
        this.externalPrimaries = new ExternalPrimaries(servers);
        this.addressing = addressing;
        this.storageImage = storageImage;
        this.decision = decision;
        this.report = report;
        this.meters = meters;
        this.together = together;
        this.clock = clock;
        this.steady = steady;
        this.dependents = new Dependents(steady);
        this.budgets = new Budgets(dependents, steady);
        this.claims = new ClusterClaims(steady);
        this.growth = new VolumeGrowth(steady);
    }

    @Override
    public ReconcileResult reconcile(MySQLCluster cluster, ReconcileContext<MySQLCluster> context)
            throws InterruptedException {
        forgetOutdated(cluster, context);
        if (cluster.wanted().paused()) {
            context.status(SimpleReport.paused(cluster, clock.instant()));
            return ReconcileResult.awaitChange();
        }
        claims.keep(cluster, context);
        Optional<Access> access = passwords.of(cluster, context);
        if (access.isEmpty()) {
            reportMissingPassword(cluster, context);
            return ReconcileResult.requeueAfter(STEADY);
        }
        ClusterObjects objects = new ClusterObjects(
                cluster, context.owned(StatefulSet.class).stream().findFirst(), ClusterPods.of(cluster, context));
        boolean named = dependents.apply(objects.headless(), cluster, context).isPresent();
        budgets.apply(cluster, context);
        return cluster.wanted().mode() == Mode.Simple
                ? keepSimple(cluster, objects, isConfigured(cluster, objects, context) && named, context)
                : keepReplicated(cluster, objects, named, access.get(), context);
    }

    private boolean isConfigured(MySQLCluster cluster, ClusterObjects objects, ReconcileContext<MySQLCluster> context) {
        return dependents.apply(objects.config(), cluster, context).isPresent();
    }

    /** Of a cluster that another replica may have worked on meanwhile. The rest is asked anew within a minute. */
    private void forgetOutdated(MySQLCluster cluster, ReconcileContext<MySQLCluster> context) {
        long now = context.tenure();
        if (tenures.of(cluster).filter(last -> last == now).isEmpty()) {
            memories.forget(cluster);
            passwords.doubt(cluster);
            endedJobs.forget(cluster);
            autoscaler.forget(cluster);
            encryption.forget(cluster);
            tenures.remember(cluster, now, context.lister(MySQLCluster.class));
        }
    }

    /** Tells that somebody else's object is in the way of the servers. */
    private ReconcileResult reportNotOwned(MySQLCluster cluster, ReconcileContext<MySQLCluster> context) {
        dependents
                .refusal(cluster)
                .ifPresent(message -> context.status(SimpleReport.notOwned(cluster, message, clock.instant())));
        return ReconcileResult.requeueAfter(STEADY);
    }

    private void reportMissingPassword(MySQLCluster cluster, ReconcileContext<MySQLCluster> context) {
        MySQLCluster next = passwords
                .refusal(cluster)
                .map(message -> SimpleReport.notOwned(cluster, message, clock.instant()))
                .orElseGet(() -> SimpleReport.missingPassword(cluster, clock.instant()));
        Condition missing = Conditions.find(next.told().conditions(), ConditionTypes.DEGRADED)
                .orElseThrow();
        boolean told = Conditions.find(cluster.told().conditions(), ConditionTypes.DEGRADED)
                .filter(before -> missing.getReason().equals(before.getReason()))
                .isPresent();
        context.status(next);
        if (!told) {
            context.events().warning(cluster, missing.getReason(), "Observe", missing.getMessage());
        }
    }

    /**
     * @param complete whether all that servers need is there; those that run are kept also without
     */
    private ReconcileResult keepSimple(
            MySQLCluster cluster, ClusterObjects objects, boolean complete, ReconcileContext<MySQLCluster> context) {
        Optional<Deployment> deployment =
                complete || !context.owned(Deployment.class).isEmpty()
                        ? dependents.apply(objects.deployment(cluster.wanted().size()), cluster, context)
                        : Optional.empty();
        if (deployment.isEmpty()) {
            return reportNotOwned(cluster, context);
        }
        List<Pod> pods = ClusterPods.of(cluster, context);
        if (Rollout.of(deployment.get()).state() == Rollout.State.COMPLETE) {
            Settings.unused(
                            context.owned(ConfigMap.class),
                            deployment.get().getSpec().getTemplate(),
                            pods)
                    .forEach(context::delete);
        }
        MySQLCluster next = SimpleReport.of(cluster, deployment.get(), pods, clock.instant());
        Optional<String> refusal = dependents.refusal(cluster);
        context.status(refusal.map(message -> SimpleReport.notOwned(next, message, clock.instant()))
                .orElse(next));
        return refusal.isPresent() ? ReconcileResult.requeueAfter(STEADY) : ReconcileResult.awaitChange();
    }

    private ReconcileResult keepReplicated(
            MySQLCluster cluster,
            ClusterObjects objects,
            boolean named,
            Access access,
            ReconcileContext<MySQLCluster> context)
            throws InterruptedException {
        Accounts accounts = access.accounts();
        dependents.apply(objects.primary(), cluster, context);
        dependents.apply(objects.replicas(), cluster, context);
        Encrypted encrypted = encryption.of(cluster, ClusterPods.of(cluster, context), context);
        Optional<StatefulSet> set = encrypted.mayChangePods()
                ? statefulSet(cluster, objects, isConfigured(cluster, objects, context) && named, accounts, context)
                : context.owned(StatefulSet.class).stream().findFirst();
        if (set.isEmpty()) {
            encrypted.obstacle().ifPresent(why -> context.status(SimpleReport.hindered(cluster, why, clock.instant())));
            return reportNotOwned(cluster, context);
        }
        if (!isScaledByLoad(cluster)) {
            autoscaler.forget(cluster);
        }
        Fleet fleet = new Fleet(
                cluster.getMetadata().getName(), access, encrypted.certificate(), servers, addressing, together);
        Optional<Obstacle> growing = growth.grow(
                cluster,
                set.get(),
                ClusterPods.of(cluster, set.get(), context),
                ClusterClaims.of(cluster, context),
                context);
        Observer observer = new Observer(
                context,
                fleet,
                its -> ClusterPods.of(cluster, its, context),
                () -> Backups.catalog(cluster, storageImage, context),
                endedJobs,
                clock,
                steady);
        Observation seen = observer.look(
                cluster,
                set.get(),
                obstacle(cluster, accounts).or(() -> growing).or(encrypted::obstacle),
                externalPrimaries.of(
                        cluster, MigratedSeeding.isUnderWay(cluster, context.owned(Job.class)), context.client()),
                memories.of(cluster).orElse(Remembered.NOTHING));
        memories.remember(cluster, seen.memory().remembered(), context.lister(MySQLCluster.class));
        Turn.End end = new Turn(context, fleet, observer, decision, report, autoscaler, passwords, memories).take(seen);
        context.lister(MySQLCluster.class)
                .get(context.key())
                .ifPresent(told -> meters.show(told, end.seen(), context.lister(MySQLCluster.class)));
        if (end.seen().members().all().stream().anyMatch(Member::isDenied)) {
            passwords.doubt(cluster);
        }
        encryption.remember(cluster, end.seen(), context);
        return ReconcileResult.requeueAfter(end.isUnderWay() ? UNDER_WAY : STEADY);
    }

    /** As it is where it goes, or there is no password of root: new Pods could not begin without. */
    private Optional<StatefulSet> statefulSet(
            MySQLCluster cluster,
            ClusterObjects objects,
            boolean complete,
            Accounts accounts,
            ReconcileContext<MySQLCluster> context) {
        Optional<StatefulSet> there = context.owned(StatefulSet.class).stream().findFirst();
        if (accounts.root() == null
                || there.filter(StatefulSet::isMarkedForDeletion).isPresent()) {
            return there;
        }
        return complete || there.isPresent()
                ? dependents.apply(objects.statefulSet(replicas(cluster, context)), cluster, context)
                : Optional.empty();
    }

    private Optional<Obstacle> obstacle(MySQLCluster cluster, Accounts accounts) {
        Optional<Obstacle> notOwned =
                dependents.refusal(cluster).map(message -> new Obstacle(ClusterReasons.NOT_OWNED, message));
        return accounts.root() == null
                ? notOwned.or(() ->
                        Optional.of(new Obstacle(ClusterReasons.MISSING_PASSWORD, Passwords.rootProblem(cluster))))
                : notOwned;
    }

    private static boolean isScaledByLoad(MySQLCluster cluster) {
        Autoscaling autoscaling = cluster.wanted().autoscaling();
        return autoscaling != null && autoscaling.enabled();
    }

    /**
     * As many as there are: what changes their number looks at the members first. The primary is among them: a former
     * leader's last request may have taken it away, and nobody else may have all that it has.
     */
    private static int replicas(MySQLCluster cluster, ReconcileContext<MySQLCluster> context) {
        int least = ClusterNames.ordinal(
                                cluster.getMetadata().getName(),
                                String.valueOf(cluster.told().currentPrimary()))
                        .orElse(-1)
                + 1;
        return context.owned(StatefulSet.class).stream()
                .map(set -> Math.max(least, set.getSpec().getReplicas()))
                .findFirst()
                .orElseGet(() ->
                        Math.max(cluster.wanted().size(), ClusterPods.membersWithoutController(cluster, context)));
    }
}
