package io.busbar.operator.command;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.protobuf.ByteString;
import io.busbar.operator.Main;
import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.faults.Fault;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import io.vertx.core.Vertx;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a collector gets of a whole operator that is given the flag for it, or is not. */
@KubernetesSandbox
class TracesTest {

    private static final int PODS = 3;

    private final Vertx vertx = Vertx.vertx();
    private final Sandbox sandbox;
    private final KubernetesClient client;
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private Collector collector;

    TracesTest(Sandbox sandbox, KubernetesClient client) {
        this.sandbox = sandbox;
        this.client = client;
        Installation.install(client, Bundled.operator());
    }

    @BeforeEach
    void collect() throws Exception {
        collector = new Collector(vertx);
        log.start();
        logger().addAppender(log);
    }

    @AfterEach
    void close() throws Exception {
        logger().detachAppender(log);
        sandbox.faults().clear().join();
        vertx.close().await(60, TimeUnit.SECONDS);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("io.busbar.reconciler");
    }

    @Test
    void a_change_is_followed_through_the_queue_into_its_reconcile_and_its_requests() throws Exception {
        // The key stays out until the watch has seen the Pods that its reconcile makes.
        sandbox.faults()
                .inject(Fault.on("patch", "podsets.apps.jicki.cn/status").delayed(Duration.ofMillis(500)));
        sandbox.faults().inject(Fault.on("create", "pods").refused(503).retryAfter(Duration.ofSeconds(1)));
        run("traced", "--tracing-endpoint=" + collector.url());

        Span event = span("watch podsets.apps.jicki.cn", Map.of("change", "added", "name", "traced"));
        Span wait = child(event, "queue podset");
        Span reconcile = child(wait, "reconcile podset");
        assertThat(event.getParentSpanId()).isEqualTo(ByteString.EMPTY);
        assertThat(event.getKind()).isEqualTo(SpanKind.SPAN_KIND_PRODUCER);
        assertThat(attributes(event)).containsEntry("namespace", "default").containsKey("resourceVersion");
        assertThat(attributes(wait)).containsEntry("reason", "change").containsEntry("controller", "podset");
        assertThat(attributes(reconcile))
                .containsEntry("name", "traced")
                .containsEntry("attempt", "1")
                .containsEntry("outcome", "await_change")
                .containsKey("reconcileID");
        assertThat(List.of(event, wait, reconcile))
                .isSortedAccordingTo(
                        (one, next) -> Long.compare(one.getStartTimeUnixNano(), next.getStartTimeUnixNano()));

        assertThat(children(reconcile).map(TracesTest::request))
                .contains("patch podsets/status 200")
                .filteredOn(request -> request.startsWith("create pods"))
                .as("the refused one was tried again")
                .containsExactlyInAnyOrder("create pods 201", "create pods 201", "create pods 201", "create pods 503");
    }

    @Test
    void what_was_folded_into_one_reconcile_is_linked_to_it() throws Exception {
        sandbox.faults()
                .inject(Fault.on("patch", "podsets.apps.jicki.cn/status").delayed(Duration.ofMillis(500)));
        run("folded", "--tracing-endpoint=" + collector.url());

        Span wait = collector.spans().stream()
                .filter(span -> span.getName().equals("queue podset") && span.getLinksCount() > 0)
                .findFirst()
                .orElseThrow();
        List<String> causes = Stream.concat(
                        Stream.of(wait.getParentSpanId()),
                        wait.getLinksList().stream().map(Span.Link::getSpanId))
                .map(id -> collector.spans().stream()
                        .filter(span -> span.getSpanId().equals(id))
                        .map(Span::getName)
                        .findFirst()
                        .orElse("none"))
                .toList();
        assertThat(causes).hasSizeGreaterThanOrEqualTo(2).doesNotContain("none").contains("watch pods");
        assertThat(wait.getLinks(0).getTraceId()).isNotEqualTo(wait.getTraceId());
    }

