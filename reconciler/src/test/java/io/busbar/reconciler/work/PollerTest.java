package io.busbar.reconciler.work;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.ObjectKey;
import io.busbar.reconciler.source.PollingSource;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class PollerTest {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> asked = new ArrayList<>();
    private PollingSource.Poll<String, String> world = question -> Optional.of("1");
    private final Poller<ConfigMap, String, String> poller = new Poller<>(
            "c",
            PollingSource.<ConfigMap, String, String>every(
                    "p", Duration.ofMinutes(1), map -> map.getData().get("url"), question -> {
                        asked.add(question);
                        return world.ask(question);
                    }),
            meters);

    @Test
    void an_answer_counts_when_it_is_the_first_or_differs() {
        assertThat(poller.poll(map("a", "u", "url"))).isTrue();
        assertThat(poller.poll(map("a", "u", "url"))).isFalse();
        world = question -> Optional.of("2");
        assertThat(poller.poll(map("a", "u", "url"))).isTrue();
        world = question -> Optional.empty();
        assertThat(poller.poll(map("a", "u", "url"))).isTrue();
        assertThat(count("changed")).isEqualTo(3);
        assertThat(count("unchanged")).isEqualTo(1);
    }

    @Test
    void a_read_takes_the_last_answer_and_asks_only_where_there_is_none() throws Exception {
        assertThat(poller.read(map("a", "u", "url"))).contains("1");
        world = question -> Optional.of("2");
        assertThat(poller.read(map("a", "u", "url"))).contains("1");
        assertThat(poller.poll(map("a", "u", "url"))).isTrue();
        assertThat(poller.read(map("a", "u", "url"))).contains("2");
        assertThat(asked).hasSize(2);
    }

    @Test
    void an_answer_is_not_given_to_another_question_nor_for_another_object_of_the_name() throws Exception {
        poller.read(map("a", "u", "old"));
        world = question -> Optional.of("2");

        assertThat(poller.read(map("a", "u", "new"))).contains("2");
        assertThat(poller.read(map("a", "another", "new"))).contains("2");
        assertThat(asked).containsExactly("old", "new", "new");
    }

    @Test
    void where_there_is_no_question_nothing_is_asked() throws Exception {
        poller.poll(map("a", "u", "url"));

        assertThat(poller.read(map("a", "u", null))).isEmpty();
        assertThat(poller.poll(map("a", "u", null))).isFalse();
        assertThat(asked).containsExactly("url");
        assertThat(poller.poll(map("a", "u", "url"))).as("asked anew").isTrue();
    }

    @Test
    void a_poll_that_fails_leaves_the_last_answer_and_a_first_read_fails_with_it() throws Exception {
        poller.poll(map("a", "u", "url"));
        world = question -> {
            throw new IOException("away");
        };

        assertThat(poller.poll(map("a", "u", "url"))).isFalse();
        assertThat(poller.read(map("a", "u", "url"))).contains("1");
        assertThatThrownBy(() -> poller.read(map("b", "u", "url"))).hasMessage("away");
        assertThat(count("failed")).isEqualTo(1);
    }

    @Test
    void of_two_asked_at_the_same_time_the_later_question_has_the_say() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        world = question -> {
            begun.countDown();
            slow.await();
            return Optional.of("outdated");
        };
        CompletableFuture<Boolean> poll = CompletableFuture.supplyAsync(() -> poller.poll(map("a", "u", "url")));
        assertThat(begun.await(60, SECONDS)).isTrue();
        world = question -> Optional.of("new");
        poller.read(map("a", "u", "url"));
        slow.countDown();
        poll.get(60, SECONDS);

        assertThat(poller.read(map("a", "u", "url"))).contains("new");
    }

    @Test
    void answers_of_primaries_that_are_gone_are_forgotten() throws Exception {
        poller.read(map("a", "u", "url"));
        poller.read(map("b", "u", "url"));
        poller.retain(Set.of(ObjectKey.of("ns", "b")));
        poller.read(map("a", "u", "url"));
        poller.read(map("b", "u", "url"));

        assertThat(asked).hasSize(3);
    }

    private double count(String result) {
        return meters.get("busbar_polls").tag("result", result).counter().count();
    }

    private static ConfigMap map(String name, String uid, String url) {
        ConfigMapBuilder map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName(name)
                .withUid(uid)
                .endMetadata();
        return url == null ? map.build() : map.addToData("url", url).build();
    }
}
