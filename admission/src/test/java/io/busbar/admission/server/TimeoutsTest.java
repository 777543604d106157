package io.busbar.admission.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimeoutsTest {

    private static final Duration FALLBACK = Duration.ofSeconds(10);

    @Test
    void are_what_the_api_server_says() {
        assertThat(of("timeout=5s")).isEqualTo(Duration.ofSeconds(5));
        assertThat(of("a=b&timeout=1s500ms")).isEqualTo(Duration.ofMillis(1500));
    }

    @Test
    void are_the_fallback_where_it_says_none_that_can_be_read() {
        for (String query :
                new String[] {null, "", "timeout=", "timeout=soon", "timeout=0s", "timeout=-3s", "mytimeout=5s"}) {
            assertThat(of(query)).as(query).isEqualTo(FALLBACK);
        }
    }

    @Test
    void are_never_longer_than_kubernetes_lets_them_be() {
        for (String query : new String[] {"timeout=31s", "timeout=100h", "timeout=999999999h999999999h"}) {
            assertThat(of(query)).as(query).isEqualTo(Duration.ofSeconds(30));
        }
    }

    private static Duration of(String query) {
        return Timeouts.of(query, FALLBACK, BodyLimits.LONGEST);
    }
}
