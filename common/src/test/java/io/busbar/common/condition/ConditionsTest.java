package io.busbar.common.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTest {

    private static final Instant THEN = Instant.parse("2026-01-01T00:00:00.999Z");
    private static final Instant NOW = THEN.plusSeconds(60);

    private final List<Condition> one = Conditions.with(List.of(), condition("Ready", "True", "Fine"), THEN);

    @Test
    void a_new_condition_is_appended_with_the_time_in_whole_seconds() {
        List<Condition> two = Conditions.with(one, condition("Upgradable", "False", "Busy"), NOW);

        assertThat(two).extracting(Condition::getType).containsExactly("Ready", "Upgradable");
        assertThat(two.get(0).getLastTransitionTime()).isEqualTo("2026-01-01T00:00:00Z");
    }

    @Test
    void the_time_stands_while_the_status_does() {
        Condition after = Conditions.with(one, condition("Ready", "True", "StillFine"), NOW)
                .get(0);

        assertThat(after.getReason()).isEqualTo("StillFine");
        assertThat(after.getLastTransitionTime()).isEqualTo("2026-01-01T00:00:00Z");
    }

    @Test
    void the_time_moves_with_the_status_and_the_place_stays() {
        List<Condition> two = Conditions.with(one, condition("Upgradable", "True", "Idle"), THEN);
        List<Condition> after = Conditions.with(two, condition("Ready", "False", "Broken"), NOW);

        assertThat(after).extracting(Condition::getType).containsExactly("Ready", "Upgradable");
        assertThat(after.get(0).getLastTransitionTime()).isEqualTo("2026-01-01T00:01:00Z");
    }

    @Test
    void setting_the_same_again_changes_nothing() {
        assertThat(Conditions.with(one, condition("Ready", "True", "Fine"), NOW))
                .isEqualTo(one);
    }

    @Test
    void is_found_by_type_and_true_only_when_it_says_so() {
        assertThat(Conditions.find(one, "Ready")).isPresent();
        assertThat(Conditions.find(one, "Other")).isEmpty();
        assertThat(Conditions.isTrue(one, "Ready")).isTrue();
        assertThat(Conditions.isTrue(one, "Other")).isFalse();
        assertThat(Conditions.isTrue(List.of(condition("Ready", "Unknown", "x")), "Ready"))
                .isFalse();
    }

    private static Condition condition(String type, String status, String reason) {
        return new ConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .build();
    }
}
