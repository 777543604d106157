package io.busbar.sandbox.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.storage.MemoryStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the objects that bindings give their policies as parameters.
 *
 * <p>One context.
 *
 * @param catalog of the kinds that can be some
 */
record Parameters(MemoryStore store, Catalog catalog) {

    /** A policy or a binding that cannot be followed. */
    static final class MisconfiguredException extends RuntimeException {

        private static final long serialVersionUID = 1;

        MisconfiguredException(String message) {
            super(message, null, false, false);
        }
    }

    /** Of a policy that has some; empty when there is no such kind. */
    Optional<Resource> kind(JsonNode paramKind) {
        String apiVersion = paramKind.path("apiVersion").asText();
        int slash = apiVersion.indexOf('/');
        return catalog
                .resources(slash < 0 ? "" : apiVersion.substring(0, slash), apiVersion.substring(slash + 1))
                .stream()
                .filter(resource ->
                        resource.type().kind().equals(paramKind.path("kind").asText()))
                .findFirst();
    }

    /**
     * Each of which the policy is asked with; a null node for none. Empty when there are none and that is no matter.
     *
     * @param namespace of the write
     * @return fails with a {@link MisconfiguredException}
     */
    Future<List<JsonNode>> find(Policy policy, JsonNode reference, String namespace) {
        if (!policy.paramKind().isObject() || !reference.isObject()) {
            return Future.succeededFuture(List.of(JsonNodeFactory.instance.nullNode()));
        }
        Resource resource = kind(policy.paramKind()).orElseThrow();
        String within = reference.path("namespace").asText();
        if (resource.type().namespaced() && within.isEmpty()) {
            within = namespace;
            if (namespace.isEmpty()) {
                return failed("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
            }
        } else if (!resource.type().namespaced() && !within.isEmpty()) {
            return failed("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
        }
        List<ObjectNode> found = found(resource, reference, within);
        if (found.isEmpty()
                && reference.path("parameterNotFoundAction").asText().equals("Deny")) {
            return failed("no params found for policy binding with `Deny` parameterNotFoundAction");
        }
        List<Future<ObjectNode>> served = new ArrayList<>();
        found.forEach(object -> served.add(resource.conversion().toServed(object)));
        return Future.all(new ArrayList<Future<?>>(served))
                .map(all -> served.stream()
                        .<JsonNode>map(object -> typed(resource, object.result()))
                        .toList());
    }

    private List<ObjectNode> found(Resource resource, JsonNode reference, String namespace) {
        String name = reference.path("name").asText();
        if (name.isEmpty()) {
            LabelSelector selector = LabelSelector.of(reference.path("selector"));
            return store.shelf(resource.storage()).objects(namespace).values().stream()
                    .filter(object -> selector.matches(object.at("/metadata/labels")))
                    .toList();
        }
        ObjectNode one = store.shelf(resource.storage()).get(new ObjectKey(namespace, name));
        return one == null ? List.of() : List.of(one);
    }

    private static ObjectNode typed(Resource resource, ObjectNode object) {
        ObjectNode typed = object.deepCopy();
        return typed.put("kind", resource.type().kind())
                .put("apiVersion", resource.type().apiVersion());
    }

    private static <T> Future<T> failed(String words) {
        return Future.failedFuture(new MisconfiguredException(words));
    }
}
