package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * One member, as it was seen last.
 *
 * <p>Immutable.
 *
 * @param name name of its Pod
 * @param role what it is in the cluster
 * @param readOnly whether it refuses writes
 * @param gtid what it has applied, as a GTID set; not newer than half a minute
 * @param lagSeconds by how many seconds it is behind the primary; none while that is not known
 * @param ioRunning whether it receives what the primary writes
 * @param sqlRunning whether it applies what it has received
 * @param lastError why it does not follow, or cannot be reached
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
