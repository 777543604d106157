package io.busbar.operator.sidecarset.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.operator.sidecarset.v1beta1.ResourceExpression;
import io.busbar.operator.sidecarset.v1beta1.ResourcesPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A sidecar's resources, worked out from those of the Pod's own containers.
 *
 * <p>Immutable. Source of the rules: OpenKruise.
 *
 * @param names which containers count
 * @param mode {@link ResourcesPolicy#SUM} or {@link ResourcesPolicy#MAX}
 */
public record DerivedResources(
        Pattern names,
        String mode,
        @Nullable ResourceExpression limits,
        @Nullable ResourceExpression requests) {

    private static final String CPU = "cpu";
    private static final String MEMORY = "memory";

    /**
     * @throws IllegalArgumentException when the expression for names is none
     */
    public static DerivedResources of(ResourcesPolicy policy) {
        String names = policy.targetContainersNameRegex();
        return new DerivedResources(
                Pattern.compile(names == null ? ".*" : names),
                policy.targetContainersMode(),
                policy.resourcesExpr().limits(),
                policy.resourcesExpr().requests());
    }

    /**
     * The value for a container's {@code resources}.
     *
     * @param own the Pod's containers and native sidecars, without those that are injected
     * @throws IllegalArgumentException when no container counts, or an expression has no result for them
     */
    public ObjectNode from(List<JsonNode> own) {
        List<JsonNode> counted = own.stream()
                .filter(container ->
                        names.matcher(container.path("name").asText()).find())
                .toList();
        if (counted.isEmpty()) {
            throw new IllegalArgumentException("no containers match the regex pattern \"" + names + "\"");
        }
        ObjectNode resources = JsonNodeFactory.instance.objectNode();
        for (String resource : List.of(CPU, MEMORY)) {
            of(limits, resource)
                    .ifPresent(expression -> ContainerTotals.limit(counted, resource, mode)
                            .ifPresent(total -> resources
                                    .withObjectProperty("limits")
                                    .put(resource, calculated(expression, resource, total))));
            of(requests, resource)
                    .ifPresent(expression -> resources
                            .withObjectProperty("requests")
                            .put(
                                    resource,
                                    calculated(
                                            expression, resource, ContainerTotals.request(counted, resource, mode))));
        }
        return resources;
    }

    private static Optional<String> of(@Nullable ResourceExpression expressions, String resource) {
        String expression =
                expressions == null ? null : resource.equals(CPU) ? expressions.cpu() : expressions.memory();
        return Optional.ofNullable(expression).filter(text -> !text.isEmpty());
    }

    /** A bare number is of cores, or of whole bytes. */
    private static String calculated(String expression, String resource, Amount total) {
        Amount result = Calculator.calculate(expression, Map.of(resource, total));
        return result instanceof Amount.Bare bare && resource.equals(MEMORY)
                ? new Amount.Bare(Math.floor(bare.value())).text()
                : result.text();
    }
}
