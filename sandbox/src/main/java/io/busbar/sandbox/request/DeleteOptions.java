package io.busbar.sandbox.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.syntax.GoText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * How to delete.
 *
 * <p>Immutable.
 *
 * @param gracePeriod in seconds; empty for the object's own
 * @param policy {@code Background}, {@code Foreground} or {@code Orphan}; empty for the kind's default
 * @param dryRun whether everything is done but the deletion itself
 * @param cascades whether the old {@code orphanDependents} was false, to which the answer's code is another one
 * @param asked what the client said, as webhooks are told; not to be changed
 */
public record DeleteOptions(
        OptionalLong gracePeriod,
        Preconditions preconditions,
        Optional<String> policy,
        boolean dryRun,
        boolean cascades,
        ObjectNode asked) {

    private record Shape(Predicate<JsonNode> fits, String goType) {}

    private static final Map<String, Shape> SHAPES = Map.of(
            "gracePeriodSeconds", new Shape(JsonNode::isIntegralNumber, "int64"),
            "orphanDependents", new Shape(JsonNode::isBoolean, "bool"),
            "propagationPolicy", new Shape(JsonNode::isTextual, "v1.DeletionPropagation"),
            "preconditions", new Shape(JsonNode::isObject, "v1.Preconditions"),
            "dryRun", new Shape(JsonNode::isArray, "[]string"));

    public static final DeleteOptions DEFAULT = of(JsonNodeFactory.instance.objectNode());

    /**
     * Reads the body of a request.
     *
     * @throws StatusException 422 when a value is not allowed, 400 for what is none of these options
     */
    public static DeleteOptions read(JsonNode body) {
        if (!body.isObject() && !body.isNull()) {
            throw StatusException.badRequest(
                    "couldn't get version/kind; json parse error: " + GoText.unmarshalable(body));
        }
        String kind = body.path("kind").asText("");
        String version = body.path("apiVersion").asText("");
        if (kind.equals("Status") && version.equals("v1")) {
            throw StatusException.badRequest("converting (v1.Status) to (v1.DeleteOptions): unknown conversion");
        }
        if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
            throw StatusException.badRequest("no kind \"" + kind + "\" is registered for version \"" + version
                    + "\" in scheme \"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27\"");
        }
        SHAPES.forEach((field, shape) -> {
            JsonNode value = body.path(field);
            if (!value.isMissingNode() && !value.isNull() && !shape.fits().test(value)) {
                throw StatusException.badRequest("json: cannot unmarshal " + goType(value)
                        + " into Go struct field DeleteOptions." + field + " of type " + shape.goType());
            }
        });
        return of(body);
    }

    private static String goType(JsonNode value) {
        return switch (value.getNodeType()) {
            case BOOLEAN -> "bool";
            case NUMBER -> value.isIntegralNumber() ? "number" : "number " + value.asText();
            default -> value.getNodeType().name().toLowerCase(Locale.ROOT);
        };
    }

    /** @throws StatusException 422 when a value is not allowed */
    public static DeleteOptions of(JsonNode body) {
        List<FieldCause> causes = new ArrayList<>();
        JsonNode policy = body.path("propagationPolicy");
        JsonNode orphan = body.path("orphanDependents");
        if (policy.isTextual() && orphan.isBoolean()) {
            causes.add(FieldCause.invalid(
                    "propagationPolicy",
                    "\"" + policy.asText() + "\"",
                    "orphanDependents and deletionPropagation cannot be both set"));
        }
        if (policy.isTextual() && !List.of("Background", "Foreground", "Orphan").contains(policy.asText())) {
            causes.add(FieldCause.unsupported(
                    "propagationPolicy",
                    "\"" + policy.asText() + "\"",
                    "\"Foreground\", \"Background\", \"Orphan\", \"nil\""));
        }
        JsonNode dryRun = body.path("dryRun");
        for (JsonNode stage : dryRun) {
            if (!stage.asText().equals("All")) {
                causes.add(FieldCause.unsupported("dryRun", dryRun.toString(), "\"All\""));
                break;
            }
        }
        if (!causes.isEmpty()) {
            throw StatusException.invalid("meta.k8s.io", "DeleteOptions", "", causes);
        }
        JsonNode grace = body.path("gracePeriodSeconds");
        Optional<String> old =
                orphan.isBoolean() ? Optional.of(orphan.asBoolean() ? "Orphan" : "Background") : Optional.empty();
        return new DeleteOptions(
                // Of a time that is none the real server makes a second.
                grace.isNumber() ? OptionalLong.of(grace.asLong() < 0 ? 1 : grace.asLong()) : OptionalLong.empty(),
                new Preconditions(
                        body.path("preconditions").path("uid").asText(""),
                        body.path("preconditions").path("resourceVersion").asText("")),
                policy.isTextual() ? Optional.of(policy.asText()) : old,
                !dryRun.isEmpty(),
                orphan.isBoolean() && !orphan.asBoolean(),
                asked(body));
    }

    /** The same, for an object that was found to be the one that is meant. */
    public DeleteOptions unconditional() {
        return new DeleteOptions(gracePeriod, Preconditions.NONE, policy, dryRun, cascades, asked);
    }

    private static ObjectNode asked(JsonNode body) {
        ObjectNode asked = JsonNodeFactory.instance.objectNode();
        SHAPES.keySet().stream()
                .filter(field -> body.hasNonNull(field) && !field.equals("dryRun"))
                .forEach(field -> asked.set(field, body.get(field)));
        return asked;
    }
}
