package io.busbar.sandbox.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatsTest {

    @ParameterizedTest
    @CsvSource(textBlock = """
                    date,      2026-01-31,            2026-02-31
                    date-time, 2026-01-31T10:00:00Z,  2026-01-31
                    date-time, 2026-01-31T10:00:00.5+02:00, 10:00:00Z
                    duration,  1h30m,                 soon
                    duration,  5 minutes,             5 parsecs
                    uri,       https://a.example/b?c, :a
                    email,     a@b.example,           a.example
                    hostname,  a-b.example,           -a.example
                    ipv4,      10.0.0.255,            10.0.0.256
                    ipv6,      fe80::1,               fe80:::1
                    ipv6,      ::ffff:10.0.0.1,       1:2:3
                    cidr,      10.0.0.0/8,            10.0.0.0/33
                    cidr,      fe80::/64,             fe80::
                    mac,       00:1a:2b:3c:4d:5e,     00:1a:2b
                    uuid,      123e4567-e89b-12d3-a456-426614174000, 123e4567
                    byte,      aGk=,                  a*
                    """)
    void tells_a_good_text_from_a_bad_one(String format, String good, String bad) {
        assertThat(Formats.fits(format, good)).isTrue();
        assertThat(Formats.fits(format, bad)).isFalse();
    }
}
