package io.busbar.blueprint.types;

import java.util.List;
import java.util.Optional;

/**
 * Knows kinds.
 *
 * <p>Any thread.
 */
@FunctionalInterface
public interface Types {

    /** Empty for a kind that it does not know. */
    Optional<KindType> find(String apiVersion, String kind);

    /** The first of several that knows a kind. */
    static Types firstOf(List<Types> sources) {
        List<Types> all = List.copyOf(sources);
        return (apiVersion, kind) -> all.stream()
                .flatMap(types -> types.find(apiVersion, kind).stream())
                .findFirst();
    }
}
