package io.busbar.runtime.assembly;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Cause;
import io.busbar.common.trace.Tracing;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.source.MessageSource;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.Widget;
import io.busbar.runtime.options.BindAddress;
import io.busbar.runtime.options.MetricsOptions;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.telemetry.Telemetry;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** From a POST to a reconcile, through a whole operator. */
@KubernetesSandbox
class HttpEventsTest {

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.example.com}
            spec:
              group: example.com
              names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
              scope: Namespaced
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    private final Vertx vertx = Vertx.vertx();
    private final BlockingQueue<Cause> causes = new LinkedBlockingQueue<>();

    @Test
    void what_is_posted_to_a_declared_source_brings_its_primary(KubernetesClient client) throws Exception {
        client.resource(Serialization.unmarshal(DEFINITION, CustomResourceDefinition.class))
                .create();
        Operator operator = new Operator(
                new OperatorEnvironment(vertx, client, Telemetry.registry(), Tracing.off(), "test", "test"),
                securelyBesideCluster(),
                List.of(bundle()));
        try {
            operator.start().await(60, SECONDS);
            Widget widget = new Widget();
            widget.setMetadata(new ObjectMetaBuilder()
                    .withNamespace("default")
                    .withName("w")
                    .build());
            client.resource(widget).create();
            assertThat(causes.poll(60, SECONDS)).extracting(Cause::how).isEqualTo(Cause.How.ADDED);

            int port = operator.management().ports().get(0);
            String token = client.getConfiguration().getAutoOAuthToken();
            await().atMost(Duration.ofMinutes(1)).until(() -> post(port, "/events/git.pushes/default/w", token) == 202);
            assertThat(causes.poll(60, SECONDS)).isEqualTo(Cause.from("git.pushes", ObjectKey.of("default", "w")));
            assertThat(post(port, "/events/of-the-bus/default/w", token)).isEqualTo(404);
        } finally {
            operator.stop().await(60, SECONDS);
            vertx.close().await(60, SECONDS);
        }
    }

    private static OperatorOptions securelyBesideCluster() {
        return OperatorOptions.besideCluster("busbar").toBuilder()
                .metrics(new MetricsOptions(BindAddress.loopback(), true, Optional.empty(), false))
                .build();
    }

    private int post(int port, String path, String token) throws Exception {
        var http = vertx.createHttpClient(
                new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false));
        return http.request(HttpMethod.POST, port, "127.0.0.1", path)
                .compose(request ->
                        request.putHeader("Authorization", "Bearer " + token).send())
                .map(response -> response.statusCode())
                .eventually(http::close)
                .await(60, SECONDS);
    }

    private Bundle bundle() {
        return new Bundle() {
            @Override
            public String name() {
                return "widget";
            }

            @Override
            public List<Controller<?>> controllers(BundleContext context) {
                return List.of(Controller.of(Widget.class, (widget, its) -> {
                            causes.add(its.trigger());
                            return ReconcileResult.awaitChange();
                        })
                        .source(new MessageSource("git.pushes").overHttp())
                        .source(new MessageSource("of-the-bus")));
            }
        };
    }
}
