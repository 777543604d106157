package io.busbar.sandbox.http;

import io.busbar.sandbox.faults.FaultPlan;
import io.busbar.sandbox.faults.Lags;
import java.time.Duration;

/**
 * What the HTTP side has to know.
 *
 * <p>Immutable, but for the log.
 *
 * @param version reported, such as {@code v1.36.2}
 * @param bookmarks how often a watch gets a bookmark, when it wants any
 * @param faults asked about each request for a resource
 * @param lags asked about each get, list and first state of a watch
 * @param requests told of each answer
 * @param sharding whether lists and watches can be of ranges of objects
 * @param managedFieldsOptOut whether answers come without managedFields to who asks for that
 */
public record HttpSettings(
        String version,
        Duration bookmarks,
        FaultPlan faults,
        Lags lags,
        RequestLog requests,
        boolean sharding,
        boolean managedFieldsOptOut) {

    /** What is reported unless another is asked for. */
    public static final String VERSION = "v1.36.2";

    ServerVersion serverVersion() {
        return new ServerVersion(version);
    }
}
