package io.busbar.common.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.guard.Faults;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ForegroundTest {

    @ParameterizedTest
    @MethodSource("io.busbar.common.guard.Faults#all")
    void what_a_start_throws_ends_it_once_all_that_runs_is_closed(Throwable thrown) {
        List<String> closed = new ArrayList<>();

        assertThatThrownBy(() -> Foreground.run(atStop -> {
                    atStop.accept(() -> closed.add("first"));
                    atStop.accept(() -> Faults.raise(thrown));
                    atStop.accept(() -> closed.add("last"));
                    Faults.raise(thrown);
                }))
                .isSameAs(thrown);
        assertThat(closed).containsExactly("last", "first");
    }
}
