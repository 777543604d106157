package io.busbar.common.guard;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class SlowCallsTest {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final AtomicLong nanos = new AtomicLong();
    private final SlowCalls calls = new SlowCalls("index", meters, nanos::get);
    private final Logger logger = (Logger) LoggerFactory.getLogger(SlowCalls.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
        logger.setAdditive(false);
        logger.setLevel(Level.WARN);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setAdditive(true);
        logger.setLevel(null);
    }

    @Test
    void what_is_quick_is_not_spoken_of() {
        take("byOwner", Duration.ofMillis(20));

        assertThat(lines.list).isEmpty();
        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void what_is_slow_is_named_once_a_minute_and_counted_each_time() {
        for (int i = 0; i < 5; i++) {
            take("byOwner", Duration.ofMillis(21));
        }
        take("byLabel", Duration.ofMillis(30));
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        take("byOwner", Duration.ofSeconds(2));

        assertThat(slow("byOwner")).isEqualTo(6);
        assertThat(slow("byLabel")).isEqualTo(1);
        assertThat(lines.list)
                .hasSize(3)
                .allSatisfy(line -> assertThat(line.getLevel()).isEqualTo(Level.WARN));
        assertThat(lines.list.get(2).getKeyValuePairs())
                .anyMatch(pair -> pair.key.equals("name") && pair.value.equals("byOwner"))
                .anyMatch(pair -> pair.key.equals("kind") && pair.value.equals("index"))
                .anyMatch(pair -> pair.key.equals("millis") && pair.value.equals(2000L));
    }

    private void take(String name, Duration time) {
        long begun = calls.begin();
        nanos.addAndGet(time.toNanos());
        calls.end(begun, name);
    }

    private double slow(String name) {
        return meters.get("busbar_slow_calls")
                .tag("kind", "index")
                .tag("name", name)
                .counter()
                .count();
    }
}
