package io.busbar.cel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonValuesTest {

    @Test
    void write_times_as_texts() {
        assertThat(JsonValues.json(Instant.parse("2026-01-02T03:04:05Z")).textValue())
                .isEqualTo("2026-01-02T03:04:05Z");
        assertThat(JsonValues.json(Duration.ofMillis(90_500)).textValue()).isEqualTo("90.5s");
        assertThat(JsonValues.json(Duration.ofSeconds(100)).textValue()).isEqualTo("100s");
        assertThat(JsonValues.json(Instant.parse("2026-01-02T03:04:05.500Z")).textValue())
                .isEqualTo("2026-01-02T03:04:05.5Z");
    }

    @Test
    void write_times_of_objects_as_kubernetes_does() {
        assertThat(JsonValues.ofObject(List.of(Duration.ofMinutes(90), Instant.parse("2026-01-02T03:04:00.500Z"))))
                .hasToString("[\"1h30m0s\",\"2026-01-02T03:04:00Z\"]");
    }

    @Test
    void give_fields_their_own_names_and_leave_keys_of_maps_alone() {
        FieldMap object = new FieldMap(Map.of("a__dash__b", 1L));

        assertThat(JsonValues.json(List.of(object, Map.of("a__dash__b", 1L))))
                .hasToString("[{\"a-b\":1},{\"a__dash__b\":1}]");
    }

    @Test
    void write_an_absent_value_as_null() {
        assertThat(JsonValues.json(Optional.empty()).isNull()).isTrue();
        assertThat(JsonValues.json(Optional.of("a")).textValue()).isEqualTo("a");
    }
}
