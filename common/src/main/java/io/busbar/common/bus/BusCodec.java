package io.busbar.common.bus;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Carries one type of message: by reference inside the JVM, as length-prefixed UTF-8 JSON on a wire.
 *
 * <p>Immutable. Readers ignore members that they do not know, so that replicas of two releases understand each other.
 */
public final class BusCodec<T> implements MessageCodec<T, T> {

    /** A codec for each message of this package. */
    public static final List<BusCodec<?>> ALL = List.of(
            new BusCodec<>(ReconcileRequest.class, BusCodec::write, BusCodec::reconcileRequest),
            new BusCodec<>(ResourceChanged.class, BusCodec::write, BusCodec::resourceChanged),
            new BusCodec<>(ResourceListed.class, BusCodec::write, BusCodec::resourceListed),
            new BusCodec<>(ExternalChange.class, BusCodec::write, BusCodec::externalChange),
            new BusCodec<>(ReconcileTask.class, BusCodec::write, BusCodec::reconcileTask),
            new BusCodec<>(ReconcileOutcome.class, BusCodec::write, BusCodec::reconcileOutcome));

    private final Class<T> type;
    private final Function<T, JsonObject> writer;
    private final Function<JsonObject, T> reader;

    private BusCodec(Class<T> type, Function<T, JsonObject> writer, Function<JsonObject, T> reader) {
        this.type = type;
        this.writer = writer;
        this.reader = reader;
    }

    /**
     * Makes the messages of this package known to a bus. Where they are, since another operator uses the same bus,
     * nothing changes.
     */
    public static void registerAll(EventBus bus) {
        ALL.forEach(codec -> codec.register(bus));
    }

    private void register(EventBus bus) {
        try {
            bus.registerDefaultCodec(type, this);
        } catch (IllegalStateException known) { // by no other codec: this type is carried by this one alone
            return;
        }
    }

    /** The type of message that this codec carries. */
    public Class<T> type() {
        return type;
    }

    @Override
    public void encodeToWire(Buffer wire, T message) {
        byte[] json = writer.apply(message).encode().getBytes(StandardCharsets.UTF_8);
        wire.appendInt(json.length).appendBytes(json);
    }

    @Override
    public T decodeFromWire(int position, Buffer wire) {
        int start = position + Integer.BYTES;
        int length = wire.getInt(position);
        return reader.apply(new JsonObject(wire.getString(start, start + length)));
    }

    @Override
    public T transform(T message) {
        return message;
    }

    @Override
    public String name() {
        return type.getName();
    }

    @Override
    public byte systemCodecID() {
        return -1;
    }

    private static JsonObject write(ReconcileRequest message) {
        JsonObject json = new JsonObject()
                .put("key", write(message.key()))
                .put("reason", message.reason().name())
                .put("cause", write(message.cause()));
        return traced(json, message.traceparent());
    }

    private static ReconcileRequest reconcileRequest(JsonObject json) {
        return new ReconcileRequest(
                key(json), Reason.valueOf(json.getString("reason")), traceparent(json), cause(json));
    }

    private static JsonObject write(Cause cause) {
        return new JsonObject()
                .put("how", cause.how().name())
                .put("kind", cause.kind())
                .put("key", write(cause.object()))
                .put("resourceVersion", cause.resourceVersion())
                .put("source", cause.source());
    }

    /** A release that does not tell the cause may be on the other side. */
    private static Cause cause(JsonObject message) {
        JsonObject cause = message.getJsonObject("cause");
        if (cause == null) {
            return new ReconcileRequest(key(message), Reason.valueOf(message.getString("reason", Reason.CHANGE.name())))
                    .cause();
        }
        return new Cause(
                how(cause.getString("how")),
                cause.getString("kind"),
                key(cause),
                cause.getString("resourceVersion"),
                cause.getString("source", ""));
    }

    /** A later release may know ways that this one does not. */
    private static Cause.How how(String name) {
        return Arrays.stream(Cause.How.values())
                .filter(how -> how.name().equals(name))
                .findFirst()
                .orElse(Cause.How.UNKNOWN);
    }

    private static JsonObject write(ExternalChange message) {
        return traced(new JsonObject().put("key", write(message.key())), message.traceparent());
    }

    private static ExternalChange externalChange(JsonObject json) {
        return new ExternalChange(key(json), traceparent(json));
    }

    private static JsonObject write(ResourceChanged message) {
        return write(message.type())
                .put("watch", message.watch())
                .put("key", write(message.key()))
                .put("kind", message.kind().name())
                .put("resourceVersion", message.resourceVersion());
    }

    private static ResourceChanged resourceChanged(JsonObject json) {
        return new ResourceChanged(
                resourceType(json),
                json.getString("watch"),
                key(json),
                ResourceChanged.Kind.valueOf(json.getString("kind")),
                json.getString("resourceVersion"));
    }

    private static JsonObject write(ResourceListed message) {
        return write(message.type()).put("watch", message.watch()).put("namespace", message.namespace());
    }

    private static ResourceListed resourceListed(JsonObject json) {
        return new ResourceListed(resourceType(json), json.getString("watch"), json.getString("namespace"));
    }

    private static JsonObject write(ResourceType type) {
        return new JsonObject()
                .put("group", type.group())
                .put("version", type.version())
                .put("type", type.kind())
                .put("plural", type.plural())
                .put("namespaced", type.namespaced());
    }

    private static ResourceType resourceType(JsonObject json) {
        return new ResourceType(
                json.getString("group"),
                json.getString("version"),
                json.getString("type"),
                json.getString("plural"),
                json.getBoolean("namespaced"));
    }

    private static JsonObject write(ReconcileTask message) {
        JsonObject json = new JsonObject()
                .put("key", write(message.key()))
                .put("reconcileId", message.reconcileId())
                .put("attempt", message.attempt())
                .put("cause", write(message.cause()));
        return traced(json, message.traceparent());
    }

    private static ReconcileTask reconcileTask(JsonObject json) {
        return new ReconcileTask(
                key(json), json.getString("reconcileId"), json.getInteger("attempt"), cause(json), traceparent(json));
    }

    private static JsonObject write(ReconcileOutcome message) {
        return new JsonObject()
                .put("kind", message.kind().name())
                .put("delay", message.delay().toString())
                .put("error", message.error());
    }

    private static ReconcileOutcome reconcileOutcome(JsonObject json) {
        return new ReconcileOutcome(
                ReconcileOutcome.Kind.valueOf(json.getString("kind")),
                Duration.parse(json.getString("delay")),
                json.getString("error"));
    }

    private static JsonObject traced(JsonObject message, String traceparent) {
        return traceparent.isEmpty() ? message : message.put("traceparent", traceparent);
    }

    private static String traceparent(JsonObject message) {
        return message.getString("traceparent", "");
    }

    private static JsonObject write(ObjectKey key) {
        JsonObject json = new JsonObject().put("namespace", key.namespace()).put("name", key.name());
        return key.cluster().isEmpty() ? json : json.put("cluster", key.cluster());
    }

    private static ObjectKey key(JsonObject message) {
        JsonObject key = message.getJsonObject("key");
        return ObjectKey.of(key.getString("namespace"), key.getString("name")).in(key.getString("cluster", ""));
    }
}
