package io.busbar.runtime.flags;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FlagValuesTest {

    @Test
    void tell_what_was_given_and_what_holds_by_default() {
        assertThat(values())
                .containsEntry("webhook-port", "9443")
                .containsEntry("health-probe-bind-address", ":8081")
                .containsEntry("metrics-secure", "true")
                .containsEntry("enable-http2", "false")
                .containsEntry("watch-namespaces", "")
                .containsEntry("webhook-client-ca", "")
                .containsEntry("webhook-certs", "mounted")
                .containsEntry("leader-election-id", "shop-leader-election")
                .doesNotContainKeys("help", "version");
        assertThat(values(
                        "--webhook-port=1234",
                        "--enable-http2",
                        "--metrics-secure=false",
                        "--watch-namespaces=shop,bank",
                        "--watch-namespaces=inn",
                        "--resync-interval",
                        "90m"))
                .containsEntry("webhook-port", "1234")
                .containsEntry("enable-http2", "true")
                .containsEntry("metrics-secure", "false")
                .containsEntry("watch-namespaces", "shop,bank,inn")
                .containsEntry("resync-interval", "90m");
    }

    @Test
    void tell_what_the_environment_says() {
        ParsedFlags parsed = ParsedFlags.of(Map.of("SHOP_WEBHOOK_PORT", "1234"));

        assertThat(FlagValues.of(parsed.command())).containsEntry("webhook-port", "1234");
    }

    @Test
    void leave_out_accounts_in_urls() {
        assertThat(values("--tracing-endpoint=https://ada:lovelace@collector:4318/v1"))
                .containsEntry("tracing-endpoint", "https://[REDACTED]@collector:4318/v1");
    }

    private static Map<String, String> values(String... arguments) {
        return FlagValues.of(ParsedFlags.of(arguments).command());
    }
}
