package io.busbar.operator.mysqlcluster;

import io.busbar.manifests.rbac.Permission;
import io.busbar.operator.mysqlcluster.access.ApplicationAccount;
import io.busbar.operator.mysqlcluster.access.ExporterAccount;
import io.busbar.operator.mysqlcluster.access.Passwords;
import io.busbar.operator.mysqlcluster.access.Rotation;
import io.busbar.operator.mysqlcluster.backup.Archiving;
import io.busbar.operator.mysqlcluster.backup.BackupController;
import io.busbar.operator.mysqlcluster.backup.RestoreRules;
import io.busbar.operator.mysqlcluster.backup.RestoredSeeding;
import io.busbar.operator.mysqlcluster.backup.Restoring;
import io.busbar.operator.mysqlcluster.backup.Schedule;
import io.busbar.operator.mysqlcluster.backup.StorageImage;
import io.busbar.operator.mysqlcluster.backup.VerificationSchedule;
import io.busbar.operator.mysqlcluster.contents.ContentControllers;
import io.busbar.operator.mysqlcluster.contents.ContentValidators;
import io.busbar.operator.mysqlcluster.decide.Decision;
import io.busbar.operator.mysqlcluster.migrate.MigratedSeeding;
import io.busbar.operator.mysqlcluster.objects.Texts;
import io.busbar.operator.mysqlcluster.observe.PodAddressing;
import io.busbar.operator.mysqlcluster.observe.SteadyClock;
import io.busbar.operator.mysqlcluster.observe.Together;
import io.busbar.operator.mysqlcluster.report.ClusterMeters;
import io.busbar.operator.mysqlcluster.report.Freshness;
import io.busbar.operator.mysqlcluster.report.Health;
import io.busbar.operator.mysqlcluster.report.StatusReport;
import io.busbar.operator.mysqlcluster.rollout.Rollout;
import io.busbar.operator.mysqlcluster.scale.Scaling;
import io.busbar.operator.mysqlcluster.sql.DatabaseServers;
import io.busbar.operator.mysqlcluster.sql.VertxDatabaseServers;
import io.busbar.operator.mysqlcluster.tls.Certificates;
import io.busbar.operator.mysqlcluster.tls.EncryptedPods;
import io.busbar.operator.mysqlcluster.tls.Encrypting;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.busbar.operator.mysqlcluster.version.ServerVersion;
import io.busbar.reconciler.Controller;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.Extras;
import io.busbar.runtime.bundle.Webhook;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

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
        StorageImage storageImage = flags.storageImage(context);
        DatabaseServers reached = servers.apply(context);
        MySQLClusterReconciler clusters = new MySQLClusterReconciler(
                new Passwords(clock, steady),
                new EncryptedPods(new Certificates(clock, steady)),
                reached,
                addressing,
                storageImage,
                new Decision(
                        new MigratedSeeding(new RestoredSeeding()),
                        new Restoring(),
                        List.of(
                                new ApplicationAccount(),
                                new ExporterAccount(),
                                new Encrypting(),
                                new Rotation(),
                                new Schedule(),
                                new VerificationSchedule(),
                                new Archiving(),
                                new Scaling(),
                                new Rollout()),
                        List.of(new ExporterAccount(), new Encrypting(), new Schedule()),
                        new Health()),
                new StatusReport(new Freshness()),
                new ClusterMeters(context.meters(), steady),
                together.with(context.permit()),
                clock,
                steady);
        return Stream.concat(
                        Stream.of(
                                BackupController.watchedBy(MySQLClusterController.declare(clusters)),
                                BackupController.backups(addressing, storageImage, clock),
                                BackupController.restores(clock)),
                        ContentControllers.all(reached, addressing, ClusterPods.PODS, clock).stream())
                .toList();
    }

    @Override
    public List<Webhook> webhooks(BundleContext context) {
        return Stream.concat(
                        Stream.of(
                                Webhook.mutating(MySQLCluster.class, new MySQLClusterDefaults()),
                                Webhook.validating(MySQLCluster.class, new MySQLClusterValidator(clock)),
                                Webhook.validating(MySQLRestore.class, new RestoreRules(clock))),
                        ContentValidators.webhooks().stream())
                .toList();
    }

    /** What is done through the client. */
    @Override
    public Extras extras(BundleContext context) {
        return Extras.none()
                .alerting(Texts.beside(MySQLClusterBundle.class, "alerts.yaml"))
                .drawing(Texts.beside(MySQLClusterBundle.class, "graphs.yaml"))
                .running("mysql", "mysql:" + ServerVersion.OF_NEW_CLUSTERS.text())
                .allowing(
                        // Annotated while its data is replaced.
                        Permission.on(MySQLCluster.class, "patch"),
                        // Made and deleted by schedule.
                        Permission.on(MySQLBackup.class, "create", "delete"),
                        // By name alone, also where a MySQLUser says it; whether it outlives its cluster is changed,
                        // one of an earlier operator is
                        // completed, and passwords are changed.
                        Permission.on(Secret.class, "get", "create", "patch"),
                        // With the operator's own CA.
                        Permission.on(Secret.class, "update"),
                        // Where spec.tls.issuerRef asks for one.
                        Permission.of("cert-manager.io", List.of("certificates"), "get", "create", "patch", "delete")
                                .inNamespaces(),
                        // The same.
                        Permission.on(PersistentVolumeClaim.class, "patch"),
                        // Made anew around its Pods when their volumes have grown.
                        Permission.on(StatefulSet.class, "delete"),
                        // Their roles; and each is restarted by being deleted.
                        Permission.on(Pod.class, "get", "patch", "delete"),
                        // In the version that there is.
                        Permission.of("policy", List.of("poddisruptionbudgets"), "get", "create", "patch")
                                .inNamespaces());
    }
}
