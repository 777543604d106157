package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.resource.Conversion;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.select.ShardSelector;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Shelf;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Gets and lists.
 *
 * <p>One context. Objects in answers are shared.
 */
public final class Reads {

    private final Cluster cluster;

    public Reads(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Fails with 404. */
    public Future<ObjectNode> get(Target target) {
        return found(target, cluster.store().shelf(target.resource().storage()).get(target.key()));
    }

    /**
     * As of a revision, or of the oldest that is known. Fails with 404.
     *
     * @param revision not newer than the latest
     */
    public Future<ObjectNode> get(Target target, long revision) {
        if (revision >= cluster.store().revision()) {
            return get(target);
        }
        Shelf shelf = cluster.store().shelf(target.resource().storage());
        return found(
                target,
                shelf.objectsAt(target.namespace(), Math.max(revision, shelf.oldest()))
                        .get(target.key()));
    }

    private static Future<ObjectNode> found(Target target, @Nullable ObjectNode object) {
        Resource resource = target.resource();
        if (object == null) {
            return Future.failedFuture(StatusException.notFound(resource.named(), target.name()));
        }
        return resource.conversion().toServed(object);
    }

    /** The latest. Pages of one list are all as of the revision of the first. */
    public Future<Page> list(Target target, ListQuery query) {
        return list(target, query, cluster.store().revision());
    }

    /**
     * As of a revision, or of the oldest that is known, where the query does not ask for an exact or a later one.
     *
     * @param seen not newer than the latest
     */
    public Future<Page> list(Target target, ListQuery query, long seen) {
        Shelf shelf = cluster.store().shelf(target.resource().storage());
        if (!query.continuation().isEmpty()) {
            if (!List.of("", "0").contains(query.resourceVersion())) {
                throw StatusException.badRequest("specifying resource version is not allowed when using continue");
            }
            Continuation from =
                    Continuation.decode(query.continuation()).at(cluster.store().revision());
            return page(target, query, from.revision(), rest(shelf, target.namespace(), from));
        }
        long asked = Revision.parseForList(query.resourceVersion());
        Revision.checkReached(asked, cluster.store().revision());
        if (query.isExact(asked)) {
            return page(target, query, asked, shelf.objectsAt(target.namespace(), asked));
        }
        long revision = Math.max(asked, Math.max(seen, shelf.oldest()));
        NavigableMap<ObjectKey, ObjectNode> objects = shelf.objectsAt(target.namespace(), revision);
        Optional<String> name = query.fields().required("metadata.name");
        if (name.isPresent()
                && !name.get().isEmpty()
                && !(target.resource().type().namespaced() && target.namespace().isEmpty())) {
            ObjectKey key = new ObjectKey(target.namespace(), name.get());
            return page(target, query, revision, objects.subMap(key, true, key, true));
        }
        return page(target, query, revision, objects);
    }

    /** Tells whether an object is meant by a query, of whatever range it is. */
    public static Predicate<ObjectNode> matching(ListQuery query) {
        return object -> query.labels().matches(object.path("metadata").path("labels"))
                && query.fields().matches(object);
    }

    private static NavigableMap<ObjectKey, ObjectNode> rest(Shelf shelf, String namespace, Continuation from) {
        try {
            return shelf.objectsAt(namespace, from.revision()).tailMap(from.last(), false);
        } catch (StatusException tooOld) {
            throw StatusException.expiredList(from.inconsistent().encode());
        }
    }

    /** Fields of custom resources are those of the version that is asked for; all else is the same in each version. */
    private static Future<Page> page(
            Target target, ListQuery query, long revision, NavigableMap<ObjectKey, ObjectNode> candidates) {
        Conversion conversion = target.resource().conversion();
        if (target.resource().custom() == null || query.fields().isOfMetadata()) {
            Page stored = cut(query, revision, candidates);
            return conversion.toServed(stored.items()).map(stored::of);
        }
        List<ObjectKey> keys = List.copyOf(candidates.keySet());
        return conversion.toServed(List.copyOf(candidates.values())).map(served -> {
            NavigableMap<ObjectKey, ObjectNode> converted = new TreeMap<>();
            for (int i = 0; i < keys.size(); i++) {
                converted.put(keys.get(i), served.get(i));
            }
            return cut(query, revision, converted);
        });
    }

    private static Page cut(ListQuery query, long revision, NavigableMap<ObjectKey, ObjectNode> candidates) {
        ShardSelector shard = query.shard();
        boolean all = query.labels().isEverything() && query.fields().isEverything();
        Predicate<ObjectNode> selected = all ? object -> true : matching(query);
        Predicate<ObjectNode> wanted =
                shard == null ? selected : object -> shard.matches(object) && selected.test(object);
        List<ObjectNode> items = new ArrayList<>();
        Iterator<Map.Entry<ObjectKey, ObjectNode>> entries =
                candidates.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<ObjectKey, ObjectNode> entry = entries.next();
            if (!wanted.test(entry.getValue())) {
                continue;
            }
            items.add(entry.getValue());
            if (items.size() == query.pageSize() && entries.hasNext()) {
                String next = new Continuation(revision, entry.getKey()).encode();
                long remaining = all && shard == null
                        ? candidates.tailMap(entry.getKey(), false).size()
                        : 0;
                return new Page(items, revision, next, remaining, shard);
            }
        }
        return new Page(items, revision, "", 0, shard);
    }
}
