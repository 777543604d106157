package io.busbar.runtime.management;

import io.busbar.common.bus.Addresses;
import io.busbar.runtime.management.Access.Denied;
import io.busbar.runtime.management.Access.Granted;
import io.busbar.runtime.management.Access.Unknown;
import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Asks the API server who holds a token (TokenReview), and whether they may do something with a path, or with an object
 * (SubjectAccessReview).
 *
 * <p>One context. Answers are kept for a minute, refusals for ten seconds; of tokens only their hashes are. Who asks
 * with a token that was not granted lately is a stranger: of these few are asked about at once and in a second, on
 * threads of their own, so that who guesses tokens keeps neither the API server busy, nor anything else here, nor those
 * whose token is known to be good.
 */
final class AccessReviews {

    private static final Duration GRANTED = Duration.ofMinutes(1);
    private static final Duration REFUSED = Duration.ofSeconds(10);
    private static final int MOST_GRANTED = 256;
    private static final int MOST_REFUSED = 1024;
    private static final int MOST_STRANGERS = 16;
    private static final int MOST_STRANGERS_OF_ONE_ADDRESS = 4;
    private static final int STRANGERS_PER_SECOND = 10;
    private static final int STRANGERS_IN_A_BURST = 20;

    private final KubernetesClient client;
    private final LongSupplier nanos;
    private final WorkerExecutor forKnown;
    private final WorkerExecutor forStrangers;
    private final Map<String, Kept> granted = new Recent<>(MOST_GRANTED);
    private final Map<String, Kept> refused = new Recent<>(MOST_REFUSED);
    private final Map<String, Future<Access>> asked = new HashMap<>();
    private final Map<String, Integer> strangersByAddress = new HashMap<>();
    private final Allowance allowance;
    private int strangers;

    private record Kept(Access access, long until) {}

    /**
     * Needs create on tokenreviews and subjectaccessreviews.
     *
     * @param nanos the time, as {@link System#nanoTime} has it
     */
    AccessReviews(Vertx vertx, KubernetesClient client, Addresses addresses, LongSupplier nanos) {
        this.client = client;
        this.nanos = nanos;
        this.allowance = new Allowance(STRANGERS_PER_SECOND, STRANGERS_IN_A_BURST, nanos);
        this.forKnown = vertx.createSharedWorkerExecutor(addresses.threads("token-reviews-known"), 1);
        this.forStrangers = vertx.createSharedWorkerExecutor(addresses.threads("token-reviews"), 2);
    }

    /**
     * Fails when the API server cannot be asked, and with {@link TooManyReviewsException} when too many strangers ask.
     *
     * @param address of who asks
     */
    Future<Access> may(Wish wish, String token, String address) {
        String key = hash(token) + wish;
        Kept known = granted.getOrDefault(key, refused.get(key));
        if (known != null && nanos.getAsLong() - known.until() < 0) {
            return Future.succeededFuture(known.access());
        }
        Future<Access> underWay = asked.get(key);
        if (underWay != null) {
            return underWay;
        }
        if (granted.containsKey(key)) {
            return ask(forKnown, key, wish, token);
        }
        int fromThere = strangersByAddress.getOrDefault(address, 0);
        if (strangers >= MOST_STRANGERS || fromThere >= MOST_STRANGERS_OF_ONE_ADDRESS || !allowance.take()) {
            return Future.failedFuture(new TooManyReviewsException());
        }
        strangers++;
        strangersByAddress.merge(address, 1, Integer::sum);
        return ask(forStrangers, key, wish, token).onComplete(done -> {
            strangers--;
            strangersByAddress.computeIfPresent(address, (same, number) -> number == 1 ? null : number - 1);
        });
    }

    Future<Void> close() {
        return forKnown.close().eventually(forStrangers::close);
    }

    private Future<Access> ask(WorkerExecutor workers, String key, Wish wish, String token) {
        Future<Access> answer = workers.executeBlocking(() -> review(wish, token), false);
        asked.put(key, answer);
        return answer.onComplete(done -> asked.remove(key)).onSuccess(access -> keep(key, access));
    }

    private Access review(Wish wish, String token) {
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
        SubjectAccessReviewSpec asked = wish.asked();
        asked.setUser(user.getUsername());
        asked.setUid(user.getUid());
        asked.setGroups(user.getGroups());
        asked.setExtra(user.getExtra());
        SubjectAccessReview authorization = client.authorization()
                .v1()
                .subjectAccessReview()
                .create(new SubjectAccessReviewBuilder().withSpec(asked).build());
        return Boolean.TRUE.equals(authorization.getStatus().getAllowed())
                ? new Granted()
                : new Denied(user.getUsername());
    }

    private void keep(String key, Access access) {
        boolean good = access instanceof Granted;
        (good ? refused : granted).remove(key);
        Duration time = good ? GRANTED : REFUSED;
        (good ? granted : refused).put(key, new Kept(access, nanos.getAsLong() + time.toNanos()));
    }

    private static String hash(String token) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException("every Java has SHA-256", never);
        }
    }

    /** Forgets what was not used for longest. */
    private static final class Recent<V> extends LinkedHashMap<String, V> {

        private static final long serialVersionUID = 1L;

        private final int most;

        Recent(int most) {
            super(16, 0.75f, true);
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > most;
        }
    }
}
