package io.busbar.operator.sidecarset.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.operator.sidecarset.v1beta1.PodMetadataPatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetadataPatchesTest {

    @Test
    void retains_what_the_pod_has_unless_it_is_told_otherwise() throws Exception {
        assertThat(patched(null, "a", "patch", "a", "own")).containsEntry("a", "own");
        assertThat(patched(PodMetadataPatch.RETAIN, "a", "patch", "b", "own"))
                .isEqualTo(Map.of("a", "patch", "b", "own"));
    }

    @Test
    void overwrites_what_the_pod_has() throws Exception {
        assertThat(patched(PodMetadataPatch.OVERWRITE, "a", "patch", "a", "own"))
                .isEqualTo(Map.of("a", "patch"));
    }

    @Test
    void takes_a_json_patch_as_it_is_written_where_there_is_nothing_to_merge_it_into() throws Exception {
        String patch = "{ \"z\": null, \"a\": 1 }";

        assertThat(patched(PodMetadataPatch.MERGE_PATCH_JSON, "a", patch, "b", "own"))
                .containsEntry("a", patch);
        assertThat(patched(PodMetadataPatch.MERGE_PATCH_JSON, "a", patch, "a", ""))
                .containsEntry("a", patch);
    }

    @Test
    void merges_json_and_writes_it_as_go_would() throws Exception {
        assertThat(patched(
                        PodMetadataPatch.MERGE_PATCH_JSON,
                        "a",
                        "{\"x\": null, \"deep\": {\"new\": \"<&>\"}}",
                        "a",
                        "{\"x\": 1, \"y\": [2], \"deep\": {\"old\": true}}"))
                .containsEntry("a", "{\"deep\":{\"new\":\"\\u003c\\u0026\\u003e\",\"old\":true},\"y\":[2]}");
    }

    @Test
    void refuses_to_merge_into_what_is_not_json() {
        assertThatThrownBy(() -> patched(PodMetadataPatch.MERGE_PATCH_JSON, "a", "{}", "a", "text"))
                .isInstanceOf(UnreadableAnnotationException.class)
                .hasMessage("Invalid JSON Document");
    }

    private static Map<String, String> patched(
            String policy, String name, String patch, String presentName, String present)
            throws UnreadableAnnotationException {
        Map<String, String> annotations = new HashMap<>(Map.of(presentName, present));
        MetadataPatches.apply(List.of(new PodMetadataPatch(Map.of(name, patch), policy)), annotations);
        return annotations;
    }
}
