package io.busbar.operator.endtoend;

import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A way to an API server, in plain HTTP and with the rights of an admin, that takes down what is written and can keep
 * the answers back. Writes of leases are not counted: they name the version that they are based on, and do no harm when
 * they come late. Any thread.
 */
final class RecordedRoute {

    private final ApiRoute route;
    private final List<String> writes = new CopyOnWriteArrayList<>();
    private volatile Promise<Void> gate = Promise.promise();

    private RecordedRoute(Vertx vertx, Config config) {
        HttpServerOptions options = new HttpServerOptions().setHttp2ClearTextEnabled(false);
        this.route = new ApiRoute(vertx, config, true, options, this::handle);
        gate.complete();
    }

    static Future<RecordedRoute> to(Vertx vertx, Config config) {
        RecordedRoute recorded = new RecordedRoute(vertx, config);
        return recorded.route.open().map(recorded);
    }

    String kubeconfig() {
        return route.kubeconfig();
    }

    /** Method and path, in the order of their arrival. */
    List<String> writes() {
        return List.copyOf(writes);
    }

    /** Keeps the answers to writes back from now on. */
    void holdAnswers() {
        gate = Promise.promise();
    }

    void releaseAnswers() {
        gate.complete();
    }

    Future<Void> close() {
        return route.close();
    }

    private void handle(ApiRoute.Passage passage) {
        HttpServerRequest request = passage.request();
        boolean counts =
                !request.method().equals(HttpMethod.GET) && !request.path().contains("/leases");
        if (counts) {
            writes.add(request.method() + " " + request.path());
        }
        passage.send().onSuccess(answer -> {
            Future<Void> free = counts ? gate.future() : Future.succeededFuture();
            free.onComplete(open -> passage.answer(answer));
        });
    }
}
