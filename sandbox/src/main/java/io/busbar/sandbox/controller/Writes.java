package io.busbar.sandbox.controller;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The writes that controllers share: of the very object that was meant, not of another of its name.
 *
 * <p>One context.
 */
public record Writes(ObjectStore store) {

    public static Writes of(ControllerContext context) {
        return new Writes(context.store());
    }

    /** Nothing is written when the object is another one by now, or is as it should be. */
    public Future<ObjectNode> update(Kind kind, ObjectNode object, Consumer<ObjectNode> change) {
        return store.update(kind.resource(), Metadata.of(object).key(), current -> changed(object, current, change));
    }

    public Future<ObjectNode> updateStatus(Kind kind, ObjectNode object, Consumer<ObjectNode> change) {
        return updateWithStatus(kind, object, found -> change.accept(found.withObject("/status")));
    }

    /** A change of annotations beside the status, that no generation counts. */
    public Future<ObjectNode> updateWithStatus(Kind kind, ObjectNode object, Consumer<ObjectNode> change) {
        return store.updateStatus(
                kind.resource(), Metadata.of(object).key(), current -> changed(object, current, change));
    }

    private static @Nullable ObjectNode changed(
            ObjectNode object, @Nullable ObjectNode current, Consumer<ObjectNode> change) {
        if (current == null
                || !Metadata.of(current).uid().equals(Metadata.of(object).uid())) {
            return null;
        }
        change.accept(current);
        return current;
    }

    /** One that is gone already is as it should be. */
    public Future<Void> delete(Kind kind, ObjectNode object, String policy) {
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        options.putObject("preconditions").put("uid", Metadata.of(object).uid());
        if (!policy.isEmpty()) {
            options.put("propagationPolicy", policy);
        }
        return store.delete(kind.resource(), Metadata.of(object).key(), options)
                .recover(e -> e instanceof StatusException refused && (refused.code() == 404 || refused.code() == 409)
                        ? Future.succeededFuture()
                        : Future.failedFuture(e));
    }

    public Future<Void> deleteAll(Kind kind, Collection<ObjectNode> objects) {
        List<Future<?>> done = new ArrayList<>();
        objects.forEach(object -> done.add(delete(kind, object, "")));
        return Future.all(done).mapEmpty();
    }

    /**
     * Makes so many things in batches of 1, 2, 4, ...: when all of them are refused, few are tried.
     *
     * @param make is called for each one
     */
    public static Future<Void> slowly(int count, Supplier<Future<?>> make) {
        return batch(count, 1, make);
    }

    private static Future<Void> batch(int left, int size, Supplier<Future<?>> make) {
        if (left <= 0) {
            return Future.succeededFuture();
        }
        List<Future<?>> made = new ArrayList<>();
        for (int i = 0; i < Math.min(left, size); i++) {
            made.add(make.get());
        }
        return Future.join(made).compose(done -> batch(left - made.size(), size * 2, make));
    }
}
