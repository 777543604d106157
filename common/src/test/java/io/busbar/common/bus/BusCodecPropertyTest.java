package io.busbar.common.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class BusCodecPropertyTest {

    @Property(tries = 500)
    void what_is_read_from_the_wire_is_what_was_written(
            @ForAll("messages") Object message, @ForAll("text") String before, @ForAll("text") String after) {
        assertThat(overTheWire(message, before, after)).isEqualTo(message);
    }

    @Property(tries = 20)
    void inside_the_jvm_the_message_itself_passes(@ForAll("messages") Object message) {
        assertThat(transformed(codec(message), message)).isSameAs(message);
    }

    @Example
    void a_member_of_a_later_release_is_passed_over() {
        String json = new JsonObject()
                .put(
                        "key",
                        new JsonObject().put("namespace", "ns").put("name", "a").put("later", 1))
                .put("reason", "CHANGE")
                .put("later", "x")
                .encode();
        Buffer wire = Buffer.buffer().appendInt(json.length()).appendString(json);

        assertThat(codec(new ReconcileRequest(ObjectKey.of("b"), Reason.RESYNC)).decodeFromWire(0, wire))
                .isEqualTo(new ReconcileRequest(ObjectKey.of("ns", "a"), Reason.CHANGE));
    }

    @Example
    void a_key_in_the_operators_own_cluster_has_the_bytes_of_before() {
        ExternalChange here = new ExternalChange(ObjectKey.of("ns", "a"));
        Buffer wire = Buffer.buffer();
        codec(here).encodeToWire(wire, here);
        assertThat(wire.getString(Integer.BYTES, wire.length()))
                .isEqualTo("{\"key\":{\"namespace\":\"ns\",\"name\":\"a\"}}");
    }

    @Example
    void a_cause_of_a_way_that_a_later_release_knows_is_unknown() {
        ObjectKey key = ObjectKey.of("ns", "a");
        ReconcileRequest request =
                new ReconcileRequest(key, Reason.CHANGE, "", new Cause(Cause.How.SOURCE, "Pod", key, "7", "s"));
        Buffer wire = Buffer.buffer();
        codec(request).encodeToWire(wire, request);
        String later = wire.getString(Integer.BYTES, wire.length()).replace("SOURCE", "TELEPATHY");
        Buffer rewired = Buffer.buffer().appendInt(later.length()).appendString(later);

        assertThat(codec(request).decodeFromWire(0, rewired).cause())
                .isEqualTo(new Cause(Cause.How.UNKNOWN, "Pod", key, "7", "s"));
    }

    @Example
    void a_registered_bus_carries_messages_and_replies() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            BusCodec.registerAll(vertx.eventBus());
            BusCodec.registerAll(vertx.eventBus()); // as a second operator does
            CompletableFuture<Object> got = new CompletableFuture<>();
            vertx.eventBus().<ReconcileTask>consumer("here", message -> {
                got.complete(message.body());
                message.reply(ReconcileOutcome.requeue());
            });
            ReconcileTask task = new ReconcileTask(ObjectKey.of("ns", "a"), "id", 2);
            Object reply = vertx.eventBus()
                    .request("here", task)
                    .await(60, TimeUnit.SECONDS)
                    .body();

            assertThat(got.get(60, TimeUnit.SECONDS)).isSameAs(task);
            assertThat(reply).isEqualTo(ReconcileOutcome.requeue());
        } finally {
            vertx.close().await(60, TimeUnit.SECONDS);
        }
    }

    private static <T> T overTheWire(T message, String before, String after) {
        Buffer wire = Buffer.buffer(before);
        codec(message).encodeToWire(wire, message);
        wire.appendString(after);
        return codec(message).decodeFromWire(before.getBytes(StandardCharsets.UTF_8).length, wire);
    }

    private static <T> T transformed(BusCodec<T> codec, T message) {
        return codec.transform(message);
    }

    @SuppressWarnings("unchecked") // found by the message's own class
    private static <T> BusCodec<T> codec(T message) {
        return (BusCodec<T>) BusCodec.ALL.stream()
                .filter(codec -> codec.type() == message.getClass())
                .findFirst()
                .orElseThrow();
    }

    @Provide
    Arbitrary<Object> messages() {
        return Arbitraries.oneOf(requests(), changes(), lists(), externalChanges(), tasks(), outcomes());
    }

    @Provide
    Arbitrary<String> text() {
        return Arbitraries.strings().ofMaxLength(12);
    }

    private Arbitrary<Cause> causes() {
        return Combinators.combine(Arbitraries.of(Cause.How.class), text(), keys(), text(), text())
                .as(Cause::new);
    }

    private Arbitrary<ReconcileRequest> requests() {
        return Combinators.combine(keys(), Arbitraries.of(Reason.class), traceparents(), causes())
                .as(ReconcileRequest::new);
    }

    private Arbitrary<ResourceChanged> changes() {
        return Combinators.combine(types(), text(), keys(), Arbitraries.of(ResourceChanged.Kind.class), text())
                .as(ResourceChanged::new);
    }

    private Arbitrary<ResourceListed> lists() {
        return Combinators.combine(types(), text(), text()).as(ResourceListed::new);
    }

    private Arbitrary<ExternalChange> externalChanges() {
        return Combinators.combine(keys(), traceparents()).as(ExternalChange::new);
    }

    private Arbitrary<ResourceType> types() {
        return Combinators.combine(text(), text(), text(), text(), Arbitraries.of(true, false))
                .as(ResourceType::new);
    }

    private Arbitrary<ReconcileTask> tasks() {
        return Combinators.combine(keys(), text(), Arbitraries.integers(), causes(), traceparents())
                .as(ReconcileTask::new);
    }

    private Arbitrary<ReconcileOutcome> outcomes() {
        Arbitrary<Duration> delays = Arbitraries.longs().map(Duration::ofNanos);
        return Combinators.combine(Arbitraries.of(ReconcileOutcome.Kind.class), delays, text())
                .as(ReconcileOutcome::new);
    }

    private Arbitrary<String> traceparents() {
        return Arbitraries.of("", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    }

    private Arbitrary<ObjectKey> keys() {
        Arbitrary<String> names = Arbitraries.strings().ofMinLength(1).ofMaxLength(12);
        return Combinators.combine(text(), names, text()).as(ObjectKey::new);
    }
}
