package io.busbar.operator.command;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

/**
 * Takes in spans by OTLP over HTTP, in Protobuf, at the path that collectors have for them; and knows no other. Any
 * thread.
 */
final class Collector {

    private final HttpServer server;
    private final List<String> paths = new CopyOnWriteArrayList<>();
    private final List<ResourceSpans> received = new CopyOnWriteArrayList<>();

    Collector(Vertx vertx) throws Exception {
        server = vertx.createHttpServer()
                .requestHandler(this::handle)
                .listen(0, "127.0.0.1")
                .await(60, TimeUnit.SECONDS);
    }

    String url() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    /** Of all requests that came. */
    List<String> paths() {
        return List.copyOf(paths);
    }

    Map<String, String> resource() {
        return texts(received.get(0).getResource().getAttributesList());
    }

    List<Span> spans() {
        return received.stream()
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .flatMap(scope -> scope.getSpansList().stream())
                .toList();
    }

    /** The attributes as text, numbers too. */
    static Map<String, String> texts(List<KeyValue> attributes) {
        Map<String, String> texts = new HashMap<>();
        attributes.forEach(one -> texts.put(
                one.getKey(),
                one.getValue().hasIntValue()
                        ? Long.toString(one.getValue().getIntValue())
                        : one.getValue().getStringValue()));
        return texts;
    }

    private void handle(HttpServerRequest request) {
        paths.add(request.path());
        request.body().onSuccess(body -> {
            boolean expected = request.path().equals("/v1/traces")
                    && "application/x-protobuf".equals(request.getHeader("content-type"));
            if (expected) {
                received.addAll(read(body.getBytes(), "gzip".equals(request.getHeader("content-encoding"))));
            }
            request.response().setStatusCode(expected ? 200 : 404).end();
        });
    }

    private static List<ResourceSpans> read(byte[] body, boolean gzip) {
        try {
            byte[] plain = gzip ? new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes() : body;
            return ExportTraceServiceRequest.parseFrom(plain).getResourceSpansList();
        } catch (InvalidProtocolBufferException notSpans) {
            throw new AssertionError(notSpans);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
