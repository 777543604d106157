package io.busbar.operator.mysqlcluster;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.access.Passwords;
import io.busbar.operator.mysqlcluster.member.Fleet;
import io.busbar.operator.mysqlcluster.member.PodAddressing;
import io.busbar.operator.mysqlcluster.member.Together;
import io.busbar.operator.mysqlcluster.objects.Budgets;
import io.busbar.operator.mysqlcluster.objects.ClusterObjects;
import io.busbar.operator.mysqlcluster.objects.Dependents;
import io.busbar.operator.mysqlcluster.objects.Settings;
import io.busbar.operator.mysqlcluster.report.Health;
import io.busbar.operator.mysqlcluster.report.SimpleReport;
import io.busbar.operator.mysqlcluster.report.StatusReport;
import io.busbar.operator.mysqlcluster.sql.Accounts;
import io.busbar.operator.mysqlcluster.sql.DatabaseServers;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.topology.ClusterReasons;
import io.busbar.operator.mysqlcluster.topology.ConditionTypes;
import io.busbar.operator.mysqlcluster.topology.Step;
import io.busbar.operator.mysqlcluster.topology.Topology;
import io.busbar.operator.mysqlcluster.topology.Turn;
import io.busbar.operator.mysqlcluster.v1alpha1.Autoscaling;
import io.busbar.operator.mysqlcluster.v1alpha1.Mode;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.dependent.Rollout;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Keeps the servers of a MySQLCluster, who is written to, and who follows whom. Any thread. */
final class MySQLClusterReconciler implements Reconciler<MySQLCluster> {

    /** Servers do not tell when something happens to them. */
    private static final Duration STEADY = Duration.ofSeconds(2);

    private static final Duration UNDER_WAY = Duration.ofMillis(500);

    private final Passwords passwords;
    private final DatabaseServers servers;
    private final PodAddressing addressing;
    private final Topology topology;
    private final List<Step> changes;
    private final StatusReport report;
    private final Clock clock;
    private final Health health = new Health();
    private final Dependents dependents;
    private final Budgets budgets;
    private final ClusterClaims claims;
    private final Together together = new Together();

    /**
     * @param changes what is done only to a cluster whose primary serves
     */
    MySQLClusterReconciler(
            Passwords passwords,
            DatabaseServers servers,
            PodAddressing addressing,
            Topology topology,
            List<Step> changes,
            StatusReport report,
            Clock clock) {
        this.passwords = passwords;
        this.servers = servers;
        this.addressing = addressing;
        this.topology = topology;
        this.changes = List.copyOf(changes);
        this.report = report;
        this.clock = clock;
        this.dependents = new Dependents(clock);
        this.budgets = new Budgets(dependents);
        this.claims = new ClusterClaims(clock);
    }

    @Override
    public ReconcileResult reconcile(MySQLCluster cluster, ReconcileContext<MySQLCluster> context)
            throws InterruptedException {
        if (cluster.wanted().paused()) {
            context.status(SimpleReport.paused(cluster, clock.instant()));
            return ReconcileResult.awaitChange();
        }
        claims.keep(cluster, context);
        Optional<Accounts> accounts = passwords.of(cluster, context);
        if (accounts.isEmpty()) {
            reportMissingPassword(cluster, context);
            return ReconcileResult.requeueAfter(STEADY);
        }
        ClusterObjects objects = new ClusterObjects(cluster);
        boolean configured =
                dependents.apply(objects.config(), cluster, context).isPresent();
        boolean named = dependents.apply(objects.headless(), cluster, context).isPresent();
        boolean complete = configured && named;
        budgets.apply(cluster, context);
        return cluster.wanted().mode() == Mode.Simple
                ? keepSimple(cluster, objects, complete, context)
                : keepReplicated(cluster, objects, complete, accounts.get(), context);
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
            Settings.removeUnused(deployment.get().getSpec().getTemplate(), pods, context);
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
            boolean complete,
            Accounts accounts,
            ReconcileContext<MySQLCluster> context)
            throws InterruptedException {
        dependents.apply(objects.primary(), cluster, context);
        dependents.apply(objects.replicas(), cluster, context);
        Optional<StatefulSet> set =
                complete || !context.owned(StatefulSet.class).isEmpty()
                        ? dependents.apply(objects.statefulSet(replicas(cluster, context)), cluster, context)
                        : Optional.empty();
        if (set.isEmpty()) {
            return reportNotOwned(cluster, context);
        }
        Turn turn = new Turn(
                cluster,
                context,
                fleet(cluster, accounts),
                set.get(),
                ClusterPods.of(cluster, set.get(), context),
                clock,
                report::of);
        dependents
                .refusal(cluster)
                .ifPresent(message -> turn.draft().standingTrouble(ClusterReasons.NOT_OWNED, message));
        boolean whole = topology.keep(turn);
        if (turn.draft().targetSize() == 0) {
            turn.draft().targetSize(turn.replicas());
        }
        for (Step change : whole ? changes : List.<Step>of()) {
            if (change.take(turn) == Step.Next.END_TURN) {
                break;
            }
        }
        health.take(turn);
        noteDenial(turn);
        turn.save();
        boolean urgent = turn.draft().phase().isPresent() || turn.primaryFailingSince() != null;
        return ReconcileResult.requeueAfter(urgent ? UNDER_WAY : STEADY);
    }

    private Fleet fleet(MySQLCluster cluster, Accounts accounts) {
        Autoscaling autoscaling = cluster.wanted().autoscaling();
        return new Fleet(
                cluster.getMetadata().getName(),
                accounts,
                servers,
                addressing,
                together,
                autoscaling != null && autoscaling.enabled());
    }

    /** As many as there are: what changes their number looks at the members first. */
    private static int replicas(MySQLCluster cluster, ReconcileContext<MySQLCluster> context) {
        return context.owned(StatefulSet.class).stream()
                .map(set -> set.getSpec().getReplicas())
                .findFirst()
                .orElse(cluster.wanted().size());
    }

    private void noteDenial(Turn turn) {
        turn.members().all().stream()
                .flatMap(member -> member.failure().stream())
                .filter(failure -> failure.kind() == SqlFailure.Kind.DENIED)
                .findFirst()
                .ifPresent(denied -> {
                    passwords.doubt(turn.cluster());
                    turn.trouble(
                            ClusterReasons.ACCESS_DENIED,
                            "AccessDenied",
                            "Observe",
                            denied.getMessage() + "; put the password that the server knows into Secret "
                                    + new ClusterObjects(turn.cluster()).rootSecret());
                });
    }
}
