package io.busbar.common.condition;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Pure functions on lists of conditions, each type at most once.
 *
 * <p>Immutable. Source of the rules: metav1.Condition and apimachinery's {@code meta.SetStatusCondition}.
 */
public final class Conditions {

    private Conditions() {}

    public static Optional<Condition> find(List<Condition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }

    public static boolean isTrue(List<Condition> conditions, String type) {
        return find(conditions, type)
                .filter(condition -> condition.getStatus().equals("True"))
                .isPresent();
    }

    /**
     * The list with one condition set: in place, or at the end where its type is new. lastTransitionTime moves to {@code now}
     * (whole seconds) only if the status differs from what it was; the one given is ignored.
     */
    public static List<Condition> with(List<Condition> conditions, Condition wanted, Instant now) {
        List<Condition> result = new ArrayList<>(conditions);
        int at = 0;
        while (at < result.size() && !result.get(at).getType().equals(wanted.getType())) {
            at++;
        }
        boolean known = at < result.size();
        String since = known && result.get(at).getStatus().equals(wanted.getStatus())
                ? result.get(at).getLastTransitionTime()
                : now.truncatedTo(ChronoUnit.SECONDS).toString();
        Condition condition =
                new ConditionBuilder(wanted).withLastTransitionTime(since).build();
        if (known) {
            result.set(at, condition);
        } else {
            result.add(condition);
        }
        return List.copyOf(result);
    }
}
