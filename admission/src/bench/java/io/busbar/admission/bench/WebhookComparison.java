package io.busbar.admission.bench;

import io.vertx.core.Vertx;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Compares a webhook server with {@link EchoServer}: same requests, same size of answers, round about in one run.
 * Prints the round of median throughput of each, and their ratios.
 *
 * <p>Usage: {@code WebhookComparison [main class of the server, default PodWebhookServer]}.
 */
public final class WebhookComparison {

    private static final int CONNECTIONS = 32;
    private static final int WARM_UP = 100_000;
    private static final int REQUESTS = 60_000;
    private static final int ROUNDS = 5;

    private WebhookComparison() {}

    public static void main(String[] arguments) throws Exception {
        compare(
                arguments.length == 0 ? PodWebhookServer.class : Class.forName(arguments[0]),
                "/mutate-pod",
                podReview());
        System.exit(0);
    }

    /** A Pod's review of 8 KB. */
    public static byte[] podReview() throws Exception {
        try (InputStream in = WebhookComparison.class.getResourceAsStream("/reviews/pod-create.json")) {
            if (in == null) {
                throw new IllegalStateException("no review on the class path");
            }
            return in.readAllBytes();
        }
    }

    public static void compare(Class<?> server, String path, byte[] review) throws Exception {
        Vertx vertx = Vertx.vertx();
        try (ChildServer webhook = ChildServer.start(server);
                HttpsLoad webhookLoad = new HttpsLoad(vertx, webhook.port(), path, review, CONNECTIONS)) {
            webhookLoad.run(WARM_UP, webhook);
            int answerBytes = webhookLoad.answerBytes();
            System.out.printf("review %d bytes, answer %d bytes%n", review.length, answerBytes);
            try (ChildServer echo = ChildServer.start(EchoServer.class, Integer.toString(answerBytes));
                    HttpsLoad echoLoad = new HttpsLoad(vertx, echo.port(), path, review, CONNECTIONS)) {
                echoLoad.run(WARM_UP, echo);
                List<LoadResult> echoes = new ArrayList<>();
                List<LoadResult> webhooks = new ArrayList<>();
                for (int round = 0; round < ROUNDS; round++) {
                    echoes.add(echoLoad.run(REQUESTS, echo));
                    webhooks.add(webhookLoad.run(REQUESTS, webhook));
                }
                report(median(echoes), median(webhooks));
            }
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
    }

    private static LoadResult median(List<LoadResult> rounds) {
        return rounds.stream()
                .sorted(Comparator.comparingDouble(LoadResult::perSecond))
                .toList()
                .get(rounds.size() / 2);
    }

    private static void report(LoadResult echo, LoadResult webhook) {
        System.out.printf("%-8s %12s %10s %10s %18s%n", "", "per second", "p50 ms", "p99 ms", "CPU s per 10,000");
        print("echo", echo);
        print("webhook", webhook);
        System.out.printf(
                "ratio    %12.2f %10.2f %10.2f %18.2f%n",
                webhook.perSecond() / echo.perSecond(),
                webhook.percentileMillis(50) / echo.percentileMillis(50),
                webhook.percentileMillis(99) / echo.percentileMillis(99),
                webhook.cpuSecondsPer10k() / echo.cpuSecondsPer10k());
    }

    private static void print(String name, LoadResult result) {
        System.out.printf(
                "%-8s %12.0f %10.2f %10.2f %18.2f%n",
                name,
                result.perSecond(),
                result.percentileMillis(50),
                result.percentileMillis(99),
                result.cpuSecondsPer10k());
    }
}
