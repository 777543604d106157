package io.busbar.sandbox.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.auth.ServiceAccountTokens.Bound;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.verbs.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Answers TokenRequests, the {@code token} subresource of service accounts.
 *
 * <p>One context.
 */
public final class TokenRequests {

    private static final long DEFAULT_SECONDS = 3600;
    private static final Duration SHORTEST = Duration.ofMinutes(10);
    private static final long LONGEST_SECONDS = 1L << 32;

    private final MemoryStore store;
    private final ServiceAccountTokens tokens;
    private final InstantSource clock;

    public TokenRequests(MemoryStore store, ServiceAccountTokens tokens, InstantSource clock) {
        this.store = store;
        this.tokens = tokens;
        this.clock = clock;
    }

    /**
     * @param request not shared
     * @return the request with its defaults and its status
     * @throws StatusException 404 for an account or an object that is not there, 409, 422
     */
    public ObjectNode answer(Target target, ObjectNode request) {
        ObjectNode account = present(ServiceAccountTokens.ACCOUNTS, target.key());
        ObjectNode spec = request.withObject("/spec");
        if (spec.path("audiences").isEmpty()) {
            spec.putArray("audiences").add(ServiceAccountTokens.AUDIENCE);
        }
        if (!spec.hasNonNull("expirationSeconds")) {
            spec.put("expirationSeconds", DEFAULT_SECONDS);
        }
        checkDuration(spec.path("expirationSeconds"));
        Bound bound = bound(target, spec.path("boundObjectRef"));
        if (bound == null) {
            spec.putNull("boundObjectRef");
        }
        List<String> audiences = new ArrayList<>();
        spec.path("audiences").forEach(audience -> audiences.add(audience.asText()));
        Instant expiry =
                clock.instant().plusSeconds(spec.path("expirationSeconds").asLong());
        request.putObject("metadata")
                .put("name", target.name())
                .put("namespace", target.namespace())
                .put("creationTimestamp", Metadata.time(clock.instant()));
        request.putObject("status")
                .put("token", tokens.issue(account, audiences, expiry, bound))
                .put("expirationTimestamp", Metadata.time(expiry));
        return request;
    }

    private static void checkDuration(JsonNode seconds) {
        Causes causes = new Causes();
        String field = "spec.expirationSeconds";
        if (seconds.asLong() < SHORTEST.toSeconds()) {
            causes.invalid(field, seconds, "may not specify a duration less than 10 minutes");
        }
        if (seconds.asLong() > LONGEST_SECONDS) {
            causes.invalid(field, seconds, "may not specify a duration larger than 2^32 seconds");
        }
        if (!causes.isEmpty()) {
            throw StatusException.invalid("authentication.k8s.io", "TokenRequest", "", causes.list());
        }
    }

    private @Nullable Bound bound(Target target, JsonNode reference) {
        if (!reference.isObject()) {
            return null;
        }
        String kind = reference.path("kind").asText();
        String version = reference.path("apiVersion").asText();
        if (!version.equals("v1") || !List.of("Pod", "Secret", "Node").contains(kind)) {
            throw StatusException.badRequest(
                    "cannot bind token to object of type " + described(version) + ", Kind=" + kind);
        }
        GroupResource resource = GroupResource.core(kind.toLowerCase(Locale.ROOT) + "s");
        String name = reference.path("name").asText();
        ObjectNode object = present(resource, new ObjectKey(kind.equals("Node") ? "" : target.namespace(), name));
        String account = object.path("spec").path("serviceAccountName").asText();
        if (kind.equals("Pod") && !account.equals(target.name())) {
            throw StatusException.badRequest("cannot bind token for serviceaccount \"" + target.name()
                    + "\" to pod running with different serviceaccount name.");
        }
        String uid = Metadata.of(object).uid();
        String wanted = reference.path("uid").asText("");
        if (!wanted.isEmpty() && !wanted.equals(uid)) {
            throw StatusException.conflict(
                    resource,
                    name,
                    "the UID in the bound object reference (" + wanted + ") does not match the UID in record."
                            + " The object might have been deleted and then recreated");
        }
        return new Bound(kind.toLowerCase(Locale.ROOT), resource, name, uid);
    }

    private static String described(String apiVersion) {
        return apiVersion.contains("/") ? apiVersion : "/" + apiVersion;
    }

    private ObjectNode present(GroupResource resource, ObjectKey key) {
        ObjectNode object = store.shelf(resource).get(key);
        if (object == null) {
            throw StatusException.notFound(resource, key.name());
        }
        return object;
    }
}
