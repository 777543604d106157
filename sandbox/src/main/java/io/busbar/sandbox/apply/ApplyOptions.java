package io.busbar.sandbox.apply;

import java.time.Instant;

/**
 * Who writes, and how.
 *
 * <p>Immutable.
 *
 * @param manager the field manager: {@code ?fieldManager=}, for other writes than apply else the User-Agent's first word
 * @param force whether to take fields that others own
 * @param subresource empty for the object itself
 * @param apiVersion the version that the request speaks
 * @param time of the request; written to the second
 */
public record ApplyOptions(String manager, boolean force, String subresource, String apiVersion, Instant time) {}
