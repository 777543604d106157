package io.busbar.operator.sidecarset.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Expressions for limits and requests. Immutable.
 *
 * @param limits expressions for the limits
 * @param requests expressions for the requests
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ResourceExpressions(
        @Nullable ResourceExpression limits, @Nullable ResourceExpression requests) {}
