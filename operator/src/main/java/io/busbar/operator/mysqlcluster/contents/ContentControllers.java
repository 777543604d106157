package io.busbar.operator.mysqlcluster.contents;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.ChangePredicate;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.KeyMapping;
import io.busbar.common.watch.WatchSpec;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.observe.PodAddressing;
import io.busbar.operator.mysqlcluster.sql.DatabaseServers;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLDatabase;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLGrant;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLUser;
import io.busbar.reconciler.Controller;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** Declares the controllers of MySQLDatabases, MySQLUsers and MySQLGrants. Any thread. */
public final class ContentControllers {

    /** Servers do not tell when somebody changes what is in them. */
    private static final Duration LOOK = Duration.ofMinutes(1);

    /** A reconcile waits for one server, and those of other clusters should not have to. */
    private static final int WORKERS = 8;

    /** Which there are, and whether they have changed; what is in one is asked for when it is read. */
    private static final WatchSpec<Secret> SECRETS =
            WatchSpec.of(Secret.class).metadataOnlyWatch().keeping("metadata.labels");

    private ContentControllers() {}

    /** @param pods the members of all clusters */
    public static List<Controller<?>> all(
            DatabaseServers servers, PodAddressing addressing, WatchSpec<Pod> pods, Clock clock) {
        Primaries primaries = new Primaries(servers, addressing);
        DatabaseContent databases = new DatabaseContent();
        UserContent users = new UserContent(clock);
        GrantContent grants = new GrantContent();
        return List.of(
                declare(MySQLDatabase.class, databases, primaries, pods, clock).reads(SECRETS, List.of()),
                declare(MySQLUser.class, users, primaries, pods, clock)
                        .index(UserContent.BY_SECRET)
                        .watches(
                                SECRETS,
                                KeyMapping.byIndex(
                                        MySQLUser.class,
                                        UserContent.BY_SECRET,
                                        secret -> ObjectKey.of(secret).toString())),
                declare(MySQLGrant.class, grants, primaries, pods, clock)
                        .reads(SECRETS, List.of())
                        .index(GrantContent.BY_NEED)
                        .watches(
                                MySQLUser.class,
                                KeyMapping.byIndex(MySQLGrant.class, GrantContent.BY_NEED, users::nameOf))
                        .watches(
                                MySQLDatabase.class,
                                KeyMapping.byIndex(MySQLGrant.class, GrantContent.BY_NEED, databases::nameOf)));
    }

    private static <T extends HasMetadata> Controller<T> declare(
            Class<T> type, Content<T> content, Primaries primaries, WatchSpec<Pod> pods, Clock clock) {
        Index<T> byCluster = new Index<>(
                content.byName().name() + ".cluster",
                object -> List.of(
                        Namesakes.cluster(object, content.cluster(object)).toString()));
        return Controller.of(type, new ContentReconciler<>(content, primaries, clock))
                .when(ChangePredicate.generationChanged().or(ChangePredicate.annotationsChanged()))
                .workers(WORKERS)
                .resync(LOOK)
                .finalizer(ClusterKeys.CONTENT.name())
                .index(content.byName())
                .index(byCluster)
                .watches(
                        WatchSpec.of(type),
                        List.of(),
                        ChangePredicate.generationChanged(),
                        KeyMapping.byIndex(type, content.byName(), content::nameOf))
                .watches(
                        WatchSpec.of(MySQLCluster.class),
                        List.of(),
                        ChangePredicate.either(
                                ChangePredicate.generationChanged(),
                                ChangePredicate.<MySQLCluster>changed(cluster -> Primaries.serves(cluster)
                                        ? String.valueOf(cluster.told().currentPrimary())
                                        : "")),
                        KeyMapping.byIndex(
                                type,
                                byCluster,
                                cluster -> ObjectKey.of(cluster).toString()))
                .reads(pods, List.of());
    }
}
