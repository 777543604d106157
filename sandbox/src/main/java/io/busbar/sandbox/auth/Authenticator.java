package io.busbar.sandbox.auth;

import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.status.StatusException;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Tells who calls, by the bearer token of a request: the admin's, a user's or a service account's. Without a token it
 * is {@code system:anonymous}, if somebody tells what that one may do.
 *
 * <p>One context.
 */
public final class Authenticator {

    private static final Caller ADMIN = Caller.master("kubernetes-admin");
    private static final Caller ANONYMOUS = new Caller("system:anonymous", "", List.of("system:unauthenticated"));
    private static final String BEARER = "bearer ";
    /** How a browser, which cannot set headers, tells its token when it opens a WebSocket. */
    private static final String PROTOCOL = "base64url.bearer.authorization.k8s.io.";

    private final byte[] adminToken;
    private final boolean anonymous;
    private final UserTokens users;
    private final ServiceAccountTokens accounts;

    /** @param anonymous whether to take who has no token: a real server does not when it allows everybody everything */
    public Authenticator(String adminToken, boolean anonymous, UserTokens users, ServiceAccountTokens accounts) {
        this.adminToken = adminToken.getBytes(StandardCharsets.UTF_8);
        this.anonymous = anonymous;
        this.users = users;
        this.accounts = accounts;
    }

    /** @throws StatusException 401 when there is a token that does not hold, or none where one is needed */
    public Caller caller(HttpServerRequest request) {
        String token = token(request);
        if (token.isEmpty()) {
            if (!anonymous) {
                throw StatusException.unauthorized();
            }
            return ANONYMOUS;
        }
        try {
            return verify(token, List.of(ServiceAccountTokens.AUDIENCE)).caller();
        } catch (InvalidTokenException invalid) {
            throw StatusException.unauthorized();
        }
    }

    /** @throws InvalidTokenException when it does not hold */
    Verified verify(String token, List<String> audiences) {
        Caller known =
                MessageDigest.isEqual(adminToken, token.getBytes(StandardCharsets.UTF_8)) ? ADMIN : users.of(token);
        if (known != null) {
            if (!audiences.contains(ServiceAccountTokens.AUDIENCE)) {
                throw InvalidTokenException.unknown();
            }
            return new Verified(known, List.of(ServiceAccountTokens.AUDIENCE));
        }
        return accounts.verify(token, audiences);
    }

    private static String token(HttpServerRequest request) {
        String authorization = Optional.ofNullable(request.getHeader("Authorization"))
                .map(String::trim)
                .orElse("");
        return authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)
                ? authorization.substring(BEARER.length()).trim()
                : offered(request);
    }

    private static String offered(HttpServerRequest request) {
        String protocols =
                Optional.ofNullable(request.getHeader("Sec-WebSocket-Protocol")).orElse("");
        for (String protocol : protocols.split(",", -1)) {
            if (protocol.trim().startsWith(PROTOCOL)) {
                return decoded(protocol.trim().substring(PROTOCOL.length()));
            }
        }
        return "";
    }

    private static String decoded(String token) {
        try {
            return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException noBase64) {
            throw StatusException.unauthorized();
        }
    }
}
