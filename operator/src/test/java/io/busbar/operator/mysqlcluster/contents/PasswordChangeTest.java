package io.busbar.operator.mysqlcluster.contents;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.contents.PasswordChange.Step;
import io.busbar.operator.mysqlcluster.v1alpha1.PasswordStatus;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PasswordChangeTest {

    private static final Instant NOW = Instant.parse("2026-11-28T10:00:00Z");
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final Instant LATER = NOW.plus(TEN_MINUTES);

    private static PasswordStatus known(@Nullable String changingTo, @Nullable Instant oldUntil) {
        return new PasswordStatus("a", "A", changingTo, oldUntil == null ? null : oldUntil.toString());
    }

    private static PasswordChange decide(PasswordStatus known, String secret, String stored, boolean retainsOld) {
        return PasswordChange.decide(known, secret, stored, retainsOld, TEN_MINUTES, NOW);
    }

    @Test
    void nothing_is_done_while_both_are_as_they_were() {
        assertThat(decide(known(null, null), "a", "A", false)).isEqualTo(new PasswordChange(Step.NONE, null));
        assertThat(decide(known(null, LATER), "a", "A", true)).isEqualTo(new PasswordChange(Step.NONE, LATER));
    }

    @Test
    void an_account_of_which_nothing_is_known_gets_the_password_and_no_other_stays() {
        assertThat(decide(PasswordStatus.NONE, "a", "A", false)).isEqualTo(new PasswordChange(Step.REPLACE, null));
    }

    @Test
    void the_old_password_stays_for_a_while_when_the_secret_changes() {
        assertThat(decide(known(null, null), "b", "A", false)).isEqualTo(new PasswordChange(Step.RETAIN, LATER));
        assertThat(PasswordChange.decide(known(null, null), "b", "A", false, Duration.ZERO, NOW))
                .isEqualTo(new PasswordChange(Step.REPLACE, null));
    }

    @Test
    void the_time_begins_anew_when_the_secret_changes_again() {
        Instant sooner = NOW.plusSeconds(60);
        assertThat(decide(known(null, sooner), "b", "A", true)).isEqualTo(new PasswordChange(Step.RETAIN, LATER));
    }

    @Test
    void a_password_that_somebody_has_set_on_the_server_does_not_stay() {
        assertThat(decide(known(null, null), "a", "X", false)).isEqualTo(new PasswordChange(Step.REPLACE, null));
        assertThat(decide(known(null, null), "b", "X", false)).isEqualTo(new PasswordChange(Step.REPLACE, null));
    }

    @Test
    void a_change_that_a_failover_has_lost_is_made_again_with_the_old_one_kept_as_promised() {
        Instant sooner = NOW.plusSeconds(60);
        assertThat(decide(known(null, sooner), "a", "X", false)).isEqualTo(new PasswordChange(Step.RETAIN, sooner));
        Instant over = NOW.minusSeconds(1);
        assertThat(decide(known(null, over), "a", "X", false)).isEqualTo(new PasswordChange(Step.REPLACE, null));
    }

    @Test
    void a_change_that_was_made_but_not_told_is_not_made_twice() {
        assertThat(decide(known("b", LATER), "b", "B", true)).isEqualTo(new PasswordChange(Step.NONE, LATER));
        assertThat(decide(known("b", LATER), "b", "A", false))
                .as("announced, not made")
                .isEqualTo(new PasswordChange(Step.RETAIN, LATER));
    }

    @Test
    void an_old_password_that_nobody_remembers_goes_in_time() {
        assertThat(decide(PasswordStatus.NONE, "a", "A", true)).isEqualTo(new PasswordChange(Step.REPLACE, LATER));
        assertThat(decide(known(null, null), "a", "A", true)).isEqualTo(new PasswordChange(Step.NONE, LATER));
        PasswordStatus unreadable = new PasswordStatus("a", "A", null, "soon");
        assertThat(decide(unreadable, "a", "A", true)).isEqualTo(new PasswordChange(Step.NONE, LATER));
    }
}
