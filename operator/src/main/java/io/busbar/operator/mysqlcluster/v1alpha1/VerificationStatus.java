package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What has come of loading a backup into a server of its own.
 *
 * <p>Immutable.
 *
 * @param phase Pending, Running, Verified or Failed
 * @param request the annotation that asked for it
 * @param time when it ended, in RFC 3339
 * @param message what came of it, or what it waits for, for people
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record VerificationStatus(
        String phase,
        String request,
        @Nullable String time,
        @Nullable String message) {}
