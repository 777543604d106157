package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What a deletion left.
 *
 * <p>Immutable; the object is shared.
 *
 * @param object as it is now, or as it was last
 * @param gone false when it waits for its finalizers or its grace period
 */
public record Deleted(ObjectNode object, boolean gone) {}
