package io.busbar.sandbox.http;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A URL path that names a collection, an object or a subresource.
 *
 * <p>Immutable. The forms are those of apiserver's {@code RequestInfo}.
 *
 * @param namespace empty for the cluster scope and for all namespaces
 * @param name empty for a collection
 * @param subresource empty for none; may hold slashes
 * @param watch whether the path has the old {@code /watch/} in it
 */
record RequestPath(
        String group, String version, String namespace, String plural, String name, String subresource, boolean watch) {

    private static final Set<String> OF_NAMESPACES = Set.of("status", "finalize");

    /** Empty for a path that names no resource. */
    static Optional<RequestPath> parse(String path) {
        List<String> parts = List.of(trimmed(path).split("/", -1));
        if (parts.get(0).equals("api") && parts.size() > 2) {
            return Optional.of(parse("", parts.get(1), parts.subList(2, parts.size())));
        }
        if (parts.get(0).equals("apis") && parts.size() > 3) {
            return Optional.of(parse(parts.get(1), parts.get(2), parts.subList(3, parts.size())));
        }
        return Optional.empty();
    }

    private static RequestPath parse(String group, String version, List<String> parts) {
        if (parts.get(0).equals("watch") && parts.size() > 1) {
            RequestPath rest = parse(group, version, parts.subList(1, parts.size()));
            return new RequestPath(group, version, rest.namespace, rest.plural, rest.name, rest.subresource, true);
        }
        if (parts.get(0).equals("namespaces") && parts.size() > 2 && !OF_NAMESPACES.contains(parts.get(2))) {
            return named(group, version, parts.get(1), parts.subList(2, parts.size()));
        }
        return named(group, version, "", parts);
    }

    private static RequestPath named(String group, String version, String namespace, List<String> parts) {
        return new RequestPath(
                group,
                version,
                namespace,
                parts.get(0),
                parts.size() > 1 ? parts.get(1) : "",
                parts.size() > 2 ? String.join("/", parts.subList(2, parts.size())) : "",
                false);
    }

    private static String trimmed(String path) {
        int end = path.endsWith("/") ? path.length() - 1 : path.length();
        return path.substring(Math.min(1, end), end);
    }
}
