package io.busbar.reconciler.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Lister;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.MapListers;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnWritesTest {

    private static final ObjectKey KEY = ObjectKey.of("ns", "a");

    private final MapListers stores = new MapListers().watching(ConfigMap.class);
    private long now;
    private final OwnWrites writes = new OwnWrites(() -> now);
    private final Lister<ConfigMap> lister = writes.over(stores).lister(ConfigMap.class);

    @Test
    void an_object_just_created_is_there() {
        write(map("1"));

        assertThat(version()).contains("1");
        assertThat(lister.list()).hasSize(1);
        assertThat(lister.list("ns")).hasSize(1);
        assertThat(lister.list("other")).isEmpty();
        assertThat(lister.size()).isEqualTo(1);
    }

    @Test
    void a_write_hides_the_older_version_until_the_store_has_a_newer_one() {
        stores.put(map("9"));
        write(map("10"));
        assertThat(version()).contains("10");
        assertThat(lister.list())
                .extracting(map -> map.getMetadata().getResourceVersion())
                .containsExactly("10");
        assertThat(lister.size()).isEqualTo(1);

        stores.put(map("11"));
        assertThat(version()).contains("11");
    }

    @Test
    void versions_that_are_no_numbers_count_as_newer_when_they_are_neither_replaced_nor_own() {
        stores.put(map("a"));
        write(map("b"));
        write(map("c"));
        stores.put(map("b"));
        assertThat(version()).contains("c");

        stores.put(map("x"));
        assertThat(version()).contains("x");
    }

    @Test
    void a_write_ends_with_the_object() {
        stores.put(map("1"));
        write(map("2"));
        stores.remove(map("1"));

        assertThat(version()).isEmpty();
        assertThat(lister.list()).isEmpty();
    }

    @Test
    void an_object_just_deleted_shows_as_being_deleted_until_the_store_does() {
        stores.put(map("5"));
        writes.rememberDeletion(map("5"), true);
        assertThat(lister.get(KEY)).get().matches(ConfigMap::isMarkedForDeletion);
        stores.put(map("6"));
        assertThat(lister.get(KEY)).get().matches(ConfigMap::isMarkedForDeletion);

        stores.remove(map("6"));
        assertThat(version()).isEmpty();
    }

    @Test
    void a_deletion_does_not_hide_the_next_object_of_that_name() {
        writes.rememberDeletion(map("5"), true);
        ConfigMap next = map("9");
        next.getMetadata().setUid("another");
        stores.put(next);

        assertThat(lister.get(KEY)).get().matches(map -> !map.isMarkedForDeletion());
    }

    @Test
    void an_object_just_deleted_stays_deleted_when_another_watch_is_first_to_see_it_go() {
        stores.put(map("5"));
        writes.rememberDeletion(map("5"), true);
        writes.deleted(ConfigMap.class, KEY, "6", stores);
        assertThat(lister.get(KEY)).get().matches(ConfigMap::isMarkedForDeletion);

        stores.remove(map("5"));
        writes.deleted(ConfigMap.class, KEY, "6", stores);
        assertThat(version()).isEmpty();
    }

    @Test
    void an_object_deleted_before_the_store_had_it_shows_as_being_deleted() {
        write(map("5"));
        writes.rememberDeletion(map("5"), false);
        assertThat(lister.list()).singleElement().matches(ConfigMap::isMarkedForDeletion);
        stores.put(map("5"));
        assertThat(lister.list()).singleElement().matches(ConfigMap::isMarkedForDeletion);
        stores.remove(map("5"));
        writes.deleted(ConfigMap.class, KEY, "6", stores);

        assertThat(lister.list()).isEmpty();
    }

    @Test
    void an_object_created_and_deleted_unseen_is_gone() {
        write(map("5"));
        writes.deleted(ConfigMap.class, KEY, "7", stores);

        assertThat(version()).isEmpty();
    }

    @Test
    void a_write_that_is_answered_after_its_object_was_seen_to_go_is_not_shown() {
        writes.deleted(ConfigMap.class, KEY, "7", stores);
        write(map("6"));
        assertThat(version()).isEmpty();
        assertThat(lister.list()).isEmpty();

        write(map("8"));
        assertThat(version()).as("made anew").contains("8");
    }

    @Test
    void remembers_a_deletion_no_longer_than_a_request_may_take() {
        writes.deleted(ConfigMap.class, KEY, "7", stores);
        now += Deletions.KEPT.toNanos() + 1;
        writes.deleted(ConfigMap.class, ObjectKey.of("ns", "b"), "9", stores);
        write(map("6"));

        assertThat(version()).contains("6");
    }

    @Test
    void the_deletion_of_its_predecessor_leaves_a_new_object_there() {
        write(map("5"));
        writes.deleted(ConfigMap.class, KEY, "4", stores);

        assertThat(version()).contains("5");
    }

    @Test
    void an_object_that_replaces_one_of_another_uid_outlives_that() {
        ConfigMap old = stores.put(
                map("3").edit().editMetadata().withUid("old").endMetadata().build());
        write(map("5"));
        stores.remove(old);

        assertThat(version()).contains("5");
    }

    @Test
    void a_write_that_no_watch_covers_is_forgotten_after_its_lifetime() {
        write(map("1"));
        now += OwnWrites.LIFETIME.toNanos() + 1;

        assertThat(version()).isEmpty();
    }

    @Test
    void lookups_by_index_see_the_written_object_and_not_the_stored_one() {
        stores.put(map("1", "old-owner"));
        write(map("2", "new-owner"));

        assertThat(lister.by(Controller.byControllerUid(), "old-owner")).isEmpty();
        assertThat(lister.by(Controller.byControllerUid(), "new-owner")).hasSize(1);
    }

    @Test
    void a_write_is_seen_although_the_store_catches_up_in_the_middle_of_a_read() {
        write(map("1"));
        stores.afterEachRead(() -> {
            stores.afterEachRead(() -> {});
            stores.put(map("1"));
            writes.settle(ConfigMap.class, KEY, stores);
        });
        assertThat(version()).contains("1");

        stores.remove(map("1"));
        writes.deleted(ConfigMap.class, KEY, "2", stores);
        write(map("3"));
        stores.afterEachRead(() -> stores.put(map("3")));
        assertThat(lister.by(Controller.byControllerUid(), "owner")).hasSize(1);
    }

    private Optional<String> version() {
        return lister.get(KEY).map(map -> map.getMetadata().getResourceVersion());
    }

    private void write(ConfigMap map) {
        writes.remember(map, stores.lister(ConfigMap.class).get(KEY));
    }

    private static ConfigMap map(String version) {
        return map(version, "owner");
    }

    private static ConfigMap map(String version, String owner) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("a")
                .withUid("uid")
                .withResourceVersion(version)
                .addNewOwnerReference()
                .withUid(owner)
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .build();
    }
}
