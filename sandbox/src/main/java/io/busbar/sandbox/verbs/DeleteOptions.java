package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How to delete.
 *
 * <p>Immutable.
 *
 * @param gracePeriod in seconds; empty for the object's own
 * @param policy {@code Background}, {@code Foreground} or {@code Orphan}; empty for the kind's default
 */
public record DeleteOptions(OptionalLong gracePeriod, Preconditions preconditions, Optional<String> policy) {

    public static final DeleteOptions DEFAULT =
            new DeleteOptions(OptionalLong.empty(), Preconditions.NONE, Optional.empty());

    /**
     * Reads the body of a request.
     *
     * @throws StatusException 422 when a value is not allowed, 500 for what is none of these options, as the real server answers
     */
    public static DeleteOptions read(JsonNode body) {
        String kind = body.path("kind").asText("");
        if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
            throw new StatusException(
                    500,
                    "",
                    "no kind \"" + kind + "\" is registered for version \""
                            + body.path("apiVersion").asText("")
                            + "\" in scheme \"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27\"",
                    null);
        }
        JsonNode grace = body.path("gracePeriodSeconds");
        if (!grace.isMissingNode() && !grace.isNull() && !grace.isIntegralNumber()) {
            throw new StatusException(
                    500,
                    "",
                    "json: cannot unmarshal " + (grace.isTextual() ? "string" : "value")
                            + " into Go struct field DeleteOptions.gracePeriodSeconds of type int64",
                    null);
        }
        return of(body);
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
        if (!causes.isEmpty()) {
            throw StatusException.invalid("meta.k8s.io", "DeleteOptions", "", causes);
        }
        return new DeleteOptions(
                body.path("gracePeriodSeconds").isNumber()
                        ? OptionalLong.of(body.path("gracePeriodSeconds").asLong())
                        : OptionalLong.empty(),
                new Preconditions(
                        body.path("preconditions").path("uid").asText(""),
                        body.path("preconditions").path("resourceVersion").asText("")),
                policy.isTextual()
                        ? Optional.of(policy.asText())
                        : orphan.asBoolean(false) ? Optional.of("Orphan") : Optional.empty());
    }
}
