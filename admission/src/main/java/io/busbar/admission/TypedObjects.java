package io.busbar.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.conversion.Misfit;
import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Raw objects to those of one type and back, with the settings of the Kubernetes client; fields that the type does not
 * know are passed over.
 *
 * <p>Any thread.
 */
final class TypedObjects<T extends HasMetadata> {

    private static final ObjectMapper MAPPER = clientMapper();

    private final Class<T> type;
    private final ResourceType resource;

    TypedObjects(Class<T> type) {
        this.type = type;
        this.resource = ResourceType.of(type);
    }

    private static ObjectMapper clientMapper() {
        ObjectMapper mapper = new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        // Called for what its constructor does: it registers the client's modules and settings with the mapper.
        KubernetesSerialization unused = new KubernetesSerialization(mapper, false);
        return mapper;
    }

    T decode(ObjectNode raw, AdmissionRequest request) throws UndecodableObjectException {
        String apiVersion = raw.path("apiVersion").asText("");
        String kind = raw.path("kind").asText("");
        if (!kind.equals(resource.kind()) || !apiVersion.equals(resource.apiVersion())) {
            throw new UndecodableObjectException(new AdmissionDecision.Denied(
                    400,
                    "BadRequest",
                    "expected an object of kind " + resource.kind() + " in " + resource.apiVersion() + ", got kind '"
                            + kind + "' in '" + apiVersion + "'",
                    List.of(),
                    List.of()));
        }
        try {
            return MAPPER.treeToValue(raw, type);
        } catch (JsonProcessingException e) {
            throw new UndecodableObjectException(invalid(request, List.of(problem(raw, e)), List.of()));
        } catch (IllegalArgumentException e) {
            // Thrown by setters and constructors of the model.
            String reason = String.valueOf(e.getMessage());
            throw new UndecodableObjectException(
                    invalid(request, List.of(FieldProblem.invalid("", "", reason)), List.of()));
        }
    }

    JsonNode encode(T object) {
        return MAPPER.valueToTree(object);
    }

    /** {@code Kind.group "name" is invalid: …}, as apimachinery's {@code errors.NewInvalid} has it. */
    AdmissionDecision.Denied invalid(AdmissionRequest request, List<FieldProblem> problems, List<String> warnings) {
        return invalid(request, new Verdict(problems, warnings));
    }

    AdmissionDecision.Denied invalid(AdmissionRequest request, Verdict verdict) {
        List<FieldProblem> problems = verdict.problems();
        String kind = resource.group().isEmpty() ? resource.kind() : resource.kind() + "." + resource.group();
        String all = problems.stream().map(FieldProblem::toString).distinct().collect(Collectors.joining(", "));
        String message =
                kind + " \"" + request.name() + "\" is invalid: " + (problems.size() == 1 ? all : "[" + all + "]");
        return new AdmissionDecision.Denied(422, "Invalid", message, problems, verdict.warnings(), verdict.audit());
    }

    private static FieldProblem problem(ObjectNode raw, JsonProcessingException failure) {
        Misfit misfit = Misfit.of(raw, failure);
        return FieldProblem.invalid(misfit.path(), misfit.value(), misfit.reason());
    }
}
