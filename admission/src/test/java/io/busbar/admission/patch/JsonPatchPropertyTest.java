package io.busbar.admission.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatObject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class JsonPatchPropertyTest {

    @Property(tries = 3000)
    void turns_any_document_into_any_other(@ForAll long seed) {
        RandomJson random = new RandomJson(seed);
        JsonNode before = random.document(4);
        JsonNode after = random.document(4);

        assertThatObject(PatchedJson.of(before, JsonPatch.diff(before, after)))
                .usingComparator(JsonPatchPropertyTest::compare)
                .isEqualTo(after);
    }

    @Property(tries = 5000)
    void turns_a_document_into_an_edited_one(@ForAll long seed) {
        RandomJson random = new RandomJson(seed);
        JsonNode before = random.document(4);
        JsonNode after = random.edited(before);

        assertThatObject(PatchedJson.of(before, JsonPatch.diff(before, after)))
                .usingComparator(JsonPatchPropertyTest::compare)
                .isEqualTo(after);
    }

    @Property(tries = 1000)
    void is_empty_for_equal_documents(@ForAll long seed) {
        JsonNode document = new RandomJson(seed).document(4);

        assertThat(JsonPatch.diff(document, document.deepCopy())).isEmpty();
    }

    @Property(tries = 1000)
    void needs_one_operation_for_an_insertion_into_a_list(
            @ForAll boolean named, @ForAll @IntRange(max = 8) int size, @ForAll @IntRange(max = 8) int place) {
        ArrayNode before = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < size; i++) {
            element(before.addObject(), named, i);
        }
        ArrayNode after = before.deepCopy();
        int at = Math.min(place, size);
        element(after.insertObject(at), named, 100);

        ArrayNode patch = JsonPatch.diff(before, after);

        assertThat(patch).hasSize(1);
        assertThat(patch.get(0).get("op").asText()).isEqualTo("add");
        assertThat(patch.get(0).get("path").asText()).isEqualTo("/" + at);
    }

    private static void element(com.fasterxml.jackson.databind.node.ObjectNode node, boolean named, int number) {
        node.put(named ? "name" : "id", "n" + number).put("image", "i" + number);
    }

    private static int compare(JsonNode a, JsonNode b) {
        return JsonEquality.same(a, b) ? 0 : 1;
    }
}
