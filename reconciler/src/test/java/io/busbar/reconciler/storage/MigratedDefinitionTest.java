package io.busbar.reconciler.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.reconciler.storage.MigratedDefinition.Progress;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MigratedDefinitionTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Instant BEFORE = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant NOW = Instant.parse("2026-01-01T00:01:00Z");
    private static final Progress SOME = new Progress(40, "eyJ2IjoibWV0YSJ9");

    private final MigratedDefinition first = new MigratedDefinition(json("""
            {"metadata": {"name": "crates.shop.example.com", "generation": 7, "resourceVersion": "12"},
             "spec": {"versions": [{"name": "v1", "storage": false}, {"name": "v2", "storage": true}]},
             "status": {"storedVersions": ["v1", "v2"], "conditions": [{"type": "Established", "status": "True"}]}}"""));

    @Test
    void tells_how_far_it_is_and_reads_it_again() throws Exception {
        MigratedDefinition told = patched(
                first, first.patch(false, "Migrating", first.message(SOME), NOW).orElseThrow());

        assertThat(first.progress()).isEqualTo(Progress.NONE);
        assertThat(told.progress()).isEqualTo(SOME);
        assertThat(told.isSaidToBeUnderWay()).isTrue();
        assertThat(told.json().at("/status/storedVersions")).hasSize(2);
        assertThat(told.json().at("/status/conditions/0/type").asText()).isEqualTo("Established");
    }

    @Test
    void forgets_how_far_it_was_before_the_definition_has_changed() throws Exception {
        MigratedDefinition told = patched(
                first, first.patch(false, "Migrating", first.message(SOME), NOW).orElseThrow());
        ObjectNode changed = told.json().deepCopy();
        ((ObjectNode) changed.path("metadata")).put("generation", 8);

        assertThat(new MigratedDefinition(changed).progress()).isEqualTo(Progress.NONE);
    }

    @Test
    void leaves_one_version_when_all_is_done_and_says_nothing_twice() throws Exception {
        MigratedDefinition begun = patched(
                first,
                first.patch(false, "Migrating", first.message(Progress.NONE), BEFORE)
                        .orElseThrow());
        assertThat(begun.patch(false, "Migrating", begun.message(Progress.NONE), NOW))
                .isEmpty();

        MigratedDefinition done =
                patched(begun, begun.patch(true, "Migrated", "50 objects", NOW).orElseThrow());

        assertThat(done.json().at("/status/storedVersions").toString()).isEqualTo("[\"v2\"]");
        assertThat(done.others()).isEmpty();
        assertThat(done.isSaidToBeUnderWay()).isFalse();
        assertThat(done.json().at("/status/conditions/1/lastTransitionTime").asText())
                .isEqualTo(NOW.toString());
        assertThat(done.patch(true, "Migrated", "50 objects", NOW.plusSeconds(60)))
                .isEmpty();
    }

    /** As the API server merges it. */
    private static MigratedDefinition patched(MigratedDefinition before, String patch) throws JsonProcessingException {
        JsonNode sent = MAPPER.readTree(patch);
        assertThat(sent.at("/metadata/resourceVersion").asText()).isEqualTo("12");
        ObjectNode after = before.json().deepCopy();
        ObjectNode status = (ObjectNode) after.path("status");
        sent.path("status").properties().forEach(field -> {
            assertThat(field.getValue()).isInstanceOf(ArrayNode.class);
            status.set(field.getKey(), field.getValue());
        });
        return new MigratedDefinition(after);
    }

    private static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException impossible) {
            throw new IllegalArgumentException(impossible);
        }
    }
}
