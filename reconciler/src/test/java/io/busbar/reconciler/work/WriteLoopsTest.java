package io.busbar.reconciler.work;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class WriteLoopsTest {

    private static final ObjectKey PRIMARY = ObjectKey.of("ns", "a");
    private static final int MANY = 5 * WriteLoops.LONG_ROW;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final Logger logger = (Logger) LoggerFactory.getLogger(WriteLoops.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private long now;
    private final WriteLoops loops =
            new WriteLoops("pod", object -> serialization.convertValue(object, ObjectNode.class), meters, () -> now);
    private int version = 100;

    @BeforeEach
    void listen() {
        logger.setLevel(Level.WARN);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    @Test
    void a_status_that_is_new_each_time_it_is_looked_at_is_a_loop_which_is_named_once_a_minute() throws Exception {
        for (int i = 0; i < MANY; i++) {
            turn(write("a", "at " + i));
            requestedByLast();
        }
        assertThat(warnings())
                .singleElement()
                .satisfies(warning ->
                        assertThat(warning).contains("object=\"ns/a\"", "turns=\"20\"", "fields=\"[status.message]\""));
        assertThat(counted()).isEqualTo(MANY - WriteLoops.LONG_ROW + 1);

        now += Duration.ofMinutes(1).toNanos();
        turn(write("a", "later"));
        assertThat(warnings()).hasSize(2);
    }

    @Test
    void a_loop_is_found_although_the_watch_is_faster_than_the_answer() throws Exception {
        for (int i = 0; i < MANY; i++) {
            Pod written = write("a", "at " + i);
            loops.turn(PRIMARY, () -> {
                requestedByLast();
                loops.wrote("", written);
                return true;
            });
        }
        assertThat(warnings()).hasSize(1);
    }

    @Test
    void who_follows_what_others_do_is_no_loop_however_often_it_writes() throws Exception {
        for (int i = 0; i < MANY; i++) {
            turn(write("a", i + " of " + MANY + " Pods are ready"));
            requestedByLast();
            loops.requested(PRIMARY, "of the kubelet " + i);
        }
        assertQuiet();
    }

    @Test
    void who_comes_back_by_the_clock_or_a_resync_is_no_loop() throws Exception {
        for (int i = 0; i < MANY; i++) {
            turn(write("a", "probed at " + i));
        }
        for (int i = 0; i < MANY; i++) {
            turn(write("a", "probed at " + i));
            requestedByLast();
            loops.requested(PRIMARY, "");
        }
        assertQuiet();
    }

    @Test
    void who_finds_nothing_to_do_after_its_own_write_is_no_loop() throws Exception {
        for (int i = 0; i < MANY; i++) {
            turn(write("a", "at " + i));
            requestedByLast();
            turn();
            loops.requested(PRIMARY, "of a user " + i);
        }
        assertQuiet();
    }

    @Test
    void many_objects_one_after_the_other_are_no_loop_but_the_one_that_is_always_among_them_is() throws Exception {
        for (int i = 0; i < MANY; i++) {
            turn(write("part-" + i, "made"));
            requestedByLast();
        }
        assertQuiet();

        for (int i = 0; i < WriteLoops.LONG_ROW; i++) {
            turn(write("part-" + i, "made"), write("a", i + " parts"));
            requestedByLast();
        }
        assertThat(warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning).contains("object=\"ns/a\""));
    }

    @Test
    void a_write_that_changes_nothing_is_none() throws Exception {
        Pod same = write("a", "same");
        for (int i = 0; i < MANY; i++) {
            turn(same);
            requestedByLast();
        }
        assertQuiet();
    }

    @Test
    void remembers_no_more_than_it_says() throws Exception {
        for (int i = 0; i < 2 * WriteLoops.MOST_PRIMARIES; i++) {
            Pod written = write("p" + i, "once");
            loops.turn(ObjectKey.of(written), () -> {
                loops.wrote("", written);
                return true;
            });
        }
        assertThat(loops.size()).isEqualTo(WriteLoops.MOST_PRIMARIES);
    }

    private void turn(HasMetadata... written) throws Exception {
        loops.turn(PRIMARY, () -> {
            List.of(written).forEach(object -> loops.wrote("", object));
            return true;
        });
    }

    private void requestedByLast() {
        loops.requested(PRIMARY, String.valueOf(version));
    }

    private Pod write(String name, String message) {
        version++;
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName(name)
                .withResourceVersion(String.valueOf(version))
                .endMetadata()
                .withNewStatus()
                .withMessage(message)
                .endStatus()
                .build();
    }

    private void assertQuiet() {
        assertThat(warnings()).isEmpty();
        assertThat(counted()).isZero();
    }

    private List<String> warnings() {
        return lines.list.stream()
                .filter(line -> line.getLevel() == Level.WARN)
                .map(line -> String.valueOf(line.getKeyValuePairs()))
                .toList();
    }

    private double counted() {
        return meters.get("busbar_reconcile_write_loops").counter().count();
    }
}
