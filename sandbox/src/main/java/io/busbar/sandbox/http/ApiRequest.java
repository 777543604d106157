package io.busbar.sandbox.http;

import java.time.Instant;

/**
 * A request as it was answered, for people who wonder what happened.
 *
 * <p>Immutable.
 *
 * @param at when the answer, or a watch, began, by the cluster's clock
 * @param uri with its query
 * @param id as in the answer's {@code Audit-Id} header, and in the log when it failed
 */
public record ApiRequest(Instant at, String method, String uri, int status, String userAgent, String id) {

    @Override
    public String toString() {
        return at + " " + method + " " + uri + " " + status + " (" + userAgent + ")";
    }
}
