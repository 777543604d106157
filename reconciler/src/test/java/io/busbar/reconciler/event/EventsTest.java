package io.busbar.reconciler.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.guard.Faults;
import io.busbar.reconciler.CannedApi;
import io.busbar.reconciler.CannedApi.Answer;
import io.busbar.reconciler.CannedApi.Received;
import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.write.ApiRequests;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventsTest {

    private static final String PATH = "/apis/events.k8s.io/v1/namespaces/ns/events";

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final HasMetadata pod = new PodBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName("a")
            .withUid("uid")
            .withResourceVersion("3")
            .endMetadata()
            .build();
    private CannedApi api;
    private Events events;
    private EventRecorder recorder;

    @BeforeEach
    void start() throws Exception {
        api = new CannedApi();
        Clock clock = Clock.fixed(Instant.parse("2026-01-01T00:00:00.123456789Z"), ZoneOffset.UTC);
        events = new Events(new ApiRequests(api.client()), "pod-1", meters, clock);
        recorder = events.recorder("memcached");
    }

    @AfterEach
    void stop() throws Exception {
        events.close();
        api.close();
    }

    @ParameterizedTest
    @MethodSource("io.busbar.common.guard.Faults#all")
    void an_event_that_cannot_be_written_for_a_bug_holds_up_no_other(Throwable thrown) throws Exception {
        AtomicReference<Throwable> next = new AtomicReference<>(thrown);
        Interceptor broken = new Interceptor() {
            @Override
            public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                Faults.raise(next.getAndSet(null));
            }
        };
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(api.client().getConfiguration())
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("broken", broken))
                .build()) {
            Events tried = new Events(new ApiRequests(client), "pod-1", meters, Clock.systemUTC());
            tried.recorder("memcached").normal(pod, "First", "Try", "one");
            tried.recorder("memcached").normal(pod, "Second", "Try", "two");

            assertThat(api.await(1).get(0).body().getString("note")).isEqualTo("two");
            tried.close();
        }
    }

    @Test
    void an_event_says_who_saw_what_happen_to_which_object() throws Exception {
        recorder.warning(pod, "Failed", "Scale", "no room");
        Received sent = api.await(1).get(0);

        assertThat(sent.method()).isEqualTo("POST");
        assertThat(sent.path()).isEqualTo(PATH);
        JsonObject event = sent.body();
        assertThat(event.getString("apiVersion")).isEqualTo("events.k8s.io/v1");
        assertThat(event.getString("eventTime")).isEqualTo("2026-01-01T00:00:00.123456Z");
        assertThat(event.getString("reportingController")).isEqualTo("memcached");
        assertThat(event.getString("reportingInstance")).isEqualTo("pod-1");
        assertThat(event.getString("type")).isEqualTo("Warning");
        assertThat(event.getString("reason")).isEqualTo("Failed");
        assertThat(event.getString("action")).isEqualTo("Scale");
        assertThat(event.getString("note")).isEqualTo("no room");
        assertThat(event.getJsonObject("regarding"))
                .isEqualTo(
                        new JsonObject(
                                "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"namespace\":\"ns\",\"name\":\"a\",\"uid\":\"uid\"}"));
    }

    @Test
    void the_second_of_a_kind_counts_on_the_first() throws Exception {
        recorder.normal(pod, "Scaled", "Scale", "to 3");
        recorder.normal(pod, "Scaled", "Scale", "to 3");
        List<Received> sent = api.await(2);

        assertThat(sent.get(1).method()).isEqualTo("PATCH");
        assertThat(sent.get(1).path())
                .isEqualTo(PATH + "/"
                        + sent.get(0).body().getJsonObject("metadata").getString("name"));
        assertThat(sent.get(1).body())
                .isEqualTo(new JsonObject(
                        "{\"series\":{\"count\":2,\"lastObservedTime\":\"2026-01-01T00:00:00.123456Z\"}}"));
    }

    @Test
    void an_event_that_expired_is_written_anew() throws Exception {
        api.answer(request -> request.method().equals("PATCH") ? Answer.failure(404, "not found") : api.echo(request));
        recorder.normal(pod, "Scaled", "Scale", "to 3");
        recorder.normal(pod, "Scaled", "Scale", "to 3");

        assertThat(api.await(3)).extracting(Received::method).containsExactly("POST", "PATCH", "POST");
    }

    @Test
    void an_event_that_is_there_already_was_written_by_a_request_without_an_answer() throws Exception {
        api.answer(
                request -> request.method().equals("POST") ? Answer.failure(409, "already exists") : api.echo(request));
        recorder.normal(pod, "Scaled", "Scale", "to 3");
        recorder.normal(pod, "Scaled", "Scale", "to 3");

        assertThat(api.await(2)).extracting(Received::method).containsExactly("POST", "PATCH");
    }

    @Test
    void a_failed_write_does_not_stop_the_next() throws Exception {
        api.answer(request -> Answer.failure(500, "broken"));
        recorder.normal(pod, "One", "Scale", "note");
        recorder.normal(pod, "Two", "Scale", "note");

        assertThat(api.await(2))
                .extracting(one -> one.body().getString("reason"))
                .containsExactly("One", "Two");
    }

    @Test
    void events_about_cluster_scoped_objects_are_in_the_default_namespace() throws Exception {
        recorder.normal(namespace("n"), "R", "A", "note");

        assertThat(api.await(1).get(0).path()).isEqualTo("/apis/events.k8s.io/v1/namespaces/default/events");
    }

    @Test
    void old_api_servers_have_events_about_cluster_scoped_objects_in_kube_system() throws Exception {
        api.answer(request -> request.path().contains("/default/")
                ? Answer.failure(
                        422, "Event \"a\" is invalid: involvedObject.namespace: does not match event.namespace")
                : api.echo(request));
        recorder.normal(namespace("n"), "R", "A", "note");
        recorder.normal(namespace("m"), "R", "A", "note");

        assertThat(api.await(3))
                .extracting(request -> request.path().split("/", -1)[5])
                .containsExactly("default", "kube-system", "kube-system");
    }

    private static HasMetadata namespace(String name) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }

    @Test
    void what_does_not_fit_the_queue_is_dropped_and_counted() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        api.echoAfter(go);
        for (int i = 0; i < 1100; i++) {
            recorder.normal(pod, "Reason", "Action", "note " + i);
        }
        go.countDown();

        assertThat(meters.get("busbar_events_dropped").counter().count()).isBetween(99.0, 100.0);
    }
}
