package io.busbar.blueprint.check;

import io.busbar.blueprint.source.Place;
import io.busbar.cel.Expression;

/**
 * An expression of a Blueprint that has been checked.
 *
 * <p>Any thread.
 *
 * @param text as it is written, without {@code ${}}
 */
public record Formula(String text, Place place, Expression expression) {}
