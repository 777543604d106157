package io.busbar.sandbox.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

class FieldSetTest {

    @Test
    @Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
    void what_cancels_out_far_below_is_not_looked_at_twice_on_each_level() {
        FieldSet deep = FieldSet.of(Collections.nCopies(200, "d").toArray(String[]::new));
        assertThat(deep.minus(deep).isEmpty()).isTrue();
        assertThat(deep.union(deep)).isEqualTo(deep);
        assertThat(deep.intersection(FieldSet.of("d", "e")).isEmpty()).isTrue();
    }
}
