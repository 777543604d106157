package io.busbar.runtime.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.trace.Tracing;
import io.busbar.runtime.bundle.KindBundle;
import io.busbar.runtime.bundle.Widget;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.telemetry.Telemetry;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class OperatorTest {

    private static final String GROUP = "/apis/example.com/v1";
    private static final String WIDGETS = """
            {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "example.com/v1",
             "resources": [{"name": "widgets", "kind": "Widget", "namespaced": true, "singularName": "", "verbs": ["list"]}]}""";

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Promise<HttpServerRequest> discovery = Promise.promise();

    @Test
    void begins_nothing_any_more_once_it_is_to_stop(Vertx vertx, VertxTestContext test) {
        vertx.createHttpServer()
                .requestHandler(this::serve)
                .listen(0, "127.0.0.1")
                .map(server -> client("http://127.0.0.1:" + server.actualPort()))
                .compose(client -> {
                    Operator operator = new Operator(
                            new OperatorEnvironment(vertx, client, Telemetry.registry(), Tracing.off(), "test", "test"),
                            OperatorOptions.besideCluster("busbar"),
                            List.of(new KindBundle(Widget.class)));
                    Future<Void> started = operator.start();
                    return discovery
                            .future()
                            .compose(request -> operator.stop()
                                    .compose(stopped -> request.response()
                                            .putHeader("content-type", "application/json")
                                            .end(WIDGETS)))
                            .compose(answered -> started)
                            .onComplete(ended -> client.close());
                })
                .onComplete(test.failing(failure -> test.verify(() -> {
                    assertThat(failure).hasMessage("stopped before it ran");
                    assertThat(asked).containsExactly("/version", GROUP);
                    test.completeNow();
                })));
    }

    private void serve(HttpServerRequest request) {
        asked.add(request.path());
        if (request.path().equals(GROUP)) {
            discovery.complete(request);
        } else {
            request.response().end("{}");
        }
    }

    private static KubernetesClient client(String server) {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(Config.empty())
                        .withMasterUrl(server)
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
    }
}
