package io.busbar.common.api;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a request asks to be allowed, in the words of roles.
 *
 * <p>Immutable. Source: the API server's request info resolver.
 *
 * @param namespace empty for cluster-scoped objects, and for all namespaces
 * @param resource with its subresource, such as {@code pods/status}
 * @param name empty where the request names no object
 */
public record ApiCall(String verb, String group, String resource, String namespace, String name) {

    private static final Pattern ONE_NAME =
            Pattern.compile("(?:^|&)fieldSelector=metadata\\.name={1,2}([^,=&]+)(?:&|$)");

    /** Empty for what is not about resources, such as discovery and OpenAPI. */
    public static Optional<ApiCall> of(String method, URI uri) {
        List<String> path = Arrays.stream(uri.getPath().split("/"))
                .filter(part -> !part.isEmpty())
                .toList();
        boolean core = !path.isEmpty() && path.get(0).equals("api");
        boolean resources = core || (!path.isEmpty() && path.get(0).equals("apis"));
        int version = core ? 1 : 2;
        if (!resources || path.size() <= version + 1) {
            return Optional.empty();
        }
        String group = core ? "" : path.get(1);
        List<String> rest = path.subList(version + 1, path.size());
        boolean namespaced = rest.get(0).equals("namespaces") && rest.size() > 2;
        String namespace = namespaced ? rest.get(1) : "";
        List<String> object = namespaced ? rest.subList(2, rest.size()) : rest;
        String name = object.size() > 1 ? object.get(1) : "";
        String resource = object.size() > 2 ? object.get(0) + "/" + object.get(2) : object.get(0);
        String selected = name.isEmpty() ? selectedName(uri) : name;
        return Optional.of(new ApiCall(verb(method, uri, name), group, resource, namespace, selected));
    }

    /** A list or a watch of one object by its name may be allowed by that name. */
    private static String selectedName(URI uri) {
        Matcher selector = ONE_NAME.matcher(uri.getQuery() == null ? "" : uri.getQuery());
        return selector.find() ? selector.group(1) : "";
    }

    /** {@code plural.group}, or {@code plural} alone in the core group, whatever the subresource. */
    public String type() {
        int slash = resource.indexOf('/');
        String plural = slash < 0 ? resource : resource.substring(0, slash);
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /** The same object, another verb. */
    public ApiCall as(String other) {
        return new ApiCall(other, group, resource, namespace, name);
    }

    private static String verb(String method, URI uri, String name) {
        return switch (method) {
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> name.isEmpty() ? "deletecollection" : "delete";
            default -> read(uri, name);
        };
    }

    private static String read(URI uri, String name) {
        String query = uri.getQuery() == null ? "" : uri.getQuery();
        if (query.contains("watch=true")) {
            return "watch";
        }
        return name.isEmpty() ? "list" : "get";
    }
}
