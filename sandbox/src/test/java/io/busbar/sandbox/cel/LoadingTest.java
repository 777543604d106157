package io.busbar.sandbox.cel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoadingTest {

    @Test
    void ends_with_all_that_it_takes() {
        Loading.load();
        assertThat(Loading.isDone()).isTrue();
    }
}
