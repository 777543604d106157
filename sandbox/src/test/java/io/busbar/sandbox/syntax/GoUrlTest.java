package io.busbar.sandbox.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoUrlTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ": | parse \":\": missing protocol scheme",
                "127.0.0.1:80/x | parse \"127.0.0.1:80/x\": first path segment in URL cannot contain colon",
                "https://a:b/ | parse \"https://a:b/\": invalid port \":b\" after host",
                "https://a b/ | parse \"https://a b/\": invalid character \" \" in host name",
                "https://[::1/ | parse \"https://[::1/\": missing ']' in host",
                "https://a/%zz | parse \"https://a/%zz\": invalid URL escape \"%zz\"",
            })
    void refuses_what_go_refuses(String text, String why) {
        assertThatIllegalArgumentException().isThrownBy(() -> GoUrl.parse(text)).withMessage(why);
    }

    @Test
    void tells_the_parts() {
        GoUrl url = GoUrl.parse("HTTPS://u:p@my_host:8443/a b?c#d");
        assertThat(url).isEqualTo(new GoUrl("https", "u:p", "my_host:8443", "/a b", "c", "d"));
        assertThat(url.hostName()).isEqualTo("my_host");
        assertThat(url.port()).isEqualTo(8443);
        assertThat(url.escapedPath()).isEqualTo("/a%20b");
    }

    @Test
    void takes_a_host_without_slashes_for_a_scheme() {
        GoUrl url = GoUrl.parse("localhost:9443/validate");
        assertThat(url.scheme()).isEqualTo("localhost");
        assertThat(url.host()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"https://[::1]:80/, ::1, 80", "https://[::1], ::1, 443", "https://a, a, 443", "https://a:, a, 443"})
    void knows_the_host_and_the_port(String text, String host, int port) {
        assertThat(GoUrl.parse(text).hostName()).isEqualTo(host);
        assertThat(GoUrl.parse(text).port()).isEqualTo(port);
    }
}
