package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.http.Accept.Format;
import io.busbar.sandbox.patch.PatchException;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.wire.ProtobufEncoder;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.StreamResetException;
import java.nio.channels.ClosedChannelException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Sends answers.
 *
 * <p>One context.
 */
final class Responses {

    private static final Logger log = LoggerFactory.getLogger(Responses.class);

    private final Renderer renderer;
    private final Encodings encodings;
    private final RequestLog requests;
    private final Delivery delivery;

    Responses(Renderer renderer, Encodings encodings, RequestLog requests, Delivery delivery) {
        this.renderer = renderer;
        this.encodings = encodings;
        this.requests = requests;
        this.delivery = delivery;
    }

    void send(Call call, Reply reply) {
        if (reply instanceof Reply.OfBytes plain) {
            send(call, plain.status(), plain.contentType(), plain.bytes());
        } else if (reply instanceof Reply.OfObject object) {
            send(call, object);
        } else if (reply instanceof Reply.OfPage page) {
            send(call, page);
        } else if (reply instanceof Reply.OfNode node) {
            send(call, node.status(), node.node());
        }
    }

    void fail(Call call, Throwable failure) {
        if (failure instanceof NoSuchPage) {
            send(call, NoSuchPage.REPLY);
            return;
        }
        StatusException status = status(call, failure);
        ObjectNode body = status.body();
        int seconds = body.path("details").path("retryAfterSeconds").asInt();
        HttpServerResponse response = call.request().response();
        if (seconds > 0 && !response.headWritten()) {
            response.putHeader("Retry-After", Integer.toString(seconds));
        }
        send(call, status.code(), body);
    }

    /** What a client is told of a failure. */
    static StatusException status(Call call, Throwable failure) {
        return failure instanceof StatusException known
                ? known
                : failure instanceof PatchException patch ? Patches.status(patch) : unexpected(call, failure);
    }

    private static StatusException unexpected(Call call, Throwable failure) {
        log.atLevel(isLostConnection(failure) ? Level.DEBUG : Level.ERROR)
                .addKeyValue("requestID", call.id())
                .addKeyValue("method", call.method())
                .addKeyValue("path", call.path())
                .setCause(failure)
                .log("a request failed");
        return StatusException.internal(String.valueOf(failure));
    }

    /** Whether a client has gone, or the server is being stopped, before the answer was sent. */
    private static boolean isLostConnection(Throwable failure) {
        return failure instanceof HttpClosedException
                || failure instanceof StreamResetException
                || failure instanceof ClosedChannelException
                || failure instanceof CancellationException;
    }

    private void send(Call call, Reply.OfObject reply) {
        if (call.accept().format() == Format.PROTOBUF) {
            ResourceType type = checked(reply.resource()).type();
            byte[] bytes = ProtobufEncoder.object(type.group(), type.version(), reply.object());
            send(call, reply.status(), Format.PROTOBUF.mediaType(), Buffer.buffer(bytes));
            return;
        }
        if (call.accept().isPlain() && call.accept().format() == Format.JSON && !pretty(call)) {
            byte[] json = encodings.of(reply.object(), renderer.drops(call));
            send(call, reply.status(), "application/json", Buffer.buffer(json));
        } else {
            send(call, reply.status(), renderer.render(call, reply));
        }
    }

    private void send(Call call, Reply.OfPage reply) {
        JsonSerializable list = renderer.render(call, reply);
        if (call.accept().format() != Format.PROTOBUF) {
            send(call, reply.status(), list);
            return;
        }
        Resource resource = checked(reply.resource());
        ResourceType type = resource.type();
        byte[] bytes = ProtobufEncoder.list(
                type.group(),
                type.version(),
                type.kind(),
                resource.listKind(),
                Renderer.listMetadata(reply.page()),
                reply.page().items());
        send(call, reply.status(), Format.PROTOBUF.mediaType(), Buffer.buffer(bytes));
    }

    /** @throws StatusException 406 for objects that have no form but JSON's */
    private static Resource checked(Resource resource) {
        ResourceType type = resource.type();
        if (resource.custom() != null || !ProtobufEncoder.knows(type.group(), type.version(), type.kind())) {
            throw StatusException.notAcceptable(List.of(Format.JSON.mediaType(), Format.YAML.mediaType()));
        }
        return resource;
    }

    private void send(Call call, int status, JsonSerializable body) {
        if (call.accept().format() == Format.YAML) {
            send(call, status, Format.YAML.mediaType(), Buffer.buffer(Json.writeYaml(body)));
            return;
        }
        if (call.accept().format() == Format.PROTOBUF
                && body instanceof JsonNode node
                && node.path("kind").asText().equals("Status")) {
            send(call, status, Format.PROTOBUF.mediaType(), Buffer.buffer(ProtobufEncoder.status(node)));
            return;
        }
        byte[] bytes = pretty(call) ? Json.writePretty(body) : Json.write(body);
        send(call, status, "application/json", Buffer.buffer(bytes));
    }

    /** As the real server: for people's own eyes, unless told otherwise. */
    private static boolean pretty(Call call) {
        String agent = call.header("User-Agent");
        return call.query().contains("pretty")
                ? call.flag("pretty")
                : agent.startsWith("curl") || agent.startsWith("Wget") || agent.startsWith("Mozilla/5.0");
    }

    private void send(Call call, int status, String contentType, Buffer bytes) {
        HttpServerResponse response = call.request().response();
        if (response.ended() || response.closed()) {
            return;
        }
        if (response.headWritten()) {
            response.reset();
            return;
        }
        response.setStatusCode(status)
                .putHeader("Audit-Id", call.id())
                .putHeader("Content-Type", contentType)
                .putHeader("Cache-Control", "no-cache, private");
        requests.answered(call, status);
        for (String warning : new LinkedHashSet<>(call.warnings())) {
            response.headers().add("Warning", "299 - \"" + escaped(warning) + "\"");
        }
        if (call.method().name().equals("HEAD")) {
            response.putHeader("Content-Length", Integer.toString(bytes.length()));
            delivery.end(call, Buffer.buffer());
        } else {
            delivery.end(call, bytes);
        }
    }

    private static String escaped(String warning) {
        return warning.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("[\\x00-\\x1f\\x7f]", " ");
    }
}
