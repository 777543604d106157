package io.busbar.sandbox.resource;

import java.util.List;

/**
 * The release of Kubernetes that is imitated, for what differs by release. Immutable.
 *
 * @param minor such as 36
 */
public record Release(int minor) {

    /** @param version such as {@code v1.36.2} */
    public static Release of(String version) {
        List<String> parts = List.of(version.substring(1).split("[.+-]", -1));
        return new Release(parts.size() > 1 ? Integer.parseInt(parts.get(1)) : 0);
    }

    /** Whether this release has what came with another. */
    public boolean since(int other) {
        return minor >= other;
    }
}
