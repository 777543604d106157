package io.busbar.runtime.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.busbar.manifests.crd.CrdGenerator;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.DeclaredBundle;
import io.busbar.runtime.bundle.Gadget;
import io.busbar.runtime.bundle.KindBundle;
import io.busbar.runtime.bundle.Widget;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

@KubernetesSandbox
class InstalledKindsTest {

    private final Vertx vertx = Vertx.vertx();
    private final DeclaredBundle widget = declared(Widget.class);
    private final DeclaredBundle gadget = declared(Gadget.class);

    @AfterEach
    void close() throws Exception {
        vertx.close().await(60, TimeUnit.SECONDS);
    }

    @Test
    void waits_for_a_kind_and_leaves_out_what_is_not_installed(KubernetesClient client) throws Exception {
        Future<List<DeclaredBundle>> found =
                new InstalledKinds(vertx, client, new SimpleMeterRegistry()).of(List.of(gadget, widget));
        CrdGenerator.generate(widget.part().types())
                .forEach(definition -> client.resource(definition).create());

        assertThat(found.await(60, TimeUnit.SECONDS)).containsExactly(widget);
    }

    @Test
    void tells_of_each_kind_once_when_it_is_installed_later(KubernetesClient client) throws Exception {
        Promise<DeclaredBundle> found = Promise.promise();
        InstalledKinds kinds = new InstalledKinds(vertx, client, new SimpleMeterRegistry());
        kinds.await(List.of(gadget), found::complete);
        CrdGenerator.generate(gadget.part().types())
                .forEach(definition -> client.resource(definition).create());

        assertThat(found.future().await(60, TimeUnit.SECONDS)).isEqualTo(gadget);
        kinds.stop();
    }

    @Test
    void says_which_server_does_not_answer_and_why() {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger log = (Logger) LoggerFactory.getLogger(InstalledKinds.class);
        lines.start();
        log.addAppender(lines);
        try (KubernetesClient nobody = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl("https://127.0.0.1:1/")
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build()) {
            InstalledKinds kinds = new InstalledKinds(vertx, nobody, new SimpleMeterRegistry());
            Future<List<DeclaredBundle>> unused = kinds.of(List.of(gadget));
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(lines.list).hasSize(1));
            kinds.stop();

            assertThat(lines.list.get(0).getKeyValuePairs())
                    .extracting(KeyValuePair::toString)
                    .containsExactly("reason=\"cannot connect\"", "server=\"https://127.0.0.1:1/\"");
        } finally {
            log.detachAppender(lines);
        }
    }

    @Test
    void gives_up_when_it_is_stopped(KubernetesClient client) throws Exception {
        InstalledKinds kinds = new InstalledKinds(vertx, client, new SimpleMeterRegistry());
        kinds.stop();

        assertThat(kinds.of(List.of(gadget)).otherwise(List.of()).await(60, TimeUnit.SECONDS))
                .isEmpty();
    }

    private static DeclaredBundle declared(Class<? extends CustomResource<?, ?>> kind) {
        return DeclaredBundle.of(new KindBundle(kind), BundleContext.declaring("ns"));
    }
}
