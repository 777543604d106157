package io.busbar.blueprint.run;

import io.busbar.blueprint.check.CheckedBlueprint;

/**
 * What a Blueprint is, or was. Immutable.
 *
 * @param number larger for a newer one; 0 where there is no other
 */
public record Revision(long number, CheckedBlueprint blueprint) {}
