package io.busbar.sandbox.patch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.RandomJson;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatchPropertyTest {

    private static final int ROUNDS = 3_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void a_merge_patch_does_what_the_rfc_writes_down(long seed) {
        RandomJson values = new RandomJson(seed);
        for (int i = 0; i < ROUNDS; i++) {
            ObjectNode document = values.object(4);
            ObjectNode patch = values.object(4);
            JsonNode untouched = document.deepCopy();

            assertThat(MergePatch.apply(document, patch)).isEqualTo(rfc7386(document.deepCopy(), patch.deepCopy()));
            assertThat(document).isEqualTo(untouched);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void without_keys_and_directives_a_strategic_patch_is_a_merge_patch(long seed) {
        RandomJson values = new RandomJson(seed);
        for (int i = 0; i < ROUNDS; i++) {
            ObjectNode document = values.object(4);
            ObjectNode patch = values.object(2);

            assertThat(StrategicMergePatch.apply(document, withoutNullsInLists(patch), MergeKeys.NONE))
                    .isEqualTo(MergePatch.apply(document, withoutNullsInLists(patch)));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void a_json_patch_of_all_differences_makes_one_document_the_other(long seed) {
        RandomJson values = new RandomJson(seed);
        for (int i = 0; i < ROUNDS; i++) {
            ObjectNode from = values.object(4);
            ObjectNode to = values.object(4);
            ArrayNode patch = JsonNodeFactory.instance.arrayNode();
            differences(JsonPointer.empty(), from, to, patch);

            assertThat(JsonPatch.apply(from, patch)).isEqualTo(to);
        }
    }

    /** The pseudo code of section 2. */
    private static JsonNode rfc7386(JsonNode target, JsonNode patch) {
        if (!patch.isObject()) {
            return patch;
        }
        ObjectNode result = target.isObject() ? (ObjectNode) target : JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            if (entry.getValue().isNull()) {
                result.remove(entry.getKey());
            } else {
                JsonNode member = result.has(entry.getKey())
                        ? result.get(entry.getKey())
                        : JsonNodeFactory.instance.missingNode();
                result.set(entry.getKey(), rfc7386(member, entry.getValue()));
            }
        }
        return result;
    }

    /** A strategic patch drops nulls below a list, where a merge patch keeps them. */
    private static ObjectNode withoutNullsInLists(ObjectNode patch) {
        for (Iterator<JsonNode> fields = patch.iterator(); fields.hasNext(); ) {
            JsonNode value = fields.next();
            if (value.isArray()) {
                fields.remove();
            }
        }
        return patch;
    }

    private static void differences(JsonPointer at, ObjectNode from, ObjectNode to, ArrayNode patch) {
        TreeSet<String> names = new TreeSet<>();
        from.fieldNames().forEachRemaining(names::add);
        to.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            JsonPointer path = at.appendProperty(name);
            if (!to.has(name)) {
                patch.addObject().put("op", "remove").put("path", path.toString());
            } else if (!from.has(name)) {
                patch.addObject().put("op", "add").put("path", path.toString()).set("value", to.get(name));
            } else if (from.get(name) instanceof ObjectNode before && to.get(name) instanceof ObjectNode after) {
                differences(path, before, after, patch);
            } else {
                patch.addObject().put("op", "test").put("path", path.toString()).set("value", from.get(name));
                patch.addObject()
                        .put("op", "replace")
                        .put("path", path.toString())
                        .set("value", to.get(name));
            }
        }
    }
}
