package io.busbar.common.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReachedTest {

    @Test
    void includes_what_is_as_old_or_older_whatever_the_number_of_digits() {
        Reached reached = new Reached("100", 0);

        assertThat(reached.includes("99")).isTrue();
        assertThat(reached.includes("100")).isTrue();
        assertThat(reached.includes("101")).isFalse();
        assertThat(reached.includes("100000000000000000000")).isFalse();
    }

    @Test
    void includes_nothing_before_the_first_list() {
        assertThat(Reached.NOTHING.includes("1")).isFalse();
    }

    @Test
    void includes_nothing_where_versions_have_no_order() {
        assertThat(new Reached("b", 0).includes("a")).isFalse();
        assertThat(new Reached("100", 0).includes("")).isFalse();
        assertThat(new Reached("100", 0).includes("007")).isFalse();
    }

    @Test
    void an_older_version_begins_another_history() {
        Reached reached = Reached.NOTHING.next("100");

        assertThat(reached).isEqualTo(new Reached("100", 0));
        assertThat(reached.next("100")).isEqualTo(new Reached("100", 0));
        assertThat(reached.next("99")).isEqualTo(new Reached("99", 1));
        assertThat(reached.next("99").next("1000")).isEqualTo(new Reached("1000", 1));
    }
}
