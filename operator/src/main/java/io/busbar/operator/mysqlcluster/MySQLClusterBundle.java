package io.busbar.operator.mysqlcluster;

import io.busbar.manifests.rbac.Permission;
import io.busbar.operator.mysqlcluster.access.ApplicationAccount;
import io.busbar.operator.mysqlcluster.access.Passwords;
import io.busbar.operator.mysqlcluster.backup.BackupController;
import io.busbar.operator.mysqlcluster.backup.RestoredSeeding;
import io.busbar.operator.mysqlcluster.backup.Restoring;
import io.busbar.operator.mysqlcluster.backup.Schedule;
import io.busbar.operator.mysqlcluster.decide.Decision;
import io.busbar.operator.mysqlcluster.observe.PodAddressing;
import io.busbar.operator.mysqlcluster.observe.SteadyClock;
import io.busbar.operator.mysqlcluster.observe.Together;
import io.busbar.operator.mysqlcluster.report.Freshness;
import io.busbar.operator.mysqlcluster.report.Health;
import io.busbar.operator.mysqlcluster.report.StatusReport;
import io.busbar.operator.mysqlcluster.rollout.Rollout;
import io.busbar.operator.mysqlcluster.scale.Scaling;
import io.busbar.operator.mysqlcluster.sql.DatabaseServers;
import io.busbar.operator.mysqlcluster.sql.VertxDatabaseServers;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.version.ServerVersion;
import io.busbar.reconciler.Controller;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.Extras;
import io.busbar.runtime.bundle.Webhook;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** MySQLCluster, whole: its controllers and its webhooks. Any thread. */
public final class MySQLClusterBundle implements Bundle {

    private final MySQLClusterFlags flags = new MySQLClusterFlags();
    private final Function<BundleContext, DatabaseServers> servers;
    private final Together together;
    private final Clock clock;
    private final Clock steady;

    /** Reaches servers by Vert.x's client. */
    public MySQLClusterBundle() {
        this(
                context -> new VertxDatabaseServers(context::vertx, context.permit()),
                Together.onThreads(),
                Clock.systemUTC(),
                new SteadyClock());
    }

    /**
     * @param servers the way to them over SQL
     * @param clock by which it is counted, too, how much time has passed
     */
    public MySQLClusterBundle(Function<BundleContext, DatabaseServers> servers, Clock clock) {
        this(servers, Together.onThreads(), clock, clock);
    }

    /**
     * @param together how several servers are asked at once
     * @param clock that tells what time it is
     * @param steady by which it is counted how much time has passed: nobody sets it
     */
    public MySQLClusterBundle(
            Function<BundleContext, DatabaseServers> servers, Together together, Clock clock, Clock steady) {
        this.servers = servers;
        this.together = together;
        this.clock = clock;
        this.steady = steady;
    }

    @Override
    public Optional<Object> flags() {
        return Optional.of(flags);
    }

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        PodAddressing addressing = flags.podAddressing(context.inCluster());
        MySQLClusterReconciler clusters = new MySQLClusterReconciler(
                new Passwords(steady),
                servers.apply(context),
                addressing,
                new Decision(
                        new RestoredSeeding(),
                        new Restoring(),
                        List.of(new ApplicationAccount(), new Schedule(), new Scaling(), new Rollout()),
                        new Health()),
                new StatusReport(new Freshness()),
                together.with(context.permit()),
                clock,
                steady);
        return List.of(
                BackupController.watchedBy(MySQLClusterController.declare(clusters)),
                BackupController.backups(addressing, clock),
                BackupController.restores(clock));
    }

    @Override
    public List<Webhook> webhooks(BundleContext context) {
        return List.of(
                Webhook.mutating(MySQLCluster.class, new MySQLClusterDefaults()),
                Webhook.validating(MySQLCluster.class, new MySQLClusterValidator(clock)));
    }

    /** What is done through the client. */
    @Override
    public Extras extras(BundleContext context) {
        return Extras.none()
                .running("mysql", "mysql:" + ServerVersion.OF_NEW_CLUSTERS.text())
                .allowing(
                        // Annotated while its data is replaced.
                        Permission.on(MySQLCluster.class, "patch"),
                        // Made and deleted by schedule.
                        Permission.on(MySQLBackup.class, "create", "delete"),
                        // By name alone; whether it outlives its cluster is changed, and one of an earlier operator is
                        // completed.
                        Permission.on(Secret.class, "get", "create", "patch"),
                        // The same.
                        Permission.on(PersistentVolumeClaim.class, "patch"),
                        // Their roles; and each is restarted by being deleted.
                        Permission.on(Pod.class, "get", "patch", "delete"),
                        // In the version that there is.
                        Permission.of("policy", List.of("poddisruptionbudgets"), "get", "create", "patch")
                                .inNamespaces());
    }
}
