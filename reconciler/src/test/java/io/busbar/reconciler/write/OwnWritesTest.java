package io.busbar.reconciler.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Lister;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.MapListers;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnWritesTest {

    private static final ObjectKey KEY = ObjectKey.of("ns", "a");

    private final MapListers stores = new MapListers().watching(ConfigMap.class);
    private final OwnWrites writes = new OwnWrites(stores);
    private final Lister<ConfigMap> lister = writes.over(stores).lister(ConfigMap.class);

    @Test
    void an_object_just_created_is_there() {
        write(map("2"));

        assertThat(version()).contains("2");
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
    void lookups_by_index_see_the_written_object_and_not_the_stored_one() {
        stores.put(map("2", "old-owner"));
        write(map("3", "new-owner"));

        assertThat(lister.by(Controller.byControllerUid(), "old-owner")).isEmpty();
        assertThat(lister.by(Controller.byControllerUid(), "new-owner")).hasSize(1);
    }

    @Test
    void what_was_created_is_counted_however_little_the_watch_has_shown() {
        stores.put(named("a", "5"));
        List.of("b", "c", "d").forEach(name -> write(named(name, "6")));

        int missing = 5 - lister.by(Controller.byControllerUid(), "owner").size();
        assertThat(missing).as("objects to make after scaling from 1 to 4 to 5").isEqualTo(1);
    }

    @Test
    void a_write_stays_until_the_store_has_passed_it_whatever_there_is_then() {
        write(map("6"));
        stores.reach(ConfigMap.class, "5");
        assertThat(version()).contains("6");

        stores.reach(ConfigMap.class, "6");
        assertThat(version()).as("created and deleted, and nobody was told").isEmpty();
        assertThat(lister.list()).isEmpty();
    }

    @Test
    void a_write_is_not_laid_over_a_store_that_has_passed_it_before_its_answer_came() {
        stores.reach(ConfigMap.class, "7");
        write(map("6"));
        assertThat(version()).isEmpty();

        write(map("8"));
        assertThat(version()).as("made anew").contains("8");
    }

    @Test
    void a_write_ends_with_an_object_that_is_newer_although_the_list_that_has_it_is_not_complete() {
        write(map("6"));
        stores.put(map("9"));

        assertThat(version()).contains("9");
    }

    @Test
    void an_object_that_replaces_one_of_another_uid_outlives_that() {
        ConfigMap old = stores.put(uid("old", map("3")));
        write(map("5"));
        stores.remove(old);
        stores.reach(ConfigMap.class, "4");

        assertThat(version()).contains("5");
    }

    @Test
    void of_two_answers_that_come_in_the_wrong_order_the_newer_counts() {
        write(map("8"));
        write(map("7"));

        assertThat(version()).contains("8");
    }

    @Test
    void an_object_just_deleted_shows_as_being_deleted_until_the_store_does() {
        stores.put(map("5"));
        delete(map("5"));
        assertThat(lister.get(KEY)).get().matches(ConfigMap::isMarkedForDeletion);
        stores.put(map("6"));
        assertThat(lister.get(KEY)).get().matches(ConfigMap::isMarkedForDeletion);

        ConfigMap leaving = map("8");
        leaving.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        stores.put(leaving);
        assertThat(version()).contains("8");
        stores.remove(leaving);
        stores.reach(ConfigMap.class, "9");
        assertThat(version()).isEmpty();
    }

    @Test
    void an_object_deleted_before_the_store_had_it_shows_as_being_deleted_until_it_was_there_and_is_gone() {
        write(map("5"));
        delete(map("5"));
        assertThat(lister.list()).singleElement().matches(ConfigMap::isMarkedForDeletion);
        stores.put(map("5"));
        assertThat(lister.list()).singleElement().matches(ConfigMap::isMarkedForDeletion);
        stores.remove(map("5"));
        stores.reach(ConfigMap.class, "6");

        assertThat(lister.list()).isEmpty();
    }

    @Test
    void an_answer_to_an_earlier_write_does_not_bring_back_what_was_deleted() {
        stores.put(map("5"));
        delete(map("5"));
        write(map("6"));

        assertThat(lister.get(KEY)).get().matches(ConfigMap::isMarkedForDeletion);
    }

    @Test
    void a_deletion_does_not_hide_the_next_object_of_that_name() {
        stores.put(map("5"));
        delete(map("5"));
        stores.put(uid("another", map("9")));

        assertThat(lister.get(KEY)).get().matches(map -> !map.isMarkedForDeletion());
    }

    @Test
    void what_is_no_number_has_no_order_and_is_not_laid_over() {
        write(map("b"));
        assertThat(version()).isEmpty();
        write(map("007"));
        assertThat(version()).isEmpty();
    }

    @Test
    void nothing_is_laid_over_a_namespace_that_the_watch_leaves_out() {
        stores.leaveOut(ConfigMap.class);
        write(map("5"));

        assertThat(version()).isEmpty();
    }

    @Test
    void writes_that_are_over_take_no_room_although_nobody_reads_them() {
        for (int i = 1; i <= 1000; i++) {
            write(named("n" + i, String.valueOf(i + 1)));
            stores.reach(ConfigMap.class, String.valueOf(i));
        }
        assertThat(writes.size()).isLessThan(200);

        for (int i = 2001; i <= 3000; i++) {
            write(named("n" + i, String.valueOf(i)));
        }
        assertThat(writes.size()).as("the watch has shown none of them").isGreaterThanOrEqualTo(1000);
    }

    @Test
    void what_went_while_nobody_watched_is_told_once() {
        write(map("6"));
        write(named("b", "7"));
        write(named("late", "20"));
        stores.put(named("b", "9"));
        stores.reach(ConfigMap.class, "10");

        assertThat(writes.listed(ConfigMap.class, ""))
                .extracting(gone -> gone.getMetadata().getName())
                .containsExactly("a");
        assertThat(writes.listed(ConfigMap.class, "")).isEmpty();
        assertThat(lister.get(ObjectKey.of("ns", "late"))).isPresent();
    }

    @Test
    void when_versions_went_back_only_what_is_still_there_stays() {
        stores.reach(ConfigMap.class, "500");
        write(named("lost", "501"));
        write(named("kept", "502"));
        stores.reach(ConfigMap.class, "300");
        writes.listed(ConfigMap.class, "");
        assertThat(lister.list()).as("nobody knows yet").hasSize(2);

        List<HasMetadata> lost = writes.resolveDoubts(object ->
                object.getMetadata().getName().equals("kept") ? Optional.of(named("kept", "310")) : Optional.empty());
        assertThat(lost).extracting(object -> object.getMetadata().getName()).containsExactly("lost");
        assertThat(lister.list())
                .extracting(object -> object.getMetadata().getResourceVersion())
                .containsExactly("310");
        stores.put(named("kept", "310"));
        assertThat(writes.resolveDoubts(object -> {
                    throw new AssertionError("nothing is in doubt");
                }))
                .isEmpty();
        assertThat(lister.list()).hasSize(1);
        assertThat(writes.size()).isZero();
    }

    @Test
    void versions_that_go_back_without_a_list_are_noticed_by_who_reads() {
        stores.reach(ConfigMap.class, "500");
        write(map("501"));
        stores.reach(ConfigMap.class, "300");

        assertThat(version()).contains("501");
        assertThat(writes.resolveDoubts(object -> Optional.empty())).hasSize(1);
        assertThat(version()).isEmpty();
    }

    @Test
    void a_doubt_remains_while_the_api_server_does_not_answer() {
        stores.reach(ConfigMap.class, "500");
        write(map("501"));
        stores.reach(ConfigMap.class, "300");
        writes.listed(ConfigMap.class, "");

        assertThatThrownBy(() -> writes.resolveDoubts(object -> {
                    throw new IllegalStateException("away");
                }))
                .hasMessage("away");
        assertThat(version()).contains("501");
        assertThat(writes.resolveDoubts(object -> Optional.empty())).hasSize(1);
        assertThat(version()).isEmpty();
    }

    @Test
    void a_write_is_seen_although_the_store_catches_up_in_the_middle_of_a_read() {
        write(map("6"));
        stores.afterEachRead(() -> {
            stores.afterEachRead(() -> {});
            stores.put(map("6"));
            writes.settle(ConfigMap.class, KEY);
        });
        assertThat(version()).contains("6");

        stores.remove(map("6"));
        write(map("8"));
        stores.afterEachRead(() -> stores.put(map("8")));
        assertThat(lister.by(Controller.byControllerUid(), "owner")).hasSize(1);
    }

    private Optional<String> version() {
        return lister.get(KEY).map(map -> map.getMetadata().getResourceVersion());
    }

    private void write(ConfigMap map) {
        writes.remember(map);
    }

    private void delete(ConfigMap map) {
        writes.rememberDeletion(map);
    }

    private static ConfigMap named(String name, String version) {
        return uid(
                "uid of " + name,
                map(version).edit().editMetadata().withName(name).endMetadata().build());
    }

    private static ConfigMap uid(String uid, ConfigMap map) {
        map.getMetadata().setUid(uid);
        return map;
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
