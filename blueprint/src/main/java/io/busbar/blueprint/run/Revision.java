package io.busbar.blueprint.run;

import io.busbar.blueprint.check.CheckedBlueprint;

/**
 * What a Blueprint is, or was. Immutable.
 *
 * @param name that of its ControllerRevision: one that is the same again has the same name; empty where there is none
 */
public record Revision(String name, CheckedBlueprint blueprint) {}
