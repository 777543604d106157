package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.request.DeleteOptions;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * All that can be done with objects.
 *
 * <p>One context.
 */
public record Verbs(
        Reads reads,
        Creates creates,
        Updates updates,
        Applies applies,
        Deletes deletes,
        Submissions submissions,
        Bindings bindings,
        Evictions evictions) {

    public static Verbs of(Cluster cluster) {
        Updates updates = new Updates(cluster);
        Deletes deletes = new Deletes(cluster);
        Creates creates = new Creates(cluster);
        Submissions submissions = new Submissions(cluster);
        return new Verbs(
                new Reads(cluster),
                creates,
                updates,
                new Applies(cluster, creates, updates),
                deletes,
                submissions,
                new Bindings(cluster, updates, submissions),
                new Evictions(cluster, updates, deletes, submissions));
    }

    /** Deletes what a query finds, one after the other; what somebody else was quicker with is left out. */
    public Future<Page> deleteCollection(Target target, WriteOptions options, DeleteOptions how, ListQuery query) {
        return reads.list(target, query).compose(page -> {
            Future<?> done = Future.succeededFuture();
            for (ObjectNode item : page.items()) {
                Target one = target.named(Metadata.of(item).name());
                done = done.compose(before ->
                                deletes.delete(one, target, options, how).<@Nullable Deleted>map(deleted -> deleted))
                        .recover(e -> e instanceof StatusException refused && refused.code() == 404
                                ? Future.succeededFuture()
                                : Future.failedFuture(e));
            }
            return done.map(all -> new Page(page.items(), page.revision(), "", 0, page.shard()));
        });
    }
}
