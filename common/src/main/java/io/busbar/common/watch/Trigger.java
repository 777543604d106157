package io.busbar.common.watch;

/**
 * Turns changes of one kind into requests to a controller.
 *
 * <p>Immutable.
 *
 * @param controller whose queue gets the keys
 */
public record Trigger<T>(String controller, ChangePredicate<? super T> when, KeyMapping<? super T> mapping) {

    /** Whether spec and status may be missing in the objects that this is shown. */
    public boolean readsMetadataOnly() {
        return when.readsMetadataOnly() && mapping.readsMetadataOnly();
    }
}
