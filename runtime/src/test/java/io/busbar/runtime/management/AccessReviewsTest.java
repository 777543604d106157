package io.busbar.runtime.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.bus.Addresses;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With an API server that knows tokens that begin with "good", and answers when it is told to. */
class AccessReviewsTest {

    private static final String HERE = "10.0.0.1";

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger tokenReviews = new AtomicInteger();
    private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
    private volatile boolean holding;
    private KubernetesClient client;
    private AccessReviews reviews;

    @BeforeEach
    void start() throws Exception {
        HttpServer api = wait(vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> receive(request, body.toJsonObject())))
                .listen(0, "127.0.0.1"));
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(Config.empty())
                        .withMasterUrl("http://127.0.0.1:" + api.actualPort())
                        .build())
                .build();
        reviews = new AccessReviews(vertx, client, Addresses.standard(), now::get);
    }

    @AfterEach
    void stop() throws Exception {
        release();
        wait(reviews.close());
        client.close();
        wait(vertx.close());
    }

    @Test
    void are_kept_for_a_while() throws Exception {
        for (int seconds : List.of(0, 59, 61)) {
            now.set(Duration.ofSeconds(seconds).toNanos());
            assertThat(wait(ask("good", HERE))).isEqualTo(new Access.Granted());
        }
        assertThat(tokenReviews).hasValue(2);
        for (int seconds : List.of(100, 109, 111)) {
            now.set(Duration.ofSeconds(seconds).toNanos());
            assertThat(wait(ask("bad", HERE))).isEqualTo(new Access.Unknown());
        }
        assertThat(tokenReviews).hasValue(4);
    }

    @Test
    void of_one_token_are_asked_for_once_at_a_time() throws Exception {
        holding = true;
        List<Future<Access>> answers =
                IntStream.range(0, 50).mapToObj(i -> ask("good", HERE)).toList();
        awaitHeld(1);
        release();

        assertThat(wait(Future.all(answers)).<Access>list()).containsOnly(new Access.Granted());
        assertThat(tokenReviews).hasValue(1);
    }

    @Test
    void of_guessed_tokens_are_few_at_once_and_keep_no_other_work_waiting() throws Exception {
        holding = true;
        List<Future<Access>> guesses = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            guesses.add(ask("guess-" + i, "10.0." + i % 250 + ".9"));
        }
        long refused = refusedAtOnce(guesses);

        assertThat(refused).isEqualTo(984);
        assertThat(wait(vertx.executeBlocking(() -> "done", false))).isEqualTo("done");
    }

    @Test
    void of_guesses_from_one_address_leave_room_for_others() throws Exception {
        holding = true;
        List<Future<Access>> guesses = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            guesses.add(ask("guess-" + i, "10.0.0.9"));
        }
        assertThat(refusedAtOnce(guesses)).isEqualTo(96);
        Future<Access> first = ask("good", HERE);
        release();

        assertThat(wait(first)).isEqualTo(new Access.Granted());
    }

    @Test
    void of_a_token_that_was_good_wait_for_no_guesses() throws Exception {
        assertThat(wait(ask("good", HERE))).isEqualTo(new Access.Granted());
        now.addAndGet(Duration.ofMinutes(2).toNanos());
        holding = true;
        List<Future<Access>> guesses = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            guesses.add(ask("guess-" + i, "10.0." + i + ".9"));
        }
        refusedAtOnce(guesses);
        awaitHeld(2);
        holding = false;

        assertThat(wait(ask("good", HERE))).isEqualTo(new Access.Granted());
    }

    @Test
    void of_guesses_are_few_in_a_second_and_do_not_displace_those_that_are_good() throws Exception {
        assertThat(wait(ask("good", HERE))).isEqualTo(new Access.Granted());
        int asked = 0;
        for (int i = 0; i < 3000; i++) {
            if (i % 100 == 0) {
                now.addAndGet(Duration.ofSeconds(1).toNanos());
            }
            Future<Access> guess = ask("guess-" + i, "10.0.0.9");
            asked += guess.transform(done -> Future.succeededFuture(done.succeeded() ? 1 : 0))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
        }

        // 19 are left of the first burst, and 10 come with each second.
        assertThat(asked).isBetween(300, 320);
        int before = tokenReviews.get();
        assertThat(wait(ask("good", HERE))).isEqualTo(new Access.Granted());
        assertThat(tokenReviews).hasValue(before);
    }

    /** All of them have been taken on or refused once this returns. */
    private long refusedAtOnce(List<Future<Access>> guesses) throws Exception {
        onContext(Future::succeededFuture);
        return guesses.stream()
                .filter(guess -> guess.failed() && guess.cause() instanceof TooManyReviewsException)
                .count();
    }

    private Future<Access> ask(String token, String address) {
        Promise<Access> answer = Promise.promise();
        context.runOnContext(go ->
                reviews.may(new Wish.OnPath("get", "/metrics"), token, address).onComplete(answer));
        return answer.future();
    }

    private void onContext(java.util.function.Supplier<Future<Void>> work) throws Exception {
        Promise<Void> done = Promise.promise();
        context.runOnContext(go -> work.get().onComplete(done));
        wait(done.future());
    }

    private void receive(HttpServerRequest request, JsonObject review) {
        boolean token = request.path().endsWith("/tokenreviews");
        if (token) {
            tokenReviews.incrementAndGet();
            boolean good = review.getJsonObject("spec").getString("token").startsWith("good");
            review.put(
                    "status",
                    new JsonObject()
                            .put("authenticated", good)
                            .put("user", good ? new JsonObject().put("username", "someone") : null));
        } else {
            review.put("status", new JsonObject().put("allowed", true));
        }
        Runnable answer = () ->
                request.response().putHeader("content-type", "application/json").end(review.toBuffer());
        if (holding) {
            held.add(answer);
        } else {
            answer.run();
        }
    }

    private void awaitHeld(int number) {
        org.awaitility.Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> held.size() == number);
    }

    private void release() {
        holding = false;
        for (Runnable answer = held.poll(); answer != null; answer = held.poll()) {
            answer.run();
        }
    }

    private static <T> T wait(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
