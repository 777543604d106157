package io.busbar.sandbox.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Turns objects between the version that is served and the version that is stored.
 *
 * <p>One context. Shared objects are never changed: a converted object is a copy, one that needs no conversion is
 * returned as it is. Futures are complete at once, but where a webhook has to be asked.
 */
public interface Conversion {

    /** Served as it is stored. */
    Conversion NONE = of(UnaryOperator.identity(), UnaryOperator.identity());

    /** One for each of the objects, in their order. */
    Future<List<ObjectNode>> toServed(List<ObjectNode> stored);

    Future<List<ObjectNode>> toStored(List<ObjectNode> served);

    default Future<ObjectNode> toServed(ObjectNode stored) {
        return toServed(List.of(stored)).map(one -> one.get(0));
    }

    default Future<ObjectNode> toStored(ObjectNode served) {
        return toStored(List.of(served)).map(one -> one.get(0));
    }

    /** An object as another version of its kind serves it. */
    default Future<ObjectNode> toServed(ObjectNode other, Conversion from) {
        return from.toStored(other).compose(this::toServed);
    }

    /** A conversion by functions, which return their argument or a copy. */
    static Conversion of(UnaryOperator<ObjectNode> toServed, UnaryOperator<ObjectNode> toStored) {
        return new Conversion() {
            @Override
            public Future<List<ObjectNode>> toServed(List<ObjectNode> stored) {
                return Future.succeededFuture(stored.stream().map(toServed).toList());
            }

            @Override
            public Future<List<ObjectNode>> toStored(List<ObjectNode> served) {
                return Future.succeededFuture(served.stream().map(toStored).toList());
            }

            @Override
            public Future<ObjectNode> toServed(ObjectNode stored) {
                return Future.succeededFuture(toServed.apply(stored));
            }

            @Override
            public Future<ObjectNode> toStored(ObjectNode served) {
                return Future.succeededFuture(toStored.apply(served));
            }
        };
    }
}
