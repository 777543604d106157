package io.busbar.reconciler.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.reconciler.event.Correlator.Decision;
import io.busbar.reconciler.event.Occurrence.Regarding;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CorrelatorTest {

    private final Correlator correlator = new Correlator();
    private final Regarding regarding = new Regarding("v1", "Pod", "ns", "a", "uid");
    private final Occurrence occurrence = occurrence("note");
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void the_first_is_an_event_and_equal_ones_raise_its_count() {
        Decision.Create first = (Decision.Create) correlator.observe(occurrence, now);
        now = now.plusSeconds(10);
        Decision second = correlator.observe(occurrence("note"), now);

        assertThat(first.name()).startsWith("a.");
        assertThat(second).isEqualTo(new Decision.Count(occurrence, first.name(), 2, now));
    }

    @Test
    void a_different_note_is_another_event() {
        Decision.Create first = (Decision.Create) correlator.observe(occurrence, now);
        Decision.Create second = (Decision.Create) correlator.observe(occurrence("other"), now);

        assertThat(second.name()).isNotEqualTo(first.name());
    }

    @Test
    void after_a_gap_of_six_minutes_it_is_a_new_event() {
        correlator.observe(occurrence, now);
        now = now.plus(Correlator.SERIES_GAP).plusSeconds(1);
        correlator.endSeries(now);

        assertThat(correlator.observe(occurrence, now)).isInstanceOf(Decision.Create.class);
    }

    @Test
    void an_object_gets_twenty_five_writes_then_one_each_five_minutes() {
        for (int i = 0; i < 25; i++) {
            assertThat(correlator.observe(occurrence("note " + i), now)).isInstanceOf(Decision.Create.class);
        }
        assertThat(correlator.observe(occurrence("one more"), now)).isInstanceOf(Decision.HoldBack.class);
        now = now.plus(Duration.ofMinutes(5)).plusSeconds(1);
        assertThat(correlator.observe(occurrence("later"), now)).isInstanceOf(Decision.Create.class);
        assertThat(correlator.observe(occurrence("too soon"), now)).isInstanceOf(Decision.HoldBack.class);
    }

    @Test
    void what_was_held_back_is_told_when_the_series_ends() {
        for (int i = 0; i < 40; i++) {
            correlator.observe(occurrence, now);
        }
        List<Decision> atEnd =
                correlator.endSeries(now.plus(Correlator.SERIES_GAP).plusSeconds(1));

        assertThat(atEnd).hasSize(1);
        assertThat(((Decision.Count) atEnd.get(0)).count()).isEqualTo(40);
    }

    @Test
    void names_fit_however_long_the_objects_is() {
        Regarding longName = new Regarding("v1", "Pod", "ns", "a".repeat(253), "uid");
        Decision.Create create = (Decision.Create)
                correlator.observe(new Occurrence("c", longName, "Normal", "Reason", "Action", "note"), now);

        assertThat(create.name()).hasSizeLessThanOrEqualTo(253);
    }

    @Test
    void a_long_note_is_cut_between_characters() {
        assertThat(occurrence("é".repeat(600)).note()).isEqualTo("é".repeat(512));
        assertThat(occurrence("x" + "é".repeat(600)).note()).isEqualTo("x" + "é".repeat(511));
        assertThat(occurrence("short").note()).isEqualTo("short");
    }

    private Occurrence occurrence(String note) {
        return new Occurrence("c", regarding, "Normal", "Reason", "Action", note);
    }
}
