package io.busbar.operator.sidecarset.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.operator.sidecarset.pod.ModelJson;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What a revision keeps of a spec: all that goes into Pods.
 *
 * <p>Immutable. Source of the form: OpenKruise, where it is a patch that replaces the spec.
 */
record RevisionData(JsonNode json) {

    private static final ObjectMapper PLAIN = new ObjectMapper();

    /** Without vowels, as Kubernetes' own {@code SafeEncodeString}. */
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private static final List<String> KEPT =
            List.of("volumes", "containers", "initContainers", "imagePullSecrets", "patchPodMetadata");

    static RevisionData of(SidecarSetSpec spec) {
        JsonNode whole = ModelJson.object(spec);
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        ObjectNode kept = data.putObject("spec").put("$patch", "replace");
        for (String member : KEPT) {
            if (whole.has(member)) {
                kept.set(member, whole.get(member));
            }
        }
        return new RevisionData(plain(data));
    }

    /** Of a ControllerRevision. */
    static RevisionData of(Object data) {
        return new RevisionData(plain(ModelJson.of(data)));
    }

    /** A spec as it was: what a revision keeps, and all else of the present one. */
    SidecarSetSpec restoredIn(SidecarSetSpec present) {
        SidecarSetSpec old = ModelJson.read(json.path("spec"), SidecarSetSpec.class);
        return new SidecarSetSpec(
                present.selector(),
                present.namespaceSelector(),
                old.containers(),
                old.initContainers(),
                old.volumes(),
                present.updateStrategy(),
                present.injectionStrategy(),
                old.imagePullSecrets(),
                present.revisionHistoryLimit(),
                old.patchPodMetadata(),
                present.customVersion());
    }

    /**
     * A short text that differs for other data, most likely; the salt makes another one of it.
     *
     * <p>FNV-1a of 32 bits, as Kubernetes' names of revisions.
     */
    String hash(int salt) {
        int hash = 0x811c9dc5;
        for (byte next : (json + "/" + salt).getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (next & 0xff)) * 0x01000193;
        }
        StringBuilder text = new StringBuilder();
        Integer.toUnsignedString(hash)
                .chars()
                .forEach(digit -> text.append(ALPHABET.charAt(digit % ALPHABET.length())));
        return text.toString();
    }

    /** As it would be read, so that numbers of different Java types are equal. */
    private static JsonNode plain(JsonNode node) {
        try {
            return PLAIN.readTree(node.toString());
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("JSON that was just written cannot be read", impossible);
        }
    }
}
