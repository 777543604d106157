package io.busbar.watcher.reflect;

import io.busbar.common.api.ApiFailure;
import io.busbar.common.guard.Guard;
import io.busbar.common.watch.WatchSpec;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class ExchangeTest {

    /** Otherwise a watch that nobody listens to stays open for as long as the server likes. */
    @Test
    void an_answer_is_let_go_that_the_context_did_not_know_of_when_it_was_cancelled(
            Vertx vertx, VertxTestContext test) {
        HttpClient client = answering(test::completeNow);
        WorkerExecutor oneThread = vertx.createSharedWorkerExecutor("one thread", 1);
        Context context = vertx.getOrCreateContext();
        context.runOnContext(v -> test.verify(() -> {
            Exchange<String> exchange = new Exchange<>(
                    context,
                    WatchSpec.of(ConfigMap.class),
                    null,
                    raw -> "",
                    new Guard("watch", new SimpleMeterRegistry()),
                    nobody(test));
            exchange.send(oneThread, client, fake(HttpRequest.class, method -> null));
            CountDownLatch answered = new CountDownLatch(1);
            oneThread.executeBlocking(
                    () -> {
                        answered.countDown();
                        return null;
                    },
                    false);
            answered.await();

            exchange.cancel();
        }));
    }

    /** Its answers are there at once, and never end. */
    private static HttpClient answering(Runnable cancelled) {
        CompletableFuture<?> end = new CompletableFuture<>();
        AsyncBody body = fake(AsyncBody.class, method -> {
            if (method.equals("cancel")) {
                cancelled.run();
            }
            return method.equals("done") ? end : null;
        });
        HttpResponse<?> response = fake(HttpResponse.class, method -> switch (method) {
            case "body" -> body;
            case "isSuccessful" -> true;
            case "headers" -> List.of();
            default -> null;
        });
        CompletableFuture<?> answer = CompletableFuture.completedFuture(response);
        return fake(HttpClient.class, method -> answer);
    }

    /** Knows its methods by their names alone. */
    private static <T> T fake(Class<T> type, Function<String, @Nullable Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answers.apply(method.getName())));
    }

    private static Exchange.Listener<String> nobody(VertxTestContext test) {
        return new Exchange.Listener<>() {

            @Override
            public void opened() {
                test.failNow("it was cancelled before");
            }

            @Override
            public void arrived(List<Arrival<String>> arrivals) {
                test.failNow("it was cancelled before");
            }

            @Override
            public void ended(Ending.How how, @Nullable ApiFailure failure, Duration pause) {
                test.failNow("it was cancelled before");
            }
        };
    }
}
