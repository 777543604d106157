package io.busbar.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.trace.Tracing;
import io.busbar.common.traffic.RequestGate;
import io.busbar.reconciler.write.ApiRequests;
import io.busbar.runtime.client.ClosingServer.Way;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepeatingClientTest {

    private static final String MAPS = "/api/v1/namespaces/ns/configmaps";
    private static final String ONE = MAPS + "/one";

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final RequestGate gate = RequestGate.unlimited();
    private final List<Boolean> onEventLoop = new CopyOnWriteArrayList<>();
    private KubernetesClient client;
    private ApiRequests api;

    @TempDir
    Path folder;

    private ClosingServer serve(Map<Integer, Way> ways) throws Exception {
        ClosingServer server = new ClosingServer(vertx, folder, ways);
        client = ApiClients.measured(
                new ConfigBuilder(Config.empty())
                        .withMasterUrl(server.url())
                        .withTrustCerts(true)
                        .build(),
                meters,
                Tracing.off(),
                gate,
                List.of(new Interceptor() {
                    @Override
                    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                        onEventLoop.add(Context.isOnEventLoopThread());
                    }
                }));
        api = new ApiRequests(client);
        return server;
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        vertx.close().await(60, TimeUnit.SECONDS);
    }

    @Test
    void a_read_on_a_connection_that_the_server_closes_is_sent_again() throws Exception {
        ClosingServer server = serve(Map.of(0, Way.DO_AND_CLOSE, 1, Way.CLOSE));

        assertThatThrownBy(() -> api.get(ConfigMap.class, ONE))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        failure -> assertThat(failure.getCode()).isEqualTo(404));
        assertThat(server.received()).containsOnly("GET " + ONE);
    }

    @Test
    void a_create_that_was_carried_out_before_its_connection_was_closed_has_succeeded() throws Exception {
        ClosingServer server = serve(Map.of(0, Way.DO_AND_CLOSE));

        ConfigMap made = api.create(ConfigMap.class, MAPS + "?fieldManager=test", map("one", "ours"));

        assertThat(made.getData()).containsEntry("of", "ours");
        assertThat(server.objects()).containsOnlyKeys(ONE);
        assertThat(server.received()).containsOnlyOnce("GET " + ONE);
    }

    @Test
    void a_create_with_a_chosen_name_beside_a_prefix_has_succeeded_as_well() throws Exception {
        ClosingServer server = serve(Map.of(0, Way.DO_AND_CLOSE));
        ConfigMap both = map("one", "ours");
        both.getMetadata().setGenerateName("on");

        assertThat(api.create(ConfigMap.class, MAPS, both).getData()).containsEntry("of", "ours");
        assertThat(server.objects()).containsOnlyKeys(ONE);
    }

    @Test
    void to_look_for_what_was_created_is_repeated_as_well() throws Exception {
        ClosingServer server = serve(Map.of(0, Way.DO_AND_CLOSE, 2, Way.CLOSE));

        assertThat(api.create(ConfigMap.class, MAPS, map("one", "ours")).getData())
                .containsEntry("of", "ours");
        assertThat(server.received()).containsExactly("POST " + MAPS, "POST " + MAPS, "GET " + ONE, "GET " + ONE);
    }

    @Test
    void a_create_by_the_typed_client_is_repeated_as_well() throws Exception {
        ClosingServer server = serve(Map.of(0, Way.DO_AND_CLOSE));

        ConfigMap made = client.resource(map("one", "ours")).inNamespace("ns").create();

        assertThat(made.getData()).containsEntry("of", "ours");
        assertThat(server.objects()).containsOnlyKeys(ONE);
    }

    @Test
    void somebody_elses_object_of_the_same_name_is_a_conflict() throws Exception {
        ClosingServer server = serve(Map.of(0, Way.ANSWER, 1, Way.CLOSE));
        api.create(ConfigMap.class, MAPS, map("one", "theirs"));

        assertThatThrownBy(() -> api.create(ConfigMap.class, MAPS, map("one", "ours")))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        failure -> assertThat(failure.getCode()).isEqualTo(409));
        assertThat(server.objects().get(ONE).encode()).contains("theirs");
    }

    @Test
    void a_request_is_repeated_only_so_often() throws Exception {
        Map<Integer, Way> always = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            always.put(i, Way.DO_AND_CLOSE);
        }
        ClosingServer server = serve(always);

        assertThatThrownBy(() -> api.get(ConfigMap.class, ONE)).isInstanceOf(KubernetesClientException.class);
        assertThat(server.received()).hasSizeBetween(2, 11);
    }

    @Test
    void what_the_server_would_name_is_not_made_twice() throws Exception {
        ClosingServer server = serve(Map.of(0, Way.DO_AND_CLOSE));
        ConfigMap unnamed = new ConfigMapBuilder()
                .withNewMetadata()
                .withGenerateName("one-")
                .endMetadata()
                .build();

        assertThatThrownBy(() -> api.create(ConfigMap.class, MAPS, unnamed))
                .isInstanceOf(KubernetesClientException.class);
        assertThat(server.received()).hasSize(1);
    }

    @Test
    void a_server_that_has_too_much_to_do_is_left_alone_by_all_and_nobody_fails() throws Exception {
        ClosingServer server = serve(Map.of(0, Way.TOO_MANY));

        assertThat(api.create(ConfigMap.class, MAPS, map("one", "ours")).getData())
                .containsEntry("of", "ours");

        assertThat(gate.opensAt()).isLessThanOrEqualTo(System.nanoTime());
        assertThat(server.received()).containsExactly("POST " + MAPS, "POST " + MAPS);
        assertThat(server.pauseAfter(0)).isGreaterThanOrEqualTo(Duration.ofMillis(990));
        assertThat(repeats("429")).isEqualTo(1);
    }

    @Test
    void while_the_gate_is_shut_callers_wait_longer_than_they_would_for_an_answer() throws Exception {
        serve(Map.of());
        api.create(ConfigMap.class, MAPS, map("one", "ours"));
        gate.shutFor(Duration.ofMillis(1200));

        ConfigMap read = api.within(Duration.ofSeconds(1)).get(ConfigMap.class, ONE);

        assertThat(read.getData()).containsEntry("of", "ours");
        assertThat(gate.pause()).isZero();
        assertThat(meters.get("rest_client_rate_limiter_duration").timer().count())
                .isEqualTo(1);
    }

    @Test
    void who_waits_at_the_gate_can_be_interrupted() throws Exception {
        ClosingServer server = serve(Map.of());
        gate.shutFor(Duration.ofMinutes(1));
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> api.get(ConfigMap.class, ONE)).isInstanceOf(KubernetesClientException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(server.received()).isEmpty();
    }

    @Test
    void leases_pass_the_gate() throws Exception {
        ClosingServer server = serve(Map.of());
        gate.shutFor(Duration.ofMinutes(1));

        assertThatThrownBy(() -> api.get(Lease.class, "/apis/coordination.k8s.io/v1/namespaces/ns/leases/leader"))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        failure -> assertThat(failure.getCode()).isEqualTo(404));
        assertThat(server.received()).hasSize(1);
    }

    @Test
    void an_answer_that_never_ends_is_a_failure_in_time() throws Exception {
        ClosingServer server = serve(Map.of(0, Way.STALL));
        StandardHttpClient<?, ?, ?> plain = (StandardHttpClient<?, ?, ?>)
                new JdkHttpClientFactory().newBuilder(client.getConfiguration()).build();
        try (HttpClient impatient = new RepeatingClient(
                plain,
                new Interceptor() {},
                new RequestMetrics(meters),
                gate,
                Executors.newScheduledThreadPool(1),
                Duration.ofMillis(200))) {
            HttpRequest request =
                    impatient.newHttpRequestBuilder().uri(server.url() + ONE).build();

            assertThat(impatient.sendAsync(request, byte[].class))
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableThat()
                    .withMessageContaining("no whole answer within 200 ms");
        }
    }

    @Test
    void interceptors_never_run_on_an_event_loop() throws Exception {
        ClosingServer server = serve(Map.of(1, Way.DO_AND_CLOSE));
        Promise<Integer> answered = Promise.promise();

        vertx.runOnContext(v -> Future.fromCompletionStage(client.getHttpClient()
                        .sendAsync(
                                client.getHttpClient()
                                        .newHttpRequestBuilder()
                                        .uri(server.url() + ONE)
                                        .build(),
                                byte[].class))
                .map(HttpResponse::code)
                .onComplete(answered));
        answered.future().await(60, TimeUnit.SECONDS);
        assertThatThrownBy(() -> api.get(ConfigMap.class, ONE)).isInstanceOf(KubernetesClientException.class);

        assertThat(onEventLoop).hasSize(3).containsOnly(false);
    }

    private double repeats(String code) {
        return meters.get("rest_client_request_retries")
                .tag("code", code)
                .counter()
                .count();
    }

    private static ConfigMap map(String name, String of) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .addToData("of", of)
                .build();
    }
}
