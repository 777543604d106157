package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What a write left.
 *
 * <p>Immutable; the object is shared.
 *
 * @param created whether it was not there before
 */
public record Written(ObjectNode object, boolean created) {}
