package io.busbar.admission.review;

import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionDecision.Denied;
import io.busbar.admission.AdmissionDecision.Patched;
import io.busbar.admission.AuditAnnotations;
import io.busbar.admission.FieldProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Writes the AdmissionReview that answers another.
 *
 * <p>Pure; any thread. A refusal carries a {@code metav1.Status} as the API server would build for a failed validation:
 * details with name, group and kind, and a cause for each field.
 */
public final class ReviewWriter {

    private ReviewWriter() {}

    /** The body of the answer: JSON in UTF-8. */
    public static byte[] write(Review review, AdmissionDecision decision) {
        try (ByteArrayBuilder body = new ByteArrayBuilder(512);
                JsonGenerator json = Json.FACTORY.createGenerator(body)) {
            json.writeStartObject();
            json.writeStringField("kind", "AdmissionReview");
            json.writeStringField("apiVersion", review.apiVersion());
            json.writeObjectFieldStart("response");
            json.writeStringField("uid", review.uid());
            json.writeBooleanField("allowed", !(decision instanceof Denied));
            if (decision instanceof Patched patched && !patched.patch().isEmpty()) {
                json.writeStringField("patchType", "JSONPatch");
                json.writeFieldName("patch");
                patch(json, patched.patch());
            } else if (decision instanceof Denied denied) {
                status(json, review, denied);
            }
            warnings(json, decision.warnings());
            audit(json, decision.audit());
            json.writeEndObject();
            json.writeEndObject();
            json.flush();
            return body.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
    }

    private static void patch(JsonGenerator json, ArrayNode patch) throws IOException {
        try (ByteArrayBuilder operations = new ByteArrayBuilder(2048);
                JsonGenerator inner = Json.TREES.createGenerator(operations)) {
            inner.writeTree(patch);
            inner.flush();
            byte[] bytes = operations.toByteArray();
            json.writeBinary(Base64Variants.MIME_NO_LINEFEEDS, bytes, 0, bytes.length);
        }
    }

    private static void status(JsonGenerator json, Review review, Denied denied) throws IOException {
        json.writeObjectFieldStart("status");
        json.writeStringField("status", "Failure");
        json.writeStringField("message", denied.message());
        json.writeStringField("reason", denied.reason());
        json.writeNumberField("code", denied.code());
        if (!denied.causes().isEmpty()) {
            json.writeObjectFieldStart("details");
            json.writeStringField("name", review.name());
            json.writeStringField("group", review.group());
            json.writeStringField("kind", review.kind());
            json.writeArrayFieldStart("causes");
            for (FieldProblem cause : denied.causes()) {
                cause(json, cause);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void cause(JsonGenerator json, FieldProblem cause) throws IOException {
        json.writeStartObject();
        json.writeStringField("reason", cause.type().causeReason());
        json.writeStringField("message", cause.message());
        json.writeStringField("field", cause.path());
        json.writeEndObject();
    }

    private static void warnings(JsonGenerator json, List<String> warnings) throws IOException {
        if (warnings.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("warnings");
        for (String warning : warnings) {
            json.writeString(oneLine(warning));
        }
        json.writeEndArray();
    }

    private static void audit(JsonGenerator json, AuditAnnotations annotations) throws IOException {
        if (annotations.values().isEmpty()) {
            return;
        }
        json.writeObjectFieldStart("auditAnnotations");
        for (Map.Entry<String, String> annotation : annotations.values().entrySet()) {
            json.writeStringField(annotation.getKey(), annotation.getValue());
        }
        json.writeEndObject();
    }

    /** The API server drops a warning with control characters: it could not be sent in a header. */
    private static String oneLine(String warning) {
        return warning.replaceAll("\\p{Cntrl}+", " ");
    }
}
