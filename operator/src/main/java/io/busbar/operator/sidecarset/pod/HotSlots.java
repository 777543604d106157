package io.busbar.operator.sidecarset.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;

/**
 * The two containers that a sidecar of a hot upgrade has in a Pod: one works, the other idles on an empty image until
 * the next version comes into it.
 *
 * <p>Immutable. Source of the names and annotations: OpenKruise.
 *
 * @param sidecar its name in the set
 */
public record HotSlots(String sidecar) {

    /**
     * Prefix of annotations: the version that runs in a slot; {@code 0} for none, {@code 1} for the one that was
     * injected.
     */
    public static final String VERSION_PREFIX = "version.sidecarset.kruise.io/";

    /** Prefix of annotations: the version that runs in the slot beside. */
    public static final String OTHER_VERSION_PREFIX = "versionalt.sidecarset.kruise.io/";

    public String first() {
        return sidecar + "-1";
    }

    public String second() {
        return sidecar + "-2";
    }

    public List<String> both() {
        return List.of(first(), second());
    }

    public String beside(String slot) {
        return slot.equals(first()) ? second() : first();
    }

    /**
     * Which one works, by {@link PodAnnotations#WORKING_SLOTS}; the second where that says nothing, as in OpenKruise.
     */
    public String working(SetEntries annotation) {
        String named = annotation.entry(sidecar).map(JsonNode::asText).orElse("");
        return named.equals(first()) ? first() : second();
    }

    /** The annotation, with this slot as the one that works. */
    public SetEntries with(SetEntries annotation, String slot) {
        return annotation.with(sidecar, TextNode.valueOf(slot));
    }

    /** Name of the annotation with a slot's version. */
    public static String version(String slot) {
        return VERSION_PREFIX + slot;
    }

    /** Name of the annotation with the version of the slot beside. */
    public static String otherVersion(String slot) {
        return OTHER_VERSION_PREFIX + slot;
    }
}
