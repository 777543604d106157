package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * How far the archive of binary logs has come, and what can be restored with it.
 *
 * <p>Immutable.
 *
 * @param position what is archived, as GTIDs
 * @param lastSegment the number of the last binary log in the archive; 0 for none
 * @param lastArchiveTime when all that the primary had executed was last archived, in RFC 3339
 * @param restorableFrom the earliest moment that can be restored, in RFC 3339: the completion of the oldest whole backup
 *     from which on nothing is missing; null while there is none
 * @param restorableTo the time of the last transaction that is archived, in RFC 3339
 * @param since the number of the binary log from which on nothing is missing
 * @param sincePosition what was executed before that one, as GTIDs
 * @param broken why there is something missing before that one: Gap or Fork; null where nothing is, or a backup has been
 *     completed since
 * @param message what is missing, or why archiving failed last
 * @param failedTime since when archiving fails, in RFC 3339; null while it does not
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ArchiveStatus(
        @Nullable String position,
        long lastSegment,
        @Nullable String lastArchiveTime,
        @Nullable String restorableFrom,
        @Nullable String restorableTo,
        long since,
        @Nullable String sincePosition,
        @Nullable String broken,
        @Nullable String message,
        @Nullable String failedTime) {

    /** Before anything was archived. */
    public static final ArchiveStatus NONE = new ArchiveStatus(null, 0, null, null, null, 0, null, null, null, null);

    /**
     * The same after a Job has failed.
     *
     * @param why is told, unless something is missing, which is told first
     * @param time in RFC 3339
     */
    public ArchiveStatus withFailure(String why, String time) {
        return new ArchiveStatus(
                position,
                lastSegment,
                lastArchiveTime,
                restorableFrom,
                restorableTo,
                since,
                sincePosition,
                broken,
                broken == null ? why : message,
                time);
    }

    /**
     * The same with another moment from which on all can be restored; then nothing that was missing before matters.
     *
     * @param earliest in RFC 3339; null while there is none
     */
    public ArchiveStatus withRestorableFrom(@Nullable String earliest) {
        boolean isHealed = earliest != null && broken != null;
        return new ArchiveStatus(
                position,
                lastSegment,
                lastArchiveTime,
                earliest,
                restorableTo,
                since,
                sincePosition,
                isHealed ? null : broken,
                isHealed ? null : message,
                failedTime);
    }
}
