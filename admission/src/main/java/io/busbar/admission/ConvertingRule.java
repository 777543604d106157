package io.busbar.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionDecision.Allowed;
import io.busbar.admission.AdmissionDecision.Denied;
import io.busbar.admission.AdmissionDecision.Patched;
import io.busbar.admission.conversion.UnconvertibleException;
import io.busbar.admission.conversion.Versions;
import io.busbar.admission.patch.JsonPatch;
import io.busbar.admission.patch.Overlay;
import io.busbar.admission.review.MalformedReviewException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lets a rule that reads some versions of a kind answer in all of them. Any thread, if the rule is. */
final class ConvertingRule implements AdmissionRule {

    private final Versions<?> versions;
    private final List<String> read;
    private final AdmissionRule rule;
    /** To which objects are converted that the rule does not read. */
    private final String target;

    /**
     * @throws IllegalArgumentException when the rule reads none of the versions
     */
    ConvertingRule(Versions<?> versions, List<String> read, AdmissionRule rule) {
        this.versions = versions;
        this.read = List.copyOf(read);
        this.rule = rule;
        this.target = versions.names().stream()
                .filter(read::contains)
                .findFirst()
                .map(this::apiVersion)
                .orElseThrow(() -> new IllegalArgumentException("versions that a rule about " + versions.resource()
                        + " reads: " + read + "; allowed: one or more of " + versions.names()));
    }

    @Override
    public AdmissionDecision review(AdmissionRequest request) {
        ObjectNode object = present(request);
        if (object == null || !isToBeConverted(object)) {
            return rule.review(request);
        }
        try {
            ConvertedRequest converted = new ConvertedRequest(request, versions, target);
            AdmissionDecision decision = rule.review(converted);
            return decision instanceof Patched patched ? back(request, converted, patched) : decision;
        } catch (UnconvertibleException e) {
            return request.operation() == AdmissionRequest.Operation.DELETE || MetadataChange.isAll(request)
                    ? new Allowed(List.of("not looked at: " + e.getMessage()))
                    : new Denied(422, "Invalid", String.valueOf(e.getMessage()), List.of(), List.of());
        }
    }

    /** On a young JVM the first conversion takes some hundred milliseconds. */
    @Override
    public boolean isLong() {
        return true;
    }

    /** What a delete is about is what is stored. */
    private static @Nullable ObjectNode present(AdmissionRequest request) {
        ObjectNode object = request.object();
        try {
            return object == null ? request.oldObject() : object;
        } catch (MalformedReviewException unreadable) {
            return null; // for the rule to say
        }
    }

    private boolean isToBeConverted(ObjectNode object) {
        String apiVersion = object.path("apiVersion").asText();
        return object.path("kind").asText().equals(versions.resource().kind())
                && versions.names().stream()
                        .filter(version -> !read.contains(version))
                        .anyMatch(version -> apiVersion(version).equals(apiVersion));
    }

    private String apiVersion(String version) {
        String group = versions.resource().group();
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** The same changes on the object as it came. */
    private AdmissionDecision back(AdmissionRequest request, ConvertedRequest converted, Patched patched)
            throws UnconvertibleException {
        ObjectNode asked = converted.object();
        ObjectNode raw = request.object();
        if (asked == null || raw == null) {
            return patched; // what is not there can't be changed: the API server says so
        }
        JsonNode changed = io.fabric8.zjsonpatch.JsonPatch.apply(patched.patch(), asked);
        String apiVersion = raw.path("apiVersion").asText();
        ObjectNode before = versions.convert(asked, apiVersion);
        ObjectNode after = versions.convert((ObjectNode) changed, apiVersion);
        ArrayNode patch = JsonPatch.diff(raw, Overlay.apply(raw, before, after));
        return patch.isEmpty()
                ? new Allowed(patched.warnings(), patched.audit())
                : new Patched(patch, patched.warnings(), patched.audit());
    }
}
