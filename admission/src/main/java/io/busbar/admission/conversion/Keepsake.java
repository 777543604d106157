package io.busbar.admission.conversion;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.MetadataKey;
import java.util.List;

/**
 * What an object's version cannot hold of the version that it was converted from, to be put back on the way back. It
 * lies in an annotation that is named after that version: {@code conversion.busbar.io/v1alpha1}.
 *
 * <p>All of it is put back, or nothing: what somebody has changed meanwhile counts, and half of the rest would make no
 * sense beside.
 *
 * <p>Immutable.
 */
record Keepsake(List<Loss> losses) {

    static final String PREFIX = "conversion.busbar.io/";

    static final MetadataKey KEY = MetadataKey.annotation(
            PREFIX + "VERSION",
            "an object of a kind with several versions",
            "set by the conversion webhook: what that version holds and the present one cannot, to be put back on the way back");

    private static final Keepsake NOTHING = new Keepsake(List.of());
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<List<Loss>> LOSSES = new TypeReference<>() {};

    /** Takes that of a version off an object. One that cannot be read is nothing: anybody may write annotations. */
    static Keepsake takeFrom(ObjectNode object, String version) {
        if (!(object.at("/metadata/annotations") instanceof ObjectNode annotations)) {
            return NOTHING;
        }
        JsonNode taken = annotations.remove(PREFIX + version);
        if (annotations.isEmpty()) {
            object.withObject("/metadata").remove("annotations");
        }
        return taken == null ? NOTHING : read(taken.asText());
    }

    private static Keepsake read(String text) {
        try {
            List<Loss> losses = JSON.readValue(text, LOSSES);
            return losses.stream().allMatch(Keepsake::isOurs) ? new Keepsake(losses) : NOTHING;
        } catch (JsonProcessingException e) {
            return NOTHING;
        }
    }

    /** What no conversion loses is not put back either, whoever has asked for it. */
    private static boolean isOurs(Loss loss) {
        return loss != null
                && loss.path() != null
                && loss.path().matches("/(?!(apiVersion|kind)(/|$)).+")
                && (!loss.path().startsWith("/metadata")
                        || loss.path().matches("/metadata/(labels|annotations)(/.*)?"));
    }

    /**
     * An object that has just come back, mended; itself where there is nothing to mend.
     *
     * @throws RuntimeException when this is not our own work, and does not fit
     */
    ObjectNode giveBackTo(ObjectNode object) {
        if (losses.isEmpty() || !losses.stream().allMatch(loss -> loss.isIn(object))) {
            return object;
        }
        ObjectNode mended = object.deepCopy();
        losses.forEach(loss -> loss.mend(mended));
        return mended;
    }

    /** Leaves it with an object, for a version. */
    void putOn(ObjectNode object, String version) {
        if (!losses.isEmpty()) {
            object.withObject("/metadata").withObject("/annotations").put(PREFIX + version, text());
        }
    }

    private String text() {
        try {
            return JSON.writeValueAsString(losses);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("JSON that cannot be written: " + losses, e);
        }
    }
}
