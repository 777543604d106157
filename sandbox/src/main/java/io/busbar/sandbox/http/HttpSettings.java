package io.busbar.sandbox.http;

import io.busbar.sandbox.faults.FaultPlan;
import java.time.Duration;

/**
 * What the HTTP side has to know.
 *
 * <p>Immutable, but for the log.
 *
 * @param version reported, such as {@code v1.33.1}
 * @param bookmarks how often a watch gets a bookmark, when it wants any
 * @param faults asked about each request for a resource
 * @param requests told of each answer
 */
public record HttpSettings(String version, Duration bookmarks, FaultPlan faults, RequestLog requests) {

    ServerVersion serverVersion() {
        return new ServerVersion(version);
    }
}
