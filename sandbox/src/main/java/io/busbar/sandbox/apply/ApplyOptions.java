package io.busbar.sandbox.apply;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who writes, and how.
 *
 * <p>Immutable.
 *
 * @param manager the field manager: {@code ?fieldManager=}, for other writes than apply else the User-Agent's first
 *     word
 * @param force whether to take fields that others own
 * @param subresource empty for the object itself
 * @param apiVersion the version that the request speaks
 * @param time of the request, written to the second; null for a write whose time is not kept, as those to a scale are
 */
public record ApplyOptions(
        String manager,
        boolean force,
        String subresource,
        String apiVersion,
        @Nullable Instant time) {}
