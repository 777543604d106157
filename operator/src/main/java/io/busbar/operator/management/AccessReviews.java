package io.busbar.operator.management;

import io.busbar.operator.management.Access.Denied;
import io.busbar.operator.management.Access.Granted;
import io.busbar.operator.management.Access.Unknown;
import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Asks the API server who holds a token (TokenReview), and whether they may get a path (SubjectAccessReview).
 *
 * <p>Any thread; futures complete on the caller's context. Answers are kept for a minute, refusals for ten seconds; of tokens only
 * their hashes are.
 */
final class AccessReviews {

    private static final Duration GRANTED = Duration.ofMinutes(1);
    private static final Duration REFUSED = Duration.ofSeconds(10);
    private static final int MOST_KEPT = 1000;

    private final Vertx vertx;
    private final KubernetesClient client;
    private final LongSupplier nanos;
    private final Map<String, Kept> kept = new ConcurrentHashMap<>();

    private record Kept(Access access, long until) {}

    /** Needs create on tokenreviews and subjectaccessreviews. */
    AccessReviews(Vertx vertx, KubernetesClient client, LongSupplier nanos) {
        this.vertx = vertx;
        this.client = client;
        this.nanos = nanos;
    }

    /** Fails when the API server cannot be asked. */
    Future<Access> mayGet(String path, String token) {
        String key = hash(token) + path;
        Kept known = kept.get(key);
        if (known != null && nanos.getAsLong() - known.until() < 0) {
            return Future.succeededFuture(known.access());
        }
        return vertx.executeBlocking(() -> review(path, token), false).onSuccess(access -> keep(key, access));
    }

    private Access review(String path, String token) {
        TokenReview authentication = client.tokenReviews()
                .create(new TokenReviewBuilder()
                        .withNewSpec()
                        .withToken(token)
                        .endSpec()
                        .build());
        UserInfo user = authentication.getStatus().getUser();
        if (!Boolean.TRUE.equals(authentication.getStatus().getAuthenticated()) || user == null) {
            return new Unknown();
        }
        SubjectAccessReview authorization = client.authorization()
                .v1()
                .subjectAccessReview()
                .create(new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser(user.getUsername())
                        .withUid(user.getUid())
                        .withGroups(user.getGroups())
                        .withExtra(user.getExtra())
                        .withNewNonResourceAttributes()
                        .withPath(path)
                        .withVerb("get")
                        .endNonResourceAttributes()
                        .endSpec()
                        .build());
        return Boolean.TRUE.equals(authorization.getStatus().getAllowed())
                ? new Granted()
                : new Denied(user.getUsername());
    }

    private void keep(String key, Access access) {
        if (kept.size() >= MOST_KEPT) {
            kept.clear(); // somebody is guessing tokens; those who know theirs are asked about again
        }
        Duration time = access instanceof Granted ? GRANTED : REFUSED;
        kept.put(key, new Kept(access, nanos.getAsLong() + time.toNanos()));
    }

    private static String hash(String token) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException("every Java has SHA-256", never);
        }
    }
}
