package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * One member, as it was seen last.
 *
 * <p>Immutable.
 *
 * @param name of its Pod
 * @param gtid what it has applied; not newer than half a minute
 * @param lagSeconds behind the primary; none while that is not known
 * @param ioRunning whether it receives
 * @param sqlRunning whether it applies
 * @param lastError why it does not, or cannot be reached
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MemberStatus(
        String name,
        MemberRole role,
        boolean readOnly,
        @Nullable String gtid,
        @Nullable Long lagSeconds,
        boolean ioRunning,
        boolean sqlRunning,
        @Nullable String lastError) {}
