package io.busbar.sandbox.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.auth.ServiceAccountTokens.Bound;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.resource.Release;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.syntax.GoText;
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

    private static final GroupResource KIND = new GroupResource("authentication.k8s.io", "TokenRequest");
    /** The release whose requests name the account they are for in full. */
    private static final int NAMES_ACCOUNT = 34;

    private static final long DEFAULT_SECONDS = 3600;
    private static final Duration SHORTEST = Duration.ofMinutes(10);
    private static final long LONGEST_SECONDS = 1L << 32;

    private final MemoryStore store;
    private final ServiceAccountTokens tokens;
    private final InstantSource clock;
    private final Release release;

    public TokenRequests(MemoryStore store, ServiceAccountTokens tokens, InstantSource clock, Release release) {
        this.release = release;
        this.store = store;
        this.tokens = tokens;
        this.clock = clock;
    }

    /** What decoding fills in. */
    public static void decode(ObjectNode request) {
        ObjectNode spec = request.withObject("/spec");
        if (!spec.hasNonNull("expirationSeconds")) {
            spec.put("expirationSeconds", DEFAULT_SECONDS);
        }
    }

    /**
     * Checks and completes a request, before others have their say in it.
     *
     * @throws StatusException 404 for an account that is not there, 409, 422
     */
    public void complete(Target target, ObjectNode request) {
        Metadata metadata = Metadata.of(request);
        if (!metadata.name().isEmpty() && !metadata.name().equals(target.name())) {
            throw StatusException.invalid(
                    KIND.group(),
                    KIND.plural(),
                    target.name(),
                    List.of(FieldCause.invalid(
                            "metadata.name",
                            GoText.quote(metadata.name()),
                            "must match the service account name if specified")));
        }
        String uid = Metadata.of(present(ServiceAccountTokens.ACCOUNTS, target.key()))
                .uid();
        metadata.node().put("name", target.name()).put("namespace", target.namespace());
        if (release.since(NAMES_ACCOUNT)) {
            checkAccount(target, metadata.uid(), uid);
            metadata.node().put("uid", uid);
        }
        metadata.node().put("creationTimestamp", Metadata.time(clock.instant()));
        ObjectNode spec = request.withObject("/spec");
        if (spec.path("audiences").isEmpty()) {
            spec.putArray("audiences").add(ServiceAccountTokens.AUDIENCE);
        }
        request.putObject("status").put("token", "").putNull("expirationTimestamp");
        checkDuration(spec.path("expirationSeconds"));
    }

    private static void checkAccount(Target target, String asked, String uid) {
        if (!asked.isEmpty() && !asked.equals(uid)) {
            throw StatusException.conflict(
                    KIND,
                    target.name(),
                    "the UID in the token request (" + asked + ") does not match the UID of the service account (" + uid
                            + ")");
        }
    }

    /**
     * @param request complete, not shared
     * @return the request with its status
     * @throws StatusException 404 for an object that is not there, 400, 409
     */
    public ObjectNode answer(Target target, ObjectNode request) {
        ObjectNode account = present(ServiceAccountTokens.ACCOUNTS, target.key());
        ObjectNode spec = request.withObject("/spec");
        Bound bound = bound(target, spec.path("boundObjectRef"));
        if (bound == null) {
            spec.putNull("boundObjectRef");
        }
        List<String> audiences = new ArrayList<>();
        spec.path("audiences").forEach(audience -> audiences.add(audience.asText()));
        Instant expiry =
                clock.instant().plusSeconds(spec.path("expirationSeconds").asLong());
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
