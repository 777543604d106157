package io.busbar.blueprint.operator;

import java.time.Duration;

/**
 * How often a Blueprint is looked at where no watch tells of a change. Immutable.
 *
 * @param atStart of one that waits for something before it runs
 * @param atInstances of one that does not run, or is not to break its instances; the shortest pause between two looks
 *     at these
 */
record Looks(Duration atStart, Duration atInstances) {

    static final Looks USUAL = new Looks(Duration.ofSeconds(5), Duration.ofSeconds(30));
}
