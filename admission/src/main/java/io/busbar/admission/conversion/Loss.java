package io.busbar.admission.conversion;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.patch.JsonEquality;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One place at which an object does not come back as it was.
 *
 * <p>Immutable.
 *
 * @param path a JSON Pointer through objects; a list is lost as a whole
 * @param kept what was there; null for nothing
 * @param instead what comes back; null for nothing
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Loss(String path, @Nullable JsonNode kept, @Nullable JsonNode instead) {

    /** All of them, in the order of the fields. */
    static List<Loss> between(ObjectNode original, ObjectNode back) {
        List<Loss> losses = new ArrayList<>();
        compare("", original, back, losses);
        return losses;
    }

    private static void compare(String path, @Nullable JsonNode was, @Nullable JsonNode is, List<Loss> losses) {
        if (was instanceof ObjectNode before && is instanceof ObjectNode after) {
            for (Map.Entry<String, JsonNode> member : before.properties()) {
                compare(step(path, member.getKey()), member.getValue(), after.get(member.getKey()), losses);
            }
            after.properties().stream()
                    .filter(member -> !before.has(member.getKey()))
                    .forEach(member -> losses.add(new Loss(step(path, member.getKey()), null, member.getValue())));
        } else if (was == null || is == null || !JsonEquality.same(was, is)) {
            losses.add(new Loss(path, was, is));
        }
    }

    private static String step(String path, String name) {
        return path + "/" + name.replace("~", "~0").replace("/", "~1");
    }

    /** Whether an object has come back with the same loss, and nobody has changed the place since. */
    boolean isIn(ObjectNode back) {
        JsonNode there = back.at(path);
        return instead == null ? there.isMissingNode() : !there.isMissingNode() && JsonEquality.same(instead, there);
    }

    /** Puts back what was there. */
    void mend(ObjectNode back) {
        JsonPointer place = JsonPointer.compile(path);
        JsonPointer parent = Objects.requireNonNull(place.head(), path);
        String name = place.last().getMatchingProperty();
        if (kept != null) {
            back.withObject(parent).set(name, kept);
        } else if (back.at(parent) instanceof ObjectNode from) {
            from.remove(name);
        }
    }
}