    @Test
    void a_failure_is_recorded_and_its_retry_is_in_the_same_trace_which_the_log_names() throws Exception {
        sandbox.faults().inject(Fault.on("create", "pods").refused(403));
        run("failing", "--tracing-endpoint=" + collector.url());

        Span failed = span("reconcile podset", Map.of("name", "failing", "outcome", "failed"));
        assertThat(failed.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
        assertThat(failed.getEventsList()).singleElement().satisfies(thrown -> {
            assertThat(thrown.getName()).isEqualTo("exception");
            assertThat(Collector.texts(thrown.getAttributesList()))
                    .containsEntry("exception.type", "io.fabric8.kubernetes.client.KubernetesClientException");
        });
        assertThat(children(failed).filter(span -> request(span).equals("create pods 403")))
                .singleElement()
                .satisfies(span -> assertThat(span.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR));
        assertThat(collector.spans())
                .filteredOn(span -> span.getTraceId().equals(failed.getTraceId()))
                .filteredOn(span -> span.getName().equals("reconcile podset"))
                .extracting(span -> attributes(span).get("attempt"))
                .contains("1", "2");
        assertThat(log.list)
                .filteredOn(line -> line.getMessage().equals("reconcile failed"))
                .isNotEmpty()
                .first()
                .satisfies(line -> assertThat(line.getMDCPropertyMap())
                        .containsEntry("trace_id", hex(failed.getTraceId()))
                        .containsEntry("reconcileID", attributes(failed).get("reconcileID")));
    }

    @Test
    void reviews_are_traced_too_and_who_sends_all_that_is_said() throws Exception {
        run("reviewed", "--tracing-endpoint=" + collector.url() + "/", "--tracing-sampling-ratio=1");

        assertThat(collector.paths()).isNotEmpty().containsOnly("/v1/traces");
        assertThat(collector.resource()).containsEntry("service.name", "busbar").containsKey("service.instance.id");
        assertThat(collector.spans())
                .filteredOn(span -> span.getKind() == SpanKind.SPAN_KIND_SERVER)
                .filteredOn(span -> "pods".equals(attributes(span).get("resource")))
                .hasSizeGreaterThanOrEqualTo(PODS)
                .allSatisfy(span -> assertThat(attributes(span))
                        .containsEntry("http.response.status_code", "200")
                        .containsEntry("operation", "create"));
    }

    @Test
    void nothing_is_sent_nor_asked_of_the_api_server_without_the_flag() throws Exception {
        List<String> headers = run("untraced");

        assertThat(headers).isNotEmpty().containsOnly("none");
        assertThat(collector.paths()).isEmpty();
    }

    @Test
    void the_part_that_is_wanted_is_the_part_that_is_sent() throws Exception {
        List<String> headers = run("unsampled", "--tracing-endpoint=" + collector.url(), "--tracing-sampling-ratio=0");

        assertThat(headers).anySatisfy(header -> assertThat(header).matches("00-.+-0[02]"));
        assertThat(collector.paths()).isEmpty();
    }

    /**
     * Has an operator make a set of Pods, and stops it, by when all spans have been sent.
     *
     * @return the traceparent of each of its requests, or none
     */
    private List<String> run(String name, String... flags) throws Exception {
        List<String> headers = new CopyOnWriteArrayList<>();
        StandaloneOperator operator = new StandaloneOperator(
                Bundled.operator(), client.getConfiguration(), options(flags), List.of(new Interceptor() {
                    @Override
                    public void after(
                            HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> body) {
                        headers.add(Objects.requireNonNullElse(request.header("traceparent"), "none"));
                    }
                }));
        try {
            operator.start();
            client.resource(Serialization.unmarshal("""
                            apiVersion: apps.jicki.cn/v1alpha1
                            kind: PodSet
                            metadata: {name: %s, namespace: default}
                            spec: {size: %d}
                            """.formatted(name, PODS), PodSet.class))
                    .create();
            Awaitility.await(name).atMost(Duration.ofSeconds(60)).until(() -> {
                PodSet set = client.resources(PodSet.class)
                        .inNamespace("default")
                        .withName(name)
                        .require();
                return set.getStatus() != null && set.getStatus().readyReplicas() == PODS;
            });
        } finally {
            operator.stop();
        }
        return headers;
    }

    private static OperatorOptions options(String... flags) {
        List<String> words = new ArrayList<>(List.of(
                "--metrics-bind-address=0",
                "--health-probe-bind-address=0",
                "--webhook-bind-address=127.0.0.1",
                "--webhook-port=0",
                "--webhook-certs=self-signed",
                "--webhook-url=https://127.0.0.1:0"));
        words.addAll(List.of(flags));
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return Main.program().commandLine(Map.of(), nowhere, nowhere).options(words.toArray(String[]::new));
    }

    private Span span(String name, Map<String, String> attributes) {
        return collector.spans().stream()
                .filter(span -> span.getName().equals(name)
                        && attributes(span).entrySet().containsAll(attributes.entrySet()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no span " + name + " " + attributes + " in "
                        + collector.spans().stream()
                                .map(Span::getName)
                                .distinct()
                                .toList()));
    }

    private Span child(Span parent, String name) {
        return children(parent)
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(parent.getName() + " has no child " + name));
    }

    private Stream<Span> children(Span parent) {
        return collector.spans().stream()
                .filter(span -> span.getTraceId().equals(parent.getTraceId())
                        && span.getParentSpanId().equals(parent.getSpanId()));
    }

    private static String request(Span span) {
        return span.getName() + " " + attributes(span).get("http.response.status_code");
    }

    private static Map<String, String> attributes(Span span) {
        return Collector.texts(span.getAttributesList());
    }

    private static String hex(ByteString id) {
        return HexFormat.of().formatHex(id.toByteArray());
    }
}
