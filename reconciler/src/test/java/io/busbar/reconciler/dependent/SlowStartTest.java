package io.busbar.reconciler.dependent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlowStartTest {

    private final AtomicInteger calls = new AtomicInteger();

    @Test
    void makes_as_many_requests_as_asked_for() throws Exception {
        assertThat(SlowStart.repeat(0, calls::incrementAndGet)).isEmpty();
        assertThat(SlowStart.repeat(100, calls::incrementAndGet)).hasSize(100).doesNotHaveDuplicates();
        assertThat(calls).hasValue(100);
    }

    @Test
    void a_request_that_is_refused_is_not_repeated() {
        assertThatThrownBy(() -> SlowStart.repeat(100, () -> {
                    calls.incrementAndGet();
                    throw new IllegalStateException("quota exceeded");
                }))
                .hasMessage("quota exceeded");
        assertThat(calls).hasValue(1);
    }

    @Test
    void the_batch_of_a_failure_is_the_last() {
        assertThatThrownBy(() -> SlowStart.repeat(100, () -> {
                    if (calls.incrementAndGet() == 5) {
                        throw new IllegalStateException("quota exceeded");
                    }
                    return "";
                }))
                .hasMessage("quota exceeded");
        assertThat(calls).as("1 + 2 + 4").hasValue(7);
    }

    @Test
    void makes_one_request_for_each_object_and_begins_with_the_first() throws Exception {
        Queue<Integer> asked = new ConcurrentLinkedQueue<>();
        SlowStart.each(List.of(), asked::add);
        assertThat(asked).isEmpty();

        List<Integer> objects = IntStream.range(0, 40).boxed().toList();
        SlowStart.each(objects, asked::add);
        assertThat(asked).containsExactlyInAnyOrderElementsOf(objects).startsWith(0);
    }
}
