package io.busbar.reconciler.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.reconciler.CannedApi;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FetchedObjectsTest {

    private final Map<String, JsonObject> stored = new ConcurrentHashMap<>();
    private CannedApi api;
    private FetchedObjects fetched;

    @BeforeEach
    void start() throws Exception {
        api = new CannedApi();
        api.answer(request -> {
            JsonObject found =
                    stored.get(request.path().substring(request.path().lastIndexOf('/') + 1));
            return found == null ? CannedApi.Answer.failure(404, "none") : new CannedApi.Answer(200, found);
        });
        fetched = new FetchedObjects(new ApiRequests(api.client()), 1000);
    }

    @AfterEach
    void stop() throws Exception {
        api.close();
    }

    @Test
    void what_was_not_read_for_longest_makes_room() {
        store("a", "1", 300);
        store("b", "1", 300);
        store("c", "1", 300);
        read("a", "1");
        read("b", "1");
        read("a", "1");
        read("c", "1");
        assertThat(api.received()).hasSize(3);

        read("a", "1");
        read("c", "1");
        assertThat(api.received()).as("both are kept").hasSize(3);
        read("b", "1");
        assertThat(api.received()).as("that went").hasSize(4);
    }

    @Test
    void what_is_too_large_to_be_kept_is_fetched_each_time_and_takes_no_others_room() {
        store("a", "1", 100);
        store("large", "1", 5000);
        read("a", "1");
        assertThat(read("large", "1")).isPresent();
        assertThat(read("large", "1")).isPresent();
        read("a", "1");

        assertThat(api.received()).hasSize(3);
    }

    @Test
    void what_is_newer_than_the_watch_has_shown_is_new_enough() {
        store("a", "12", 10);
        read("a", "9");
        read("a", "10");
        read("a", "12");
        assertThat(api.received()).hasSize(1);

        read("a", "13");
        assertThat(api.received()).hasSize(2);
    }

    @Test
    void another_object_of_the_name_and_none_are_both_empty() {
        store("a", "5", 10);
        Secret former = seen("a", "4")
                .edit()
                .editMetadata()
                .withUid("former")
                .endMetadata()
                .build();
        assertThat(fetched.whole(Secret.class, former)).isEmpty();

        stored.clear();
        assertThat(read("a", "6")).isEmpty();
    }

    @Test
    void what_is_gone_is_forgotten() {
        store("a", "1", 10);
        read("a", "1");
        fetched.forget(Secret.class, ObjectKey.of("ns", "a"));
        read("a", "1");

        assertThat(api.received()).hasSize(2);
    }

    private void store(String name, String version, int bytes) {
        stored.put(
                name,
                new JsonObject()
                        .put(
                                "metadata",
                                new JsonObject()
                                        .put("namespace", "ns")
                                        .put("name", name)
                                        .put("uid", "uid-" + name)
                                        .put("resourceVersion", version))
                        .put("type", "x".repeat(bytes)));
    }

    private Optional<Secret> read(String name, String version) {
        return fetched.whole(Secret.class, seen(name, version));
    }

    private static Secret seen(String name, String version) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName(name)
                .withUid("uid-" + name)
                .withResourceVersion(version)
                .endMetadata()
                .build();
    }
}
