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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

class GuardTest {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final AtomicLong nanos = new AtomicLong();
    private final Guard guard = new Guard("test", meters, nanos::get);
    private final Logger logger = (Logger) LoggerFactory.getLogger(Guard.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
        logger.setAdditive(false);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setAdditive(true);
    }

    @ParameterizedTest
    @MethodSource("io.busbar.common.guard.Faults#all")
    void counts_and_logs_whatever_is_thrown_and_goes_on(Throwable thrown) {
        boolean ended = guard.run(() -> Faults.raise(thrown));

        assertThat(ended).isFalse();
        assertThat(meters.get("busbar_panics").tag("place", "test").counter().count())
                .isEqualTo(1);
        ILoggingEvent line = lines.list.get(0);
        assertThat(line.getLevel()).isEqualTo(Level.ERROR);
        assertThat(line.getKeyValuePairs()).anyMatch(pair -> pair.key.equals("place") && pair.value.equals("test"));
        assertThat(line.getThrowableProxy().getStackTraceElementProxyArray()).isNotEmpty();
        assertThat(line.getThrowableProxy().getClassName()
                        + line.getThrowableProxy().getMessage())
                .contains(thrown.getClass().getSimpleName());
    }

    @Test
    void tells_once_a_minute_and_counts_all() {
        for (int i = 0; i < 5; i++) {
            guard.run(() -> Faults.raise(new AssertionError()));
        }
        assertThat(lines.list)
                .filteredOn(line -> line.getLevel() == Level.ERROR)
                .hasSize(1);

        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        guard.run(() -> Faults.raise(new AssertionError()));

        assertThat(lines.list)
                .filteredOn(line -> line.getLevel() == Level.ERROR)
                .hasSize(2);
        assertThat(meters.get("busbar_panics").counter().count()).isEqualTo(6);
    }

    @Test
    void gives_the_result_of_a_turn_or_what_stands_in_for_it() {
        assertThat(guard.<String>call(() -> "done", thrown -> "failed")).isEqualTo("done");
        assertThat(guard.<String>call(
                        () -> {
                            throw new java.io.IOException("no");
                        },
                        Thrown::text))
                .isEqualTo("java.io.IOException: no");
        assertThat(Thrown.text(new Faults.Unreadable())).isEqualTo(Faults.Unreadable.class.getName());
        assertThat(Thrown.message(new Faults.Unreadable())).isNull();
    }
}
