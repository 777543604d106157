package io.busbar.operator.sidecarset.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Expressions such as {@code max(cpu*50%, 50m)}. Immutable.
 *
 * @param cpu expression for the CPU
 * @param memory expression for the memory
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ResourceExpression(
        @Nullable String cpu, @Nullable String memory) {}
