package io.busbar.watcher.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.ResourceChanged.Kind;
import io.busbar.common.guard.Faults;
import io.busbar.common.guard.Guard;
import io.busbar.common.guard.SlowCalls;
import io.busbar.common.watch.Change;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.WatchSpec;
import io.busbar.watcher.wire.RawObject;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StoreTest {

    private static final Index<ConfigMap> BY_COLOUR = new Index<>(
            "colour",
            map -> map.getData() == null
                    ? List.of()
                    : List.of(map.getData().get("colour").split(",")));

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<ObjectKey> unfit = new ArrayList<>();
    private final Store<ConfigMap> store = store(WatchSpec.of(ConfigMap.class), 1 << 20);

    @Test
    void reads_what_was_put() {
        put(object("n", "a", "1", "red"));

        assertThat(store.get(ObjectKey.of("n", "a")).orElseThrow().getData()).containsEntry("colour", "red");
        assertThat(store.get(ObjectKey.of("m", "a"))).isEmpty();
        assertThat(names(store.list("n"))).containsExactly("n/a");
        assertThat(store.list("m")).isEmpty();
        assertThat(store.size()).isEqualTo(1);
    }

    @Test
    void an_object_of_the_same_version_is_no_change() {
        put(object("n", "a", "1", "red"));

        assertThat(put(object("n", "a", "1", "red"))).isEmpty();
    }

    @Test
    void what_is_there_by_its_key_is_there_by_its_values() throws Exception {
        store.declare(BY_COLOUR);
        int many = 20_000;
        List<String> missed = new ArrayList<>();
        Thread reader = new Thread(() -> {
            for (int i = 0; i < many; i++) {
                ObjectKey key = ObjectKey.of("n", "a" + i);
                while (store.get(key).isEmpty()) {
                    Thread.onSpinWait();
                }
                if (store.by(BY_COLOUR, "c" + i).isEmpty()) {
                    missed.add(key.name());
                }
            }
        });
        reader.setDaemon(true);
        reader.start();
        for (int i = 0; i < many; i++) {
            put(object("n", "a" + i, "1", "c" + i));
        }
        reader.join();

        assertThat(missed).isEmpty();
    }

    @Test
    void knows_how_many_bytes_it_holds() {
        put(object("n", "a", "1", "red"));
        long one = store.bytes();
        assertThat(one).isPositive();
        put(object("n", "b", "2", "red"));
        assertThat(store.bytes()).isEqualTo(2 * one);
        put(object("n", "b", "3", "redder"));
        assertThat(store.bytes()).isEqualTo(2 * one + 3);
        put(object("n", "b", "uid-2", "4", "red"));
        store.remove(ObjectKey.of("n", "a"));
        store.remove(ObjectKey.of("n", "b"));
        assertThat(store.bytes()).isZero();
    }

    @Test
    void tells_before_and_after() {
        assertThat(change(put(object("n", "a", "1", "red")))).isEqualTo(Kind.ADDED + " null->red false");
        assertThat(change(put(object("n", "a", "2", "blue")))).isEqualTo(Kind.MODIFIED + " red->blue false");
        assertThat(change(store.remove(store.prepare(object("n", "a", "3", "green")))))
                .isEqualTo(Kind.DELETED + " green->null false");
        assertThat(store.remove(ObjectKey.of("n", "a"))).isEmpty();
        assertThat(change(store.put(store.prepare(object("n", "b", "4", "red")), true)))
                .isEqualTo(Kind.ADDED + " null->red true");
        assertThat(change(store.remove(ObjectKey.of("n", "b")))).isEqualTo(Kind.DELETED + " red->null false");
    }

    @Test
    void an_object_of_the_same_name_but_another_uid_is_a_deletion_and_an_addition() {
        put(object("n", "a", "1", "red"));
        List<StoreChange<ConfigMap>> changes = put(object("n", "a", "uid-2", "5", "blue"));

        assertThat(changes).extracting(StoreChange::kind).containsExactly(Kind.DELETED, Kind.ADDED);
        assertThat(changes.get(0).change().get().orElseThrow().before()).isNotNull();
        assertThat(store.size()).isEqualTo(1);
    }

    @Test
    void an_index_follows_each_change() {
        store.declare(BY_COLOUR);
        put(object("n", "a", "1", "red,blue"));
        put(object("n", "b", "2", "red"));
        assertThat(names(store.by(BY_COLOUR, "red"))).containsExactlyInAnyOrder("n/a", "n/b");

        put(object("n", "a", "3", "green"));
        assertThat(names(store.by(BY_COLOUR, "red"))).containsExactly("n/b");
        assertThat(store.by(BY_COLOUR, "blue")).isEmpty();
        assertThat(names(store.by(BY_COLOUR, "green"))).containsExactly("n/a");

        store.remove(ObjectKey.of("n", "a"));
        assertThat(store.by(BY_COLOUR, "green")).isEmpty();
    }

    @Test
    void a_late_index_is_filled_by_key() {
        put(object("n", "a", "1", "red"));
        assertThat(store.declare(BY_COLOUR)).isTrue();
        store.keys(null).forEach(key -> store.file(BY_COLOUR, key));

        assertThat(names(store.by(BY_COLOUR, "red"))).containsExactly("n/a");
        assertThat(store.declare(BY_COLOUR)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("io.busbar.common.guard.Faults#all")
    void an_index_that_fails_files_the_object_under_nothing_and_goes_on(Throwable thrown) {
        Index<ConfigMap> failing = new Index<>("failing", map -> {
            Faults.raise(map.getMetadata().getName().equals("a") ? thrown : null);
            return Set.of("all");
        });
        store.declare(failing);

        assertThat(put(object("n", "a", "1", "red"))).hasSize(1);
        assertThat(put(object("n", "b", "1", "red"))).hasSize(1);
        assertThat(names(store.by(failing, "all"))).containsExactly("n/b");
        assertThat(meters.get("busbar_panics").tag("place", "index").counter().count())
                .isEqualTo(1);
    }

    @Test
    void an_index_that_nobody_declared_is_an_error() {
        assertThatThrownBy(() -> store.by(BY_COLOUR, "red"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("colour");
    }

    @Test
    void an_object_that_does_not_fit_is_as_if_it_were_not_there() {
        store.declare(BY_COLOUR);
        put(object("n", "a", "1", "red"));
        List<StoreChange<ConfigMap>> changes =
                put(raw("n", "a", "uid", "2", "{\"metadata\":{\"name\":\"a\"},\"data\":[1]}"));

        assertThat(store.get(ObjectKey.of("n", "a"))).isEmpty();
        assertThat(store.list()).isEmpty();
        assertThat(store.by(BY_COLOUR, "red")).isEmpty();
        Change<ConfigMap> change = changes.get(0).change().get().orElseThrow();
        assertThat(change.before()).isNotNull();
        assertThat(change.after()).isNull();
        assertThat(unfit).containsExactly(ObjectKey.of("n", "a"));
    }

    @Test
    void shows_no_more_than_metadata_where_nobody_looks_at_more() {
        Index<ConfigMap> byName =
                Index.ofMetadata("name", map -> List.of(map.getMetadata().getName()));
        store.decodeOnArrival(Decoding.METADATA);
        store.declare(byName);
        put(labelled("1"));
        Change<ConfigMap> change = put(labelled("2")).get(0).change().get().orElseThrow();
        Change<ConfigMap> deletion =
                store.remove(ObjectKey.of("n", "a")).get(0).change().get().orElseThrow();

        assertThat(change.before().getMetadata().getLabels()).containsExactly(Map.entry("version", "1"));
        assertThat(change.after().getMetadata().getLabels()).containsExactly(Map.entry("version", "2"));
        assertThat(deletion.before().getMetadata().getLabels()).containsExactly(Map.entry("version", "2"));
        assertThat(List.of(change.before(), change.after(), deletion.before()))
                .allSatisfy(map -> assertThat(map.getData()).isEmpty());

        put(labelled("3"));
        assertThat(store.by(byName, "a").get(0).getData()).containsExactly(Map.entry("colour", "red"));
    }

    @Test
    void shows_all_from_when_somebody_looks_at_more_than_metadata() {
        store.decodeOnArrival(Decoding.METADATA);
        PreparedObject<ConfigMap> arrived = store.prepare(object("n", "a", "1", "red"));
        store.decodeOnArrival(Decoding.WHOLE);
        store.decodeOnArrival(Decoding.METADATA);
        store.declare(BY_COLOUR);

        Change<ConfigMap> change =
                store.put(arrived, false).get(0).change().get().orElseThrow();

        assertThat(change.after().getData()).containsExactly(Map.entry("colour", "red"));
        assertThat(store.by(BY_COLOUR, "red")).hasSize(1);
    }

    @Test
    void finds_what_does_not_fit_when_it_is_read_where_only_metadata_was_looked_at() {
        store.decodeOnArrival(Decoding.METADATA);
        List<StoreChange<ConfigMap>> changes =
                put(raw("n", "a", "uid", "2", "{\"metadata\":{\"name\":\"a\"},\"data\":[1]}"));

        assertThat(changes.get(0).change().get()).isPresent();
        assertThat(unfit).isEmpty();
        assertThat(store.get(ObjectKey.of("n", "a"))).isEmpty();
        assertThat(unfit).containsExactly(ObjectKey.of("n", "a"));
    }

    @Test
    void metadata_that_does_not_fit_is_as_if_the_object_were_not_there() {
        store.decodeOnArrival(Decoding.METADATA);
        List<StoreChange<ConfigMap>> changes =
                put(raw("n", "a", "uid", "2", "{\"metadata\":{\"name\":\"a\",\"labels\":[1]}}"));

        assertThat(changes.get(0).change().get()).isEmpty();
        assertThat(unfit).containsExactly(ObjectKey.of("n", "a"));
    }

    @Test
    void a_transform_is_applied_before_objects_are_stored() {
        Store<ConfigMap> transformed = store(
                WatchSpec.of(ConfigMap.class).transformedBy("test", map -> {
                    map.setData(Map.of("colour", "grey"));
                    return map;
                }),
                0);
        transformed.put(transformed.prepare(object("n", "a", "1", "red")), false);

        assertThat(transformed.list().get(0).getData()).containsExactly(Map.entry("colour", "grey"));
    }

    @ParameterizedTest
    @MethodSource("io.busbar.common.guard.Faults#all")
    void a_transform_that_fails_makes_the_object_unfit(Throwable thrown) {
        Store<ConfigMap> transformed = store(
                WatchSpec.of(ConfigMap.class).transformedBy("test", map -> {
                    Faults.raise(thrown);
                    return map;
                }),
                0);

        assertThat(transformed
                        .put(transformed.prepare(object("n", "a", "1", "red")), false)
                        .get(0)
                        .change()
                        .get())
                .isEmpty();
        assertThat(transformed.list()).isEmpty();
        assertThat(unfit).containsExactly(ObjectKey.of("n", "a"));
    }

    @Test
    void an_object_that_is_read_again_is_the_same_as_long_as_there_is_room() {
        put(object("n", "a", "1", "red"));

        assertThat(store.get(ObjectKey.of("n", "a"))).containsSame(store.list().get(0));
    }

    @Test
    void lets_go_of_objects_that_were_read_once_before_those_that_are_read_again() {
        Store<ConfigMap> small = store(WatchSpec.of(ConfigMap.class), 1000);
        for (int i = 0; i < 100; i++) {
            small.put(small.prepare(object("n", "o" + i, Integer.toString(i), "red")), true);
        }
        ConfigMap often = small.get(ObjectKey.of("n", "o7")).orElseThrow();
        assertThat(small.get(ObjectKey.of("n", "o7"))).containsSame(often);
        ConfigMap once = small.get(ObjectKey.of("n", "o8")).orElseThrow();
        for (int i = 10; i < 20; i++) {
            small.get(ObjectKey.of("n", "o" + i));
        }

        assertThat(small.get(ObjectKey.of("n", "o7")).orElseThrow()).isSameAs(often);
        assertThat(small.get(ObjectKey.of("n", "o8")).orElseThrow())
                .isNotSameAs(once)
                .isEqualTo(once);
    }

    @Test
    void what_was_replaced_takes_no_room_from_what_is_there() {
        Store<ConfigMap> small = store(WatchSpec.of(ConfigMap.class), 1000);
        small.put(small.prepare(object("n", "constant", "1", "red")), true);
        ConfigMap constant = small.get(ObjectKey.of("n", "constant")).orElseThrow();
        for (int i = 0; i < 100; i++) {
            small.put(small.prepare(object("n", "changing", Integer.toString(i), "red" + i)), false);
            small.get(ObjectKey.of("n", "changing"));
        }

        assertThat(small.get(ObjectKey.of("n", "constant")).orElseThrow()).isSameAs(constant);
    }

    @Test
    void holds_what_a_plain_map_would_after_any_writes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        store.declare(BY_COLOUR);
        Map<ObjectKey, String> model = new HashMap<>();
        for (int i = 0; i < 3000; i++) {
            ObjectKey key = ObjectKey.of("n" + random.nextInt(3), "o" + random.nextInt(8));
            if (random.nextInt(4) == 0) {
                store.remove(key);
                model.remove(key);
            } else {
                String colour = "c" + random.nextInt(4);
                put(object(key.namespace(), key.name(), "uid-" + random.nextInt(2), Integer.toString(i), colour));
                model.put(key, colour);
            }
            String colour = "c" + random.nextInt(4);
            assertThat(names(store.by(BY_COLOUR, colour)))
                    .as("seed %d, write %d", seed, i)
                    .isEqualTo(model.entrySet().stream()
                            .filter(entry -> entry.getValue().equals(colour))
                            .map(entry -> entry.getKey().toString())
                            .collect(Collectors.toCollection(TreeSet::new)));
            assertThat(store.size()).isEqualTo(model.size());
        }
        assertThat(names(store.list()))
                .isEqualTo(model.keySet().stream().map(ObjectKey::toString).collect(Collectors.toSet()));
    }

    private Store<ConfigMap> store(WatchSpec<ConfigMap> spec, long decodedBytes) {
        return new Store<>(
                "a watch",
                spec,
                new KubernetesSerialization(),
                new DecodedObjects(decodedBytes),
                (key, why) -> unfit.add(key),
                new Guard("index", meters),
                new SlowCalls("index", meters));
    }

    private List<StoreChange<ConfigMap>> put(RawObject raw) {
        return store.put(store.prepare(raw), false);
    }

    private static RawObject labelled(String version) {
        return raw(
                "n",
                "a",
                "uid",
                version,
                "{\"metadata\":{\"name\":\"a\",\"labels\":{\"version\":\"" + version
                        + "\"}},\"data\":{\"colour\":\"red\"}}");
    }

    private static RawObject object(String namespace, String name, String version, String colour) {
        return object(namespace, name, "uid", version, colour);
    }

    private static RawObject object(String namespace, String name, String uid, String version, String colour) {
        return raw(
                namespace,
                name,
                uid,
                version,
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":\"" + namespace
                        + "\",\"name\":\"" + name + "\"},\"data\":{\"colour\":\"" + colour + "\"}}");
    }

    private static RawObject raw(String namespace, String name, String uid, String version, String json) {
        return new RawObject(ObjectKey.of(namespace, name), uid, version, json.getBytes(StandardCharsets.UTF_8));
    }

    private static String change(List<StoreChange<ConfigMap>> changes) {
        assertThat(changes).hasSize(1);
        Change<ConfigMap> change = changes.get(0).change().get().orElseThrow();
        return changes.get(0).kind() + " " + colour(change.before()) + "->" + colour(change.after()) + " "
                + change.initial();
    }

    private static String colour(ConfigMap map) {
        return map == null ? "null" : map.getData().get("colour");
    }

    private static Set<String> names(List<? extends HasMetadata> objects) {
        Set<String> names = objects.stream()
                .map(object -> ObjectKey.of(object).toString())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(names).hasSameSizeAs(objects);
        return names;
    }
}
