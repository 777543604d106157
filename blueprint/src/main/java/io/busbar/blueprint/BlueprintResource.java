package io.busbar.blueprint;

import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.types.KindType;
import java.util.List;
import java.util.Optional;

/**
 * One of the resources of a Blueprint: an object, or one for each item of a list, that is made or, if it is external,
 * read.
 *
 * <p>Immutable.
 *
 * @param id what expressions call it
 * @param node all that is written of it
 * @param body its template, or the reference to what is external
 * @param orphaned whether its objects are left where they are when they are to be there no more
 */
public record BlueprintResource(
        String id,
        SourceNode node,
        SourceNode body,
        boolean external,
        List<SourceNode> includeWhen,
        List<SourceNode> readyWhen,
        List<Iterator> forEach,
        boolean orphaned) {

    /** The deletionPolicy of what is left where it is. */
    public static final String ORPHANED = "Orphaned";

    /** A variable that takes each item of a list. */
    public record Iterator(String name, SourceNode list) {}

    public String apiVersion() {
        return body.text("apiVersion");
    }

    public String kind() {
        return body.text("kind");
    }

    /** Empty for the core group. */
    public String group() {
        return KindType.group(apiVersion());
    }

    /** Where its objects are; empty for the namespace of the instance, or none. */
    public Optional<SourceNode> namespace() {
        return Optional.ofNullable(body.at("metadata", "namespace"));
    }

    /** Whether expressions see it as a list. */
    public boolean isCollection() {
        return !forEach.isEmpty() || body.at("metadata", "selector") != null;
    }
}
