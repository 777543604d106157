package io.busbar.operator.mysqlcluster.contents;

import io.busbar.common.watch.Index;
import io.busbar.operator.mysqlcluster.sql.Contents;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a kind is to the servers.
 *
 * <p>Any thread; what is given {@link Contents} waits as they do.
 */
interface Content<T extends HasMetadata> {

    /** Of the MySQLCluster, in the object's namespace. */
    String cluster(T object);

    /** Files objects under what they stand for on the servers. */
    Index<T> byName();

    /** A value of {@link #byName}. */
    String nameOf(T object);

    List<Condition> conditions(T object);

    /** The same object with other conditions. */
    T with(T object, List<Condition> conditions);

    /** Whether the servers are left as they are when the object goes. */
    boolean isLeft(T object, ReconcileContext<T> context);

    /** Makes the servers have what the spec asks for; they are looked at first. */
    Applied<T> apply(T object, Contents contents, ReconcileContext<T> context)
            throws SqlFailure, Unready, InterruptedException;

    /** Takes away what the servers have of it. */
    void remove(T object, Contents contents, ReconcileContext<T> context) throws SqlFailure, InterruptedException;

    /**
     * What has come of it.
     *
     * @param object with a status that tells so; its conditions are as before
     * @param message for people
     * @param again after which time it is to be looked at again; empty for the usual one
     */
    record Applied<T>(T object, String message, Optional<Duration> again) {}
}
