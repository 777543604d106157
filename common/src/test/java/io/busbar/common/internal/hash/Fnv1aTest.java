package io.busbar.common.internal.hash;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class Fnv1aTest {

    @Test
    void hashes_are_those_of_the_authors_of_fnv() {
        assertThat(Fnv1a.hash("")).isEqualTo(0xcbf29ce484222325L);
        assertThat(Fnv1a.hash("a")).isEqualTo(0xaf63dc4c8601ec8cL);
        assertThat(Fnv1a.hash("foobar")).isEqualTo(0x85944171f73967e8L);
    }

    @Test
    void a_text_is_its_bytes_in_utf_8() {
        assertThat(Fnv1a.hash("ä")).isEqualTo(0x0ac21207b7181582L);
    }
}
