package io.busbar.sandbox.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.StoreEvent;
import io.busbar.sandbox.storage.WatchCursor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {

    private static final GroupResource THINGS = new GroupResource("test", "things");
    private static final long NEVER = Long.MAX_VALUE;

    @TempDir
    private Path folder;

    private static MemoryStore emptyStore() {
        return new MemoryStore(1000, task -> {});
    }

    private static DataDirectory open(Path path, long limit) throws IOException {
        return DataDirectory.open(path, List.of(), false, limit);
    }

    private static MemoryStore attached(DataDirectory data) {
        MemoryStore store = emptyStore();
        data.attach(store, Runnable::run);
        return store;
    }

    private static MemoryStore reopened(Path path) throws IOException {
        try (DataDirectory data = open(path, NEVER)) {
            return attached(data);
        }
    }

    private static ObjectKey key(String name) {
        return new ObjectKey("n", name);
    }

    private static ObjectNode thing(String name, int value) {
        ObjectNode thing = JsonNodeFactory.instance.objectNode().put("value", value);
        thing.putObject("metadata").put("namespace", "n").put("name", name);
        return thing;
    }

    /** Makes, changes or removes one of a few things. */
    private static void change(MemoryStore store, Random random, int value) {
        String name = "t" + random.nextInt(5);
        ObjectNode now = store.shelf(THINGS).get(key(name));
        if (now == null) {
            store.create(THINGS, key(name), thing(name, value));
        } else if (random.nextInt(3) > 0) {
            store.replace(THINGS, key(name), now, thing(name, value));
        } else {
            store.remove(THINGS, key(name), now, thing(name, value));
        }
    }

    /** All objects, and the revision, by which two states are told apart. */
    private static Map<String, JsonNode> state(MemoryStore store) {
        Map<String, JsonNode> state = new TreeMap<>();
        store.everything().forEach(event -> state.put(event.resource() + "/" + event.key(), event.object()));
        state.put("revision", JsonNodeFactory.instance.numberNode(store.revision()));
        return state;
    }

    private static Path copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.write(to.resolve(file.getFileName()), Files.readAllBytes(file));
            }
        }
        return to;
    }

    @Test
    void gives_back_what_it_was_given() throws IOException {
        Map<String, JsonNode> before;
        ServerIdentity identity;
        try (DataDirectory data = open(folder, NEVER)) {
            MemoryStore store = attached(data);
            Random random = new Random(1);
            for (int i = 0; i < 50; i++) {
                change(store, random, i);
            }
            before = state(store);
            identity = data.identity();
        }
        try (DataDirectory data = open(folder, NEVER)) {
            assertThat(state(attached(data))).isEqualTo(before);
            assertThat(data.identity()).isEqualTo(identity);
        }
    }

    @Test
    void keeps_the_history_for_watches() throws IOException {
        try (DataDirectory data = open(folder, NEVER)) {
            MemoryStore store = attached(data);
            ObjectNode made = store.create(THINGS, key("a"), thing("a", 1));
            ObjectNode changed = store.replace(THINGS, key("a"), made, thing("a", 2));
            store.remove(THINGS, key("a"), changed, thing("a", 3));
        }
        MemoryStore store = reopened(folder);
        WatchCursor cursor = store.shelf(THINGS).watch(1, () -> {});
        StoreEvent modified = cursor.next();
        assertThat(modified.type()).isEqualTo(StoreEvent.Type.MODIFIED);
        assertThat(modified.previous().path("value").asInt()).isEqualTo(1);
        assertThat(cursor.next().type()).isEqualTo(StoreEvent.Type.DELETED);
        assertThat(cursor.behind()).isFalse();
    }

    @Test
    void keeps_too_old_what_was_compacted() throws IOException {
        long compacted;
        try (DataDirectory data = open(folder, NEVER)) {
            MemoryStore store = attached(data);
            store.create(THINGS, key("a"), thing("a", 1));
            store.compact();
            compacted = store.revision();
        }
        try (DataDirectory data = open(folder, NEVER)) {
            MemoryStore store = attached(data);
            assertThat(store.revision()).as("no revision is given out twice").isEqualTo(compacted);
            assertThatThrownBy(() -> store.shelf(THINGS).watch(compacted - 1, () -> {}))
                    .hasMessageContaining("too old resource version");
            store.create(THINGS, key("b"), thing("b", 1));
        }
        MemoryStore again = reopened(folder);
        assertThat(again.revision()).isEqualTo(compacted + 1);
        assertThat(again.shelf(THINGS).objectsAt("", compacted)).containsOnlyKeys(key("a"));
    }

    @Test
    void loses_nothing_but_the_record_that_is_torn_wherever_it_is_torn() throws IOException {
        Path file = folder.resolve("journal-0");
        List<Map<String, JsonNode>> states = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        try (DataDirectory data = open(folder, NEVER)) {
            MemoryStore store = attached(data);
            Random random = new Random(2);
            for (int i = 0; i < 8; i++) {
                change(store, random, i);
                states.add(state(store));
                ends.add(Files.size(file));
            }
        }
        byte[] whole = Files.readAllBytes(file);
        int complete = 5;
        for (int length = Math.toIntExact(ends.get(complete)); length <= whole.length; length++) {
            while (complete + 1 < ends.size() && ends.get(complete + 1) <= length) {
                complete++;
            }
            Files.write(file, Arrays.copyOf(whole, length));
            assertThat(state(reopened(folder))).as("cut at %d", length).isEqualTo(states.get(complete));
            if (length % 5 == 0) {
                goesOn(length);
            }
        }
    }

    private void goesOn(int value) throws IOException {
        try (DataDirectory data = open(folder, NEVER)) {
            attached(data).create(THINGS, key("after"), thing("after", value));
        }
        assertThat(reopened(folder)
                        .shelf(THINGS)
                        .get(key("after"))
                        .path("value")
                        .asInt())
                .isEqualTo(value);
    }

    @Test
    void overlooks_no_byte_that_was_altered() throws IOException {
        Path file = folder.resolve("journal-0");
        List<Map<String, JsonNode>> states = new ArrayList<>();
        try (DataDirectory data = open(folder, NEVER)) {
            MemoryStore store = attached(data);
            for (int i = 0; i < 3; i++) {
                store.create(THINGS, key("a" + i), thing("a" + i, i));
                states.add(state(store));
            }
        }
        byte[] whole = Files.readAllBytes(file);
        int refused = 0;
        for (int at = 0; at < whole.length; at++) {
            byte[] altered = whole.clone();
            altered[at] ^= 0x41;
            Files.write(file, altered);
            try {
                // The record at the end may have been torn.
                assertThat(state(reopened(folder))).as("altered at %d", at).isEqualTo(states.get(1));
            } catch (DamagedException damaged) {
                assertThat(damaged).hasMessageContaining("journal-0");
                assertThat(Files.readAllBytes(file)).as("altered at %d", at).isEqualTo(altered);
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(whole.length / 2);
    }

    @Test
    void takes_zeros_at_the_end_for_torn() throws IOException {
        try (DataDirectory data = open(folder, NEVER)) {
            attached(data).create(THINGS, key("a"), thing("a", 1));
        }
        Path file = folder.resolve("journal-0");
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length + 4096));
        assertThat(reopened(folder).shelf(THINGS).get(key("a"))).isNotNull();
    }

    @Test
    void starts_anew_from_snapshots_and_forgets_what_they_hold() throws IOException {
        Random random = new Random(3);
        Map<String, JsonNode> before;
        try (DataDirectory data = open(folder, 4096)) {
            MemoryStore store = attached(data);
            for (int i = 0; i < 500; i++) {
                change(store, random, i);
            }
            before = state(store);
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString().replaceAll("\\d+", "N")))
                    .containsExactlyInAnyOrder("identity.json", "lock", "journal-N", "snapshot-N");
        }
        MemoryStore store = reopened(folder);
        assertThat(state(store)).isEqualTo(before);
        assertThatThrownBy(() -> store.shelf(THINGS).watch(1, () -> {}))
                .isInstanceOf(StatusException.class)
                .hasMessageStartingWith("too old resource version: 1 (");
        assertThatThrownBy(() -> store.shelf(new GroupResource("", "others")).watch(1, () -> {}))
                .isInstanceOf(StatusException.class);
        assertThat(store.shelf(THINGS).watch(store.revision(), () -> {}).behind())
                .isFalse();
    }

    @Test
    void is_whole_at_every_step_of_making_a_snapshot() throws IOException {
        List<Path> steps = new ArrayList<>();
        List<Map<String, JsonNode>> states = new ArrayList<>();
        Path work = folder.resolve("work");
        try (DataDirectory data = open(work, 256)) {
            MemoryStore store = emptyStore();
            data.attach(store, task -> {
                steps.add(copyStep(work, steps.size()));
                states.add(state(store));
                task.run();
                steps.add(copyStep(work, steps.size()));
                states.add(state(store));
            });
            Random random = new Random(4);
            for (int i = 0; i < 40; i++) {
                change(store, random, i);
            }
        }
        assertThat(steps).hasSizeGreaterThan(6);
        for (int i = 0; i < steps.size(); i++) {
            assertThat(state(reopened(steps.get(i)))).as("step %d", i).isEqualTo(states.get(i));
        }
    }

    private Path copyStep(Path work, int step) {
        try {
            return copy(work, folder.resolve("step-" + step));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void misses_a_file_that_is_gone() throws IOException {
        try (DataDirectory data = open(folder, 256)) {
            MemoryStore store = attached(data);
            for (int i = 0; i < 20; i++) {
                store.create(THINGS, key("a" + i), thing("a" + i, i));
            }
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.getFileName().toString().startsWith("journal-"))
                    .toList()) {
                Files.delete(file);
            }
        }
        assertThatThrownBy(() -> open(folder, NEVER))
                .isInstanceOf(DamagedException.class)
                .hasMessageContaining("is missing");
    }

    @Test
    void is_for_one_at_a_time() throws IOException {
        try (DataDirectory data = open(folder, NEVER)) {
            assertThat(data.identity().token()).isNotEmpty();
            assertThatThrownBy(() -> open(folder, NEVER))
                    .isInstanceOf(IOException.class)
                    .hasMessage(folder + " is in use by another sandbox");
        }
        assertThat(reopened(folder).revision()).isZero();
    }

    @Test
    void prevents_a_change_that_it_cannot_record() throws IOException {
        DataDirectory data = open(folder, NEVER);
        MemoryStore store = attached(data);
        store.create(THINGS, key("a"), thing("a", 1));
        data.close();
        assertThatThrownBy(() -> store.create(THINGS, key("b"), thing("b", 1)))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("the journal is closed");
        assertThat(store.shelf(THINGS).get(key("b"))).isNull();
        assertThat(store.revision()).isEqualTo(1);
        assertThat(Metadata.of(store.shelf(THINGS).get(key("a"))).resourceVersion())
                .isEqualTo("1");
    }
}
