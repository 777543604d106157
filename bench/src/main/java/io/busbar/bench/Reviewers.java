package io.busbar.bench;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Clients of a webhook, as an API server is one: each keeps its connection, and asks again once it is answered. */
final class Reviewers implements AutoCloseable {

    private static final int VARIABLES = 60;

    private final HttpClient client;
    private final RequestOptions request;
    private final Buffer review = Buffer.buffer(review());
    private final int connections;

    /** @param millis of each answer, from the least to the most */
    record Answers(double seconds, List<Double> millis) {

        Answers {
            millis = List.copyOf(millis);
        }

        int count() {
            return millis.size();
        }

        double perSecond() {
            return millis.size() / seconds;
        }

        /** In which so much of all was answered. */
        double millis(double share) {
            return millis.get((int) (share * (millis.size() - 1)));
        }
    }

    Reviewers(Vertx vertx, int port, int connections) {
        this.connections = connections;
        this.client = vertx.createHttpClient(
                new HttpClientOptions()
                        .setSsl(true)
                        .setTrustAll(true)
                        .setVerifyHost(false)
                        .setUseAlpn(false),
                new PoolOptions().setHttp1MaxSize(connections));
        this.request = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost("127.0.0.1")
                .setPort(port)
                .setURI("/mutate-pod")
                .putHeader("content-type", "application/json");
    }

    /** Of a Pod of the kind that people have, some 7 KB. */
    static String review() {
        String variables =
                IntStream.range(0, VARIABLES).mapToObj(i -> """
                        {"name":"VARIABLE_%d","value":"some value of this variable, which is one of many: %d"}""".formatted(i, i)).collect(Collectors.joining(","));
        return """
                {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"705ab4f5-6393-11e8-b7cc-42010a800002",
                "kind":{"group":"","version":"v1","kind":"Pod"},"resource":{"group":"","version":"v1","resource":"pods"},
                "requestKind":{"group":"","version":"v1","kind":"Pod"},"name":"web-0","namespace":"default","operation":"CREATE",
                "userInfo":{"username":"system:serviceaccount:kube-system:replicaset-controller","groups":["system:authenticated"]},
                "object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0","namespace":"default","labels":{"app":"bench-7"}},
                "spec":{"containers":[{"name":"web","image":"example/web:1","env":[%s]}]}},"oldObject":null,"dryRun":false}}
                """.formatted(variables);
    }

    /**
     * Waits until there is one.
     *
     * @param patches whether that has to be a patch, else it is anything
     */
    void awaitAnswer(boolean patches, Runnable requireAlive) throws InterruptedException {
        while (true) {
            requireAlive.run();
            String answer = body().otherwise("").await();
            if (patches ? answer.contains("\"patch\":") : !answer.isEmpty()) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private Future<String> body() {
        return client.request(request)
                .compose(sent -> sent.send(review))
                .compose(response -> response.body().map(Buffer::toString));
    }

    /** For so long; those that are under way then are waited for. */
    Answers ask(Duration time) {
        long begun = System.nanoTime();
        List<List<Double>> all = new ArrayList<>();
        List<Future<Void>> running = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            List<Double> millis = new ArrayList<>();
            Promise<Void> ended = Promise.promise();
            all.add(millis);
            running.add(ended.future());
            askUntil(begun + time.toNanos(), millis, ended);
        }
        Future.all(running).await();
        double seconds = (System.nanoTime() - begun) / 1e9;
        return new Answers(seconds, all.stream().flatMap(List::stream).sorted().toList());
    }

    private void askUntil(long end, List<Double> millis, Promise<Void> ended) {
        long begun = System.nanoTime();
        if (begun >= end) {
            ended.complete();
            return;
        }
        body().onSuccess(answer -> {
                    millis.add((System.nanoTime() - begun) / 1e6);
                    askUntil(end, millis, ended);
                })
                .onFailure(ended::fail);
    }

    @Override
    public void close() {
        client.close().await();
    }
}
