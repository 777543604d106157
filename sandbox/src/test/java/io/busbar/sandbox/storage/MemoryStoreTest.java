package io.busbar.sandbox.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.status.StatusException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MemoryStoreTest {

    private static final GroupResource THINGS = new GroupResource("test", "things");

    private final Queue<Runnable> later = new ArrayDeque<>();
    private final MemoryStore store = new MemoryStore(8, later::add);

    private static ObjectNode thing(String name, int value) {
        ObjectNode thing = JsonNodeFactory.instance.objectNode().put("value", value);
        thing.putObject("metadata").put("namespace", "n").put("name", name);
        return thing;
    }

    private static ObjectKey key(String name) {
        return new ObjectKey("n", name);
    }

    private void run() {
        while (!later.isEmpty()) {
            later.remove().run();
        }
    }

    @Test
    void gives_each_write_a_revision_of_its_own() {
        store.create(THINGS, key("a"), thing("a", 1));
        ObjectNode other = store.create(new GroupResource("", "others"), key("a"), thing("a", 1));
        assertThat(Metadata.of(other).resourceVersion()).isEqualTo("2");
        assertThat(store.revision()).isEqualTo(2);
    }

    @Test
    void leaves_the_form_before_as_it_was_even_if_both_share_their_metadata() {
        ObjectNode before = store.create(THINGS, key("a"), thing("a", 1));
        ObjectNode after = JsonNodeFactory.instance.objectNode().put("value", 2);
        after.set("metadata", before.get("metadata"));
        assertThat(Metadata.of(store.replace(THINGS, key("a"), before, after)).resourceVersion())
                .isEqualTo("2");
        assertThat(Metadata.of(before).resourceVersion()).isEqualTo("1");
    }

    @Test
    void wakes_every_watch_even_after_one_that_breaks() {
        List<String> woken = new ArrayList<>();
        store.shelf(THINGS).watch(0, () -> woken.add("before"));
        store.shelf(THINGS).watch(0, () -> {
            throw new IllegalStateException("broken");
        });
        store.shelf(THINGS).watch(0, () -> woken.add("after"));
        store.create(THINGS, key("a"), thing("a", 1));
        run();
        assertThat(woken).containsExactly("before", "after");
    }

    @Test
    void objects_share_equal_fields_of_their_managers() {
        ObjectNode one = store.create(THINGS, key("a"), managed("a", "f:x"));
        ObjectNode same = store.create(THINGS, key("b"), managed("b", "f:x"));
        ObjectNode other = store.create(THINGS, key("c"), managed("c", "f:y"));
        assertThat(same.at("/metadata/managedFields/0/fieldsV1"))
                .isSameAs(one.at("/metadata/managedFields/0/fieldsV1"));
        assertThat(other.at("/metadata/managedFields/0/fieldsV1").has("f:y")).isTrue();
    }

    private static ObjectNode managed(String name, String field) {
        ObjectNode thing = thing(name, 1);
        Metadata.of(thing)
                .node()
                .putArray("managedFields")
                .addObject()
                .putObject("fieldsV1")
                .putObject(field);
        return thing;
    }

    @Test
    void refuses_a_write_that_comes_second() {
        ObjectNode first = store.create(THINGS, key("a"), thing("a", 1));
        assertThat(store.replace(THINGS, key("a"), first, thing("a", 2))).isNotNull();
        assertThat(store.replace(THINGS, key("a"), first, thing("a", 3))).isNull();
        assertThat(store.remove(THINGS, key("a"), first, thing("a", 3))).isNull();
        assertThat(store.shelf(THINGS).get(key("a")).path("value").asInt()).isEqualTo(2);
    }

    @Test
    void wakes_watches_after_the_write() {
        List<String> woken = new ArrayList<>();
        WatchCursor cursor = store.shelf(THINGS).watch(0, () -> woken.add("now"));
        store.create(THINGS, key("a"), thing("a", 1));
        store.create(THINGS, key("b"), thing("b", 1));
        assertThat(woken).isEmpty();
        run();
        assertThat(woken).containsExactly("now");
        assertThat(cursor.next().key()).isEqualTo(key("a"));
        assertThat(cursor.next().key()).isEqualTo(key("b"));
        assertThat(cursor.next()).isNull();
    }

    @Test
    void tells_a_watch_that_fell_behind() {
        WatchCursor cursor = store.shelf(THINGS).watch(0, () -> {});
        for (int i = 0; i < 9; i++) {
            store.create(THINGS, key("a" + i), thing("a" + i, i));
        }
        assertThat(cursor.lost()).isTrue();
        assertThatThrownBy(() -> store.shelf(THINGS).watch(0, () -> {}))
                .isInstanceOf(StatusException.class)
                .hasMessage("too old resource version: 0 (1)");
        assertThat(store.shelf(THINGS).watch(1, () -> {}).next().key()).isEqualTo(key("a1"));
    }

    @Test
    void forgets_on_demand() {
        store.create(THINGS, key("a"), thing("a", 1));
        store.compact();
        assertThatThrownBy(() -> store.shelf(THINGS).watch(0, () -> {})).isInstanceOf(StatusException.class);
        assertThatThrownBy(() -> store.shelf(THINGS).objectsAt("", 1)).isInstanceOf(StatusException.class);
        assertThatThrownBy(
                        () -> store.shelf(new GroupResource("", "never-seen")).watch(1, () -> {}))
                .isInstanceOf(StatusException.class);
        long now = store.revision();
        store.create(THINGS, key("b"), thing("b", 1));
        assertThat(store.shelf(THINGS).objectsAt("", now)).containsOnlyKeys(key("a"));
    }

    @Test
    void remembers_any_revision_that_is_not_forgotten() {
        remember(new Random(7));
        remember(new Random(11));
    }

    private static void remember(Random random) {
        MemoryStore store = new MemoryStore(100, task -> {});
        Map<Long, Map<ObjectKey, Integer>> past = new HashMap<>();
        Map<ObjectKey, Integer> model = new TreeMap<>();
        for (int round = 0; round < 300; round++) {
            String name = "t" + random.nextInt(12);
            ObjectNode now = store.shelf(THINGS).get(key(name));
            if (now == null) {
                store.create(THINGS, key(name), thing(name, round));
                model.put(key(name), round);
            } else if (random.nextBoolean()) {
                store.replace(THINGS, key(name), now, thing(name, round));
                model.put(key(name), round);
            } else {
                store.remove(THINGS, key(name), now, thing(name, round));
                model.remove(key(name));
            }
            past.put(store.revision(), new TreeMap<>(model));
        }
        for (long revision = store.revision() - 100; revision <= store.revision(); revision++) {
            Map<ObjectKey, Integer> found = new TreeMap<>();
            store.shelf(THINGS)
                    .objectsAt("n", revision)
                    .forEach(
                            (key, object) -> found.put(key, object.path("value").asInt()));
            assertThat(found).as("revision %d", revision).isEqualTo(past.get(revision));
        }
    }

    @Test
    void shares_what_did_not_change() {
        ObjectNode before = thing("a", 1);
        before.putObject("spec").put("deep", 1);
        ObjectNode after = before.deepCopy();
        assertThat(Sharing.share(before, after.deepCopy())).isSameAs(before);
        after.put("value", 2);
        assertThat(Sharing.share(before, after)).isSameAs(after);
        assertThat(after.get("spec")).isSameAs(before.get("spec"));
    }
}
