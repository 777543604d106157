package io.busbar.operator.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.common.ResourceType;
import io.busbar.common.api.ApiCall;
import io.busbar.manifests.crd.Converted;
import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.bundled.DeclaredParts;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Remembers what a client was allowed, and what it was not. Any thread. */
final class ApiCalls implements Interceptor {

    private static final int CREATED = 201;
    private static final int FORBIDDEN = 403;

    private final Map<String, ResourceType> owners;
    private final Set<ApiCall> allowed = ConcurrentHashMap.newKeySet();
    private final Set<ApiCall> refused = ConcurrentHashMap.newKeySet();

    /**
     * @param owners the kinds whose objects own others
     */
    private ApiCalls(Collection<ResourceType> owners) {
        this.owners = owners.stream().collect(Collectors.toMap(ResourceType::kind, Function.identity()));
    }

    /** Knows the kinds that it looks after. */
    static ApiCalls ofTheOperator() {
        return new ApiCalls(Bundled.operator().bundles().stream()
                .flatMap(bundle -> DeclaredParts.of(bundle).types().stream())
                .filter(type -> !type.isAnnotationPresent(Converted.class))
                .map(ResourceType::of)
                .toList());
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        ApiCall.of(request.method(), request.uri()).ifPresent(call -> {
            if (response.code() == FORBIDDEN) {
                refused.add(call);
            } else if (response.isSuccessful()) {
                allowed.add(call);
                if (call.verb().equals("watch")) {
                    // What a watch begins with is listed where the API server does not stream it.
                    allowed.add(call.as("list"));
                }
                if (call.verb().equals("patch") && response.code() == CREATED) {
                    allowed.add(call.as("create"));
                }
                if (request.bodyString() != null) {
                    owners(call, request.bodyString());
                }
            }
        });
    }

    Set<ApiCall> allowed() {
        return Set.copyOf(allowed);
    }

    Set<ApiCall> refused() {
        return Set.copyOf(refused);
    }

    private void owners(ApiCall call, String body) {
        for (JsonNode reference : Serialization.unmarshal(body, JsonNode.class).at("/metadata/ownerReferences")) {
            ResourceType owner = owners.get(reference.path("kind").asText());
            if (owner != null && reference.path("blockOwnerDeletion").asBoolean()) {
                String namespace = owner.namespaced() ? call.namespace() : "";
                allowed.add(toBlockDeletionOf(
                        owner, namespace, reference.path("name").asText()));
            }
        }
    }

    /** What an owner reference that blocks the owner's deletion asks for, without a request of its own. */
    private static ApiCall toBlockDeletionOf(ResourceType owner, String namespace, String name) {
        return new ApiCall("update", owner.group(), owner.plural() + "/finalizers", namespace, name);
    }
}
