package io.busbar.blueprint;

import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.types.KindType;
import java.util.List;

/**
 * One of the resources of a Blueprint: an object, or one for each item of a list, that is made or, if it is external,
 * read.
 *
 * <p>Immutable.
 *
 * @param id what expressions call it
 * @param node all that is written of it
 * @param body its template, or the reference to what is external
 */
public record BlueprintResource(
        String id,
        SourceNode node,
        SourceNode body,
        boolean external,
        List<SourceNode> includeWhen,
        List<SourceNode> readyWhen,
        List<Iterator> forEach) {

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

    /** Whether expressions see it as a list. */
    public boolean isCollection() {
        return !forEach.isEmpty() || body.at("metadata", "selector") != null;
    }
}
