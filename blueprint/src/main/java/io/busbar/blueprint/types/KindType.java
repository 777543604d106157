package io.busbar.blueprint.types;

/**
 * What is known of a kind.
 *
 * <p>Immutable.
 *
 * @param shape of its objects
 * @param plural as in URLs
 */
public record KindType(Shape shape, String plural, boolean namespaced) {}
