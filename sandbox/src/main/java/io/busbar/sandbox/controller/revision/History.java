package io.busbar.sandbox.controller.revision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.Metadata;
import java.util.List;

/**
 * The revisions of an object.
 *
 * <p>Immutable.
 *
 * @param all the oldest number first
 * @param update the one of the template as it is
 * @param collisions how often a name was taken by something else
 */
public record History(List<ObjectNode> all, ObjectNode update, int collisions) {

    static final String PATCH = "$patch";

    /** The one of this name, or that of the template as it is. */
    public ObjectNode named(String name) {
        return all.stream()
                .filter(revision -> Metadata.of(revision).name().equals(name))
                .findFirst()
                .orElse(update);
    }

    /** The owner as it was when it had the template of a revision. */
    public static ObjectNode restored(ObjectNode owner, ObjectNode revision) {
        ObjectNode restored = owner.deepCopy();
        ObjectNode template = template(revision).deepCopy();
        template.remove(PATCH);
        restored.withObject("/spec").set("template", template);
        return restored;
    }

    static int number(ObjectNode revision) {
        return revision.path("revision").asInt();
    }

    static ObjectNode template(ObjectNode revision) {
        JsonNode template = revision.path("data").path("spec").path("template");
        return template instanceof ObjectNode found ? found : revision.objectNode();
    }
}
