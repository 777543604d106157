package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * How old passwords are.
 *
 * <p>Immutable.
 *
 * @param rotatedAt since when the Secret has the passwords that it has, in RFC 3339
 * @param nextTime when they are changed next by schedule, in RFC 3339
 * @param answered the value of the annotation {@code rotate-passwords} that was answered last
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record RotationStatus(
        @Nullable String rotatedAt,
        @Nullable String nextTime,
        @Nullable String answered) {}
