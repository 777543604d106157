package io.busbar.operator.sidecarset.history;

import org.jspecify.annotations.Nullable;

/**
 * The revision that holds a set's present spec. Immutable.
 *
 * @param name of the ControllerRevision
 * @param collisionCount how often a name was taken by another spec; null for never
 */
public record RegisteredRevision(String name, @Nullable Integer collisionCount) {}
