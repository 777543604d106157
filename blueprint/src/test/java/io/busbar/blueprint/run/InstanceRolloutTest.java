package io.busbar.blueprint.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.blueprint.Rollout;
import io.busbar.blueprint.Rollout.Amount;
import io.busbar.blueprint.run.InstanceRollout.State;
import io.busbar.common.ObjectKey;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Instances are ConfigMaps here: of the newest revision where they say so, and ready where they do. */
class InstanceRolloutTest {

    private final List<ConfigMap> stored = new ArrayList<>();
    private final List<ObjectKey> called = new ArrayList<>();
    private Instant now = Instant.EPOCH;

    private InstanceRollout<ConfigMap> rollout(boolean paused, Amount partition, Amount maxUnavailable) {
        InstanceRollout<ConfigMap> rollout = new InstanceRollout<>(
                new Rollout(paused, Optional.ofNullable(partition), Optional.ofNullable(maxUnavailable)),
                map -> !map.getData().containsKey("newest"),
                map -> map.getData().containsKey("ready"),
                () -> now);
        rollout.calls().attach(called::add);
        return rollout;
    }

    private static ObjectKey key(int number) {
        return ObjectKey.of("ns", "i" + number);
    }

    private void store(int count, String... data) {
        IntStream.range(stored.size(), stored.size() + count).forEach(number -> {
            ConfigMapBuilder map = new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace("ns")
                    .withName("i" + number)
                    .endMetadata()
                    .addToData("any", "");
            for (String key : data) {
                map.addToData(key, "");
            }
            stored.add(map.build());
        });
    }

    private boolean mayMove(InstanceRollout<ConfigMap> rollout, ObjectKey key) {
        return rollout.mayMove(key, stored.size(), () -> stored);
    }

    private void note(InstanceRollout<ConfigMap> rollout, ObjectKey key, State state) {
        rollout.note(key, state, () -> stored);
    }

    private List<Integer> moved(InstanceRollout<ConfigMap> rollout) {
        return IntStream.range(0, stored.size())
                .filter(number -> mayMove(rollout, key(number)))
                .boxed()
                .toList();
    }

    private static Amount number(int number) {
        return new Amount(number, false);
    }

    @Test
    void no_more_are_on_their_way_than_may_be_and_who_waits_is_called() {
        store(5);
        InstanceRollout<ConfigMap> rollout = rollout(false, null, new Amount(30, true));
        assertThat(moved(rollout)).containsExactly(0, 1);
        assertThat(rollout.patience(key(2))).isPresent();
        assertThat(rollout.patience(key(0))).isEmpty();

        note(rollout, key(0), State.UNAVAILABLE);
        assertThat(called).isEmpty();
        note(rollout, key(0), State.READY);
        assertThat(called).containsExactly(key(2));
        assertThat(mayMove(rollout, key(2))).isTrue();
        assertThat(mayMove(rollout, key(3))).isFalse();
    }

    @Test
    void after_a_start_what_the_store_has_counts() {
        store(1, "newest");
        store(1, "newest", "ready");
        store(2);
        InstanceRollout<ConfigMap> rollout = rollout(false, null, number(1));
        assertThat(mayMove(rollout, key(2))).isFalse();
        note(rollout, key(0), State.READY);
        assertThat(called).containsExactly(key(2));
    }

    @Test
    void as_many_stay_as_are_to_and_wait_for_nobody() {
        store(5);
        InstanceRollout<ConfigMap> rollout = rollout(false, new Amount(50, true), null);
        assertThat(moved(rollout)).containsExactly(0, 1);
        assertThat(rollout.patience(key(3))).isEmpty();
        assertThat(moved(rollout(true, null, null))).isEmpty();
        assertThat(moved(rollout(false, null, null))).hasSize(5);
    }

    @Test
    void one_that_is_deleted_on_its_way_and_one_that_goes_back_make_room() {
        store(5);
        ConfigMap later = stored.remove(4);
        InstanceRollout<ConfigMap> rollout = rollout(false, null, number(1));
        assertThat(moved(rollout)).containsExactly(0);
        assertThat(mayMove(rollout, key(1))).isFalse();
        stored.set(0, later);
        assertThat(mayMove(rollout, key(1))).as("as many are there").isFalse();
        now = now.plusSeconds(6);
        assertThat(mayMove(rollout, key(1))).isTrue();

        note(rollout, key(1), State.EARLIER);
        assertThat(called).isNotEmpty();
        assertThat(mayMove(rollout, key(2))).isTrue();
    }

    @Test
    void what_is_known_of_those_that_are_deleted_is_forgotten() {
        store(3, "newest");
        InstanceRollout<ConfigMap> rollout = rollout(false, null, number(1));
        for (int number = 0; number < 1_000; number++) { // of which each has gone before the next one comes
            note(rollout, key(number), State.READY);
        }

        assertThat(rollout.size()).isLessThan(50);
    }

    @Test
    void those_that_are_deleted_are_not_among_those_that_stay() {
        store(8);
        InstanceRollout<ConfigMap> rollout = rollout(false, number(4), null);
        assertThat(mayMove(rollout, key(0))).isTrue();
        stored.subList(5, 8).clear();

        assertThat(mayMove(rollout, key(1)))
                .as("of five there are, four have the earlier revision")
                .isFalse();
    }
}
