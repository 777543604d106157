package io.busbar.sandbox.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.syntax.GoText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes and checks the tokens of service accounts: those of TokenRequests, which expire, and those in Secrets, which
 * hold as long as their Secret. Either kind ends with its account. The claims are kube-apiserver's.
 *
 * <p>One context.
 */
public final class ServiceAccountTokens {

    /** Whom tokens are for that name no audience, and who is the API server itself. */
    static final String AUDIENCE = "https://kubernetes.default.svc";

    static final GroupResource ACCOUNTS = GroupResource.core("serviceaccounts");
    static final GroupResource SECRETS = GroupResource.core("secrets");
    private static final String SECRET_ISSUER = "kubernetes/serviceaccount";
    private static final String SECRET_CLAIM = "kubernetes.io/serviceaccount/";
    private static final String INVALIDATED = "service account token has been invalidated";

    /** What a token lives and dies with, beside its account. */
    record Bound(String claim, GroupResource resource, String name, String uid) {}

    private final MemoryStore store;
    private final Jwt jwt;
    private final InstantSource clock;

    /** @param key at least 32 bytes that nobody else knows, in base64 */
    public ServiceAccountTokens(MemoryStore store, String key, InstantSource clock) {
        this.store = store;
        this.jwt = new Jwt(Base64.getDecoder().decode(key));
        this.clock = clock;
    }

    /** A token that expires. */
    String issue(ObjectNode account, List<String> audiences, Instant expiry, @Nullable Bound bound) {
        Metadata metadata = Metadata.of(account);
        long now = clock.instant().getEpochSecond();
        ObjectNode claims = JsonNodeFactory.instance.objectNode();
        audiences.forEach(claims.putArray("aud")::add);
        claims.put("exp", expiry.getEpochSecond())
                .put("iat", now)
                .put("iss", AUDIENCE)
                .put("jti", UUID.randomUUID().toString());
        ObjectNode own = claims.putObject("kubernetes.io").put("namespace", metadata.namespace());
        if (bound != null) {
            own.putObject(bound.claim()).put("name", bound.name()).put("uid", bound.uid());
        }
        own.putObject("serviceaccount").put("name", metadata.name()).put("uid", metadata.uid());
        return jwt.sign(claims.put("nbf", now).put("sub", username(metadata.key())));
    }

    /** The token for a Secret. */
    String issue(ObjectNode account, String secret) {
        Metadata metadata = Metadata.of(account);
        ObjectNode claims = JsonNodeFactory.instance.objectNode();
        claims.put("iss", SECRET_ISSUER)
                .put(SECRET_CLAIM + "namespace", metadata.namespace())
                .put(SECRET_CLAIM + "secret.name", secret)
                .put(SECRET_CLAIM + "service-account.name", metadata.name())
                .put(SECRET_CLAIM + "service-account.uid", metadata.uid())
                .put("sub", username(metadata.key()));
        return jwt.sign(claims);
    }

    /**
     * @param audiences of which the token must be for one
     * @throws InvalidTokenException when it does not hold
     */
    Verified verify(String token, List<String> audiences) {
        JsonNode claims = jwt.verify(token).orElseThrow(InvalidTokenException::unknown);
        return claims.path("iss").asText().equals(SECRET_ISSUER)
                ? verifySecret(token, claims, audiences)
                : verifyRequested(claims, audiences);
    }

    private Verified verifyRequested(JsonNode claims, List<String> audiences) {
        long now = clock.instant().getEpochSecond();
        if (now >= claims.path("exp").asLong()) {
            throw InvalidTokenException.because("service account token has expired");
        }
        List<String> own = new ArrayList<>();
        claims.path("aud").forEach(audience -> own.add(audience.asText()));
        List<String> fit = own.stream().filter(audiences::contains).toList();
        if (fit.isEmpty()) {
            throw InvalidTokenException.because(
                    "token audiences " + quoted(own) + " is invalid for the target audiences " + quoted(audiences));
        }
        JsonNode about = claims.path("kubernetes.io");
        String namespace = about.path("namespace").asText();
        JsonNode account = about.path("serviceaccount");
        checkThere(ACCOUNTS, namespace, account);
        Map<String, List<String>> extra = new LinkedHashMap<>();
        extra.put(
                "authentication.kubernetes.io/credential-id",
                List.of("JTI=" + claims.path("jti").asText()));
        if (about.has("pod")) {
            checkThere(GroupResource.core("pods"), namespace, about.path("pod"));
            extra.put(
                    "authentication.kubernetes.io/pod-name",
                    List.of(about.path("pod").path("name").asText()));
            extra.put(
                    "authentication.kubernetes.io/pod-uid",
                    List.of(about.path("pod").path("uid").asText()));
        }
        if (about.has("secret")) {
            checkThere(SECRETS, namespace, about.path("secret"));
        }
        if (about.has("node")) {
            checkThere(GroupResource.core("nodes"), "", about.path("node"));
        }
        ObjectKey key = new ObjectKey(namespace, account.path("name").asText());
        return new Verified(caller(key, account.path("uid").asText(), extra), fit);
    }

    private Verified verifySecret(String token, JsonNode claims, List<String> audiences) {
        String namespace = claims.path(SECRET_CLAIM + "namespace").asText();
        ObjectKey account = new ObjectKey(
                namespace, claims.path(SECRET_CLAIM + "service-account.name").asText());
        String uid = claims.path(SECRET_CLAIM + "service-account.uid").asText();
        ObjectNode secret = store.shelf(SECRETS)
                .get(new ObjectKey(
                        namespace, claims.path(SECRET_CLAIM + "secret.name").asText()));
        String encoded = Base64.getEncoder().encodeToString(token.getBytes(StandardCharsets.US_ASCII));
        if (secret == null || !secret.path("data").path("token").asText().equals(encoded)) {
            throw InvalidTokenException.because(INVALIDATED);
        }
        if (!audiences.contains(AUDIENCE)) {
            throw InvalidTokenException.because("token audiences " + quoted(List.of(AUDIENCE))
                    + " is invalid for the target audiences " + quoted(audiences));
        }
        checkUid(store.shelf(ACCOUNTS).get(account), uid);
        return new Verified(caller(account, uid, Map.of()), List.of(AUDIENCE));
    }

    private void checkThere(GroupResource resource, String namespace, JsonNode reference) {
        ObjectKey key = new ObjectKey(namespace, reference.path("name").asText());
        checkUid(store.shelf(resource).get(key), reference.path("uid").asText());
    }

    private static void checkUid(@Nullable ObjectNode object, String uid) {
        if (object == null || !Metadata.of(object).uid().equals(uid)) {
            throw InvalidTokenException.because(INVALIDATED);
        }
    }

    private static Caller caller(ObjectKey account, String uid, Map<String, List<String>> extra) {
        return new Caller(username(account), uid, groups(account.namespace()), extra);
    }

    static String username(ObjectKey account) {
        return "system:serviceaccount:" + account.namespace() + ":" + account.name();
    }

    /** Of each service account in a namespace. */
    static List<String> groups(String namespace) {
        return List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated");
    }

    private static String quoted(List<String> texts) {
        return texts.stream().map(GoText::quote).collect(Collectors.joining(" ", "[", "]"));
    }
}
