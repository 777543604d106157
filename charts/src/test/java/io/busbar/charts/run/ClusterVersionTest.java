package io.busbar.charts.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ClusterVersionTest {

    @Test
    void is_asked_for_again_once_the_last_answer_is_old() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
        AtomicInteger asked = new AtomicInteger(31);
        ClusterVersion version = new ClusterVersion(now::get);

        assertThat(version.get(() -> "v1." + asked.incrementAndGet())).isEqualTo("v1.32");
        now.set(Instant.EPOCH.plus(ClusterVersion.FRESH).minusMillis(1));
        assertThat(version.get(() -> "v1." + asked.incrementAndGet())).isEqualTo("v1.32");
        now.set(Instant.EPOCH.plus(ClusterVersion.FRESH));
        assertThat(version.get(() -> "v1." + asked.incrementAndGet())).isEqualTo("v1.33");
        assertThat(asked).hasValue(33);
    }
}
