package io.busbar.common.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.RecordResource;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTest {

    private static final Instant THEN = Instant.parse("2026-01-01T00:00:00.999Z");
    private static final Instant NOW = THEN.plusSeconds(60);

    record WidgetSpec() {}

    record WidgetStatus(List<Condition> conditions) implements HasConditions {}

    @Group("example.com")
    @Version("v1")
    static final class Widget extends RecordResource<Widget, WidgetSpec, WidgetStatus> implements Namespaced {
        private static final long serialVersionUID = 1L;
    }

    private final Widget ready = told(Conditions.of(widget(7), THEN).with("Ready", true, "Fine", "all is well"));

    @Test
    void say_what_a_declared_reason_says() {
        ConditionReason soldOut = ConditionReason.ofFalse("Available", "SoldOut", "no crate is left");
        ConditionReason unseen = ConditionReason.ofUnknown("Available", "Unseen", "nobody has looked");

        assertThat(Conditions.of(widget(1), NOW).with(soldOut, "0 of 12").list())
                .isEqualTo(Conditions.of(widget(1), NOW)
                        .with("Available", false, "SoldOut", "0 of 12")
                        .list());
        assertThat(Conditions.of(widget(1), NOW).with(unseen, "not yet").list())
                .isEqualTo(Conditions.of(widget(1), NOW)
                        .withUnknown("Available", "Unseen", "not yet")
                        .list());
        assertThat(Conditions.of(widget(1), NOW)
                        .with(ConditionReason.ofTrue("Available", "InStore", "there are crates"), "3 of 12")
                        .isTrue("Available", "InStore"))
                .isTrue();
    }

    @Test
    void an_object_without_a_status_has_none() {
        assertThat(Conditions.of(widget(1), NOW).list()).isEmpty();
        assertThat(Conditions.of(widget(1).with(new WidgetStatus(null)), NOW).list())
                .isEmpty();
        assertThat(Conditions.of(new Widget(), NOW).observedGeneration()).isZero();
    }

    @Test
    void a_new_one_is_appended_with_the_generation_and_the_time_in_whole_seconds() {
        assertThat(Conditions.of(ready, NOW)
                        .withUnknown("Upgradable", "Busy", "not looked at")
                        .list())
                .containsExactly(
                        new Condition("2026-01-01T00:00:00Z", "all is well", 7L, "Fine", "True", "Ready"),
                        new Condition("2026-01-01T00:01:00Z", "not looked at", 7L, "Busy", "Unknown", "Upgradable"));
    }

    @Test
    void a_long_message_is_cut() {
        assertThat(Conditions.of(widget(1), NOW)
                        .with("Ready", false, "Failed", "x".repeat(2_001))
                        .list())
                .extracting(Condition::getMessage)
                .containsExactly("x".repeat(2_000) + "…");
        assertThat(Conditions.of(widget(1), NOW)
                        .with("Ready", false, "Failed", "x".repeat(2_000))
                        .list())
                .extracting(Condition::getMessage)
                .containsExactly("x".repeat(2_000));
    }

    @Test
    void the_time_stands_while_the_status_does() {
        ready.getMetadata().setGeneration(8L);

        assertThat(Conditions.of(ready, NOW)
                        .with("Ready", true, "StillFine", "all is well")
                        .list())
                .containsExactly(
                        new Condition("2026-01-01T00:00:00Z", "all is well", 8L, "StillFine", "True", "Ready"));
    }

    @Test
    void the_time_moves_with_the_status_and_the_place_stays() {
        Widget two = told(Conditions.of(ready, THEN).with("Upgradable", true, "Idle", "nothing runs"));
        List<Condition> after = Conditions.of(two, NOW)
                .with("Ready", false, "Broken", "it fell")
                .list();

        assertThat(after).extracting(Condition::getType).containsExactly("Ready", "Upgradable");
        assertThat(after.get(0).getStatus()).isEqualTo("False");
        assertThat(after.get(0).getLastTransitionTime()).isEqualTo("2026-01-01T00:01:00Z");
    }

    @Test
    void setting_the_same_again_changes_nothing() {
        assertThat(Conditions.of(ready, NOW)
                        .with("Ready", true, "Fine", "all is well")
                        .list())
                .isEqualTo(ready.getStatus().conditions());
    }

    @Test
    void one_that_is_taken_away_begins_anew_when_it_comes_back() {
        Conditions without = Conditions.of(ready, NOW).without("Ready");

        assertThat(without.list()).isEmpty();
        assertThat(without.with("Ready", true, "Fine", "all is well").find("Ready"))
                .hasValueSatisfying(
                        back -> assertThat(back.getLastTransitionTime()).isEqualTo("2026-01-01T00:01:00Z"));
    }

    @Test
    void is_found_by_type_and_true_only_when_it_says_so() {
        List<Condition> one = ready.getStatus().conditions();

        assertThat(Conditions.find(one, "Ready")).isPresent();
        assertThat(Conditions.find(one, "Other")).isEmpty();
        assertThat(Conditions.isTrue(one, "Ready")).isTrue();
        assertThat(Conditions.isTrue(one, "Other")).isFalse();
        assertThat(Conditions.of(ready, NOW).isTrue("Ready", "Fine")).isTrue();
        assertThat(Conditions.of(ready, NOW).isTrue("Ready", "Broken")).isFalse();
        assertThat(Conditions.of(ready, NOW).with("Ready", false, "Fine", "x").isTrue("Ready", "Fine"))
                .isFalse();
        assertThat(Conditions.isTrue(
                        Conditions.of(ready, NOW).withUnknown("Ready", "x", "x").list(), "Ready"))
                .isFalse();
    }

    private static Widget widget(long generation) {
        Widget widget = new Widget();
        widget.getMetadata().setGeneration(generation);
        return widget;
    }

    private static Widget told(Conditions conditions) {
        return widget(conditions.observedGeneration()).with(new WidgetStatus(conditions.list()));
    }
}
