package io.busbar.sandbox.http;

import java.time.Duration;

/**
 * What the HTTP side has to know.
 *
 * <p>Immutable.
 *
 * @param version reported, such as {@code v1.33.1}
 * @param bookmarks how often a watch gets a bookmark, when it wants any
 */
public record HttpSettings(String version, Duration bookmarks) {

    ServerVersion serverVersion() {
        return new ServerVersion(version);
    }
}
