package io.busbar.watcher.reflect;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.WatchSpec;
import io.busbar.watcher.wire.RawObject;
import io.busbar.watcher.wire.ResponseParser;
import io.busbar.watcher.wire.Signal;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What has arrived may be another replica's by the time that it is brought. */
class ProgressTest {

    private final Set<String> owners = new HashSet<>(Set.of("ours", "lost"));
    private final Told sink = new Told();
    private final Progress<String> progress = new Progress<>(
            sink, new StreamMetrics(new SimpleMeterRegistry(), "maps", "", () -> Duration.ZERO), owners::contains);

    @Test
    void an_event_of_an_owner_that_was_lost_since_it_arrived_is_not_brought() throws Exception {
        List<Arrival<String>> arrived = arrivals(
                event("MODIFIED", "a", "11", "lost"),
                event("MODIFIED", "b", "12", "ours"),
                event("DELETED", "c", "13", "lost"));
        owners.remove("lost");
        progress.beginWatch();
        arrived.forEach(progress::take);

        assertThat(sink.calls).containsExactly("drop a 11", "put b 12", "drop c 13");
        assertThat(progress.resourceVersion()).isEqualTo("13");
    }

    @Test
    void a_list_leaves_out_what_was_lost_since_it_arrived_or_began() throws Exception {
        List<Arrival<String>> first = arrivals(list(item("a", "1", "lost"), item("b", "2", "ours")));
        List<Arrival<String>> second = arrivals(list(item("c", "3", "lost")));
        progress.beginList(false);
        first.forEach(progress::take);
        owners.remove("lost");
        second.forEach(progress::take);
        progress.completeList("10");

        assertThat(sink.calls).containsExactly("put a ", "put b ", "retain [a, b] 10");
    }

    @Test
    void what_became_anothers_during_a_streaming_list_does_not_stay() throws Exception {
        progress.beginList(false);
        arrivals(event("ADDED", "a", "1", "ours"), event("MODIFIED", "a", "2", "others"))
                .forEach(progress::take);
        progress.completeList("10");

        assertThat(sink.calls).containsExactly("put a ", "retain [] 10");
    }

    private List<Arrival<String>> arrivals(String... documents) throws Exception {
        List<Arrival<String>> arrivals = new ArrayList<>();
        ResponseParser parser = new ResponseParser(
                WatchSpec.of(ConfigMap.class),
                owners::contains,
                signal -> arrivals.add(new Arrival<>(signal, Told.name(signal))));
        parser.feed(ByteBuffer.wrap(String.join("\n", documents).getBytes(StandardCharsets.UTF_8)));
        return arrivals;
    }

    private static String list(String... items) {
        return "{\"metadata\":{\"resourceVersion\":\"10\"},\"items\":[" + String.join(",", items) + "]}";
    }

    private static String event(String type, String name, String version, String owner) {
        return "{\"type\":\"" + type + "\",\"object\":" + item(name, version, owner) + "}";
    }

    private static String item(String name, String version, String owner) {
        return "{\"metadata\":{\"namespace\":\"n\",\"name\":\"" + name + "\",\"resourceVersion\":\"" + version
                + "\",\"ownerReferences\":[{\"uid\":\"" + owner + "\",\"controller\":true}]}}";
    }

    /** Writes down what it is told, but that a version is reached. */
    private static final class Told implements Sink<String> {

        private final List<String> calls = new ArrayList<>();

        static @Nullable String name(Signal signal) {
            RawObject raw = signal instanceof Signal.Listed listed
                    ? listed.object()
                    : signal instanceof Signal.Changed changed
                            ? changed.object()
                            : signal instanceof Signal.Deleted deleted ? deleted.object() : null;
            return raw == null || raw.isAnothers() ? null : raw.key().name();
        }

        @Override
        public String prepare(RawObject raw) {
            throw new UnsupportedOperationException("objects come prepared here");
        }

        @Override
        public void put(String object, boolean first, String reached) {
            calls.add("put " + object + " " + reached);
        }

        @Override
        public void remove(String last, String reached) {
            calls.add("remove " + last + " " + reached);
        }

        @Override
        public void drop(ObjectKey key, String reached) {
            calls.add("drop " + key.name() + " " + reached);
        }

        @Override
        public void retain(Set<ObjectKey> listed, String reached) {
            calls.add("retain " + listed.stream().map(ObjectKey::name).sorted().toList() + " " + reached);
        }

        @Override
        public void reached(String version) {
            // Of no interest here.
        }

        @Override
        public Set<ObjectKey> keys() {
            return Set.of();
        }

        @Override
        public @Nullable String version(ObjectKey key) {
            return null;
        }
    }
}
