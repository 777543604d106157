package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The last change of the primary, or the one under way.
 *
 * <p>Immutable.
 *
 * @param phase how far it has come
 * @param from the Pod of the old primary
 * @param fromUid UID of that Pod, when another one is to replace it, so that one that was made anew since is left
 *     alone
 * @param to the Pod of the next primary, once it is known
 * @param gtid what that one had when it was chosen, as a GTID set
 * @param startedAt when it began, in RFC 3339
 * @param count how many unplanned changes were completed
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record FailoverStatus(
        @Nullable FailoverPhase phase,
        @Nullable String from,
        @Nullable String fromUid,
        @Nullable String to,
        @Nullable String gtid,
        @Nullable String startedAt,
        int count) {

    static final FailoverStatus NONE = none(0);

    /** Nothing is to be done, and nothing is told of the last change but the count. */
    public static FailoverStatus none(int count) {
        return new FailoverStatus(null, null, null, null, null, null, count);
    }

    /** Another phase of the same change. */
    public FailoverStatus at(FailoverPhase next) {
        return new FailoverStatus(next, from, fromUid, to, gtid, startedAt, count);
    }

    /** Whether something is left to be done. */
    public boolean underWay() {
        return phase != null && phase != FailoverPhase.Completed && phase != FailoverPhase.Failed;
    }
}
