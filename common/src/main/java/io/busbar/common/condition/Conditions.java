package io.busbar.common.condition;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The conditions of an object, as they are told anew: those that its status has, with changes, for its present
 * generation.
 *
 * <pre>{@code
 * Conditions.of(widget, clock.instant())
 *         .with("Available", ready == size, ready == size ? "AllReady" : "SomeNotReady", ready + " of " + size + " are ready")
 *         .withUnknown("Degraded", "NotLooked", "it has not been looked at")
 *         .list();
 * }</pre>
 *
 * <p>Each type is there at most once. What is set takes the place of the one of its type, or the last place where its
 * type is new; its lastTransitionTime moves (to whole seconds) only if its status differs from what it was. A message
 * may be of any length: of a long one 2,000 characters are told, and a mark of the cut.
 *
 * <p>Immutable. Source of the rules: metav1.Condition and apimachinery's {@code meta.SetStatusCondition}.
 */
public final class Conditions {

    /** The type that tells whether what is asked for can be used. */
    public static final String AVAILABLE = "Available";

    /** The type that tells whether something is still on its way. */
    public static final String PROGRESSING = "Progressing";

    /** The type that tells whether somebody must look. */
    public static final String DEGRADED = "Degraded";

    private static final String TRUE = "True";
    private static final int LONGEST_MESSAGE = 2_000;

    private final List<Condition> list;
    private final long generation;
    private final Instant now;

    private Conditions(List<Condition> list, long generation, Instant now) {
        this.list = List.copyOf(list);
        this.generation = generation;
        this.now = now;
    }

    /**
     * Those that an object has; none, where it has no status yet, or one that says nothing of them.
     *
     * @param now the time of what changes
     */
    public static Conditions of(CustomResource<?, ? extends HasConditions> object, Instant now) {
        HasConditions status = object.getStatus();
        List<Condition> before = status == null ? null : status.conditions();
        Long generation = object.getMetadata().getGeneration();
        return of(Objects.requireNonNullElse(before, List.of()), Objects.requireNonNullElse(generation, 0L), now);
    }

    /**
     * The same for an object whose status is of another making.
     *
     * @param before those that it has
     * @param generation its present one
     */
    public static Conditions of(List<Condition> before, long generation, Instant now) {
        return new Conditions(before, generation, now);
    }

    /** The one of a type. */
    public static Optional<Condition> find(List<Condition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }

    /** Whether the one of a type is there, and {@code True}. */
    public static boolean isTrue(List<Condition> conditions, String type) {
        return find(conditions, type)
                .filter(condition -> condition.getStatus().equals(TRUE))
                .isPresent();
    }

    /**
     * With one that is {@code True} or {@code False}.
     *
     * @param reason in CamelCase, for programs
     * @param message for people; an API server may refuse one that is empty
     */
    public Conditions with(String type, boolean holds, String reason, String message) {
        return set(type, holds ? TRUE : "False", reason, message);
    }

    /**
     * With one as a reason that was declared has it.
     *
     * @param message for people; an API server may refuse one that is empty
     */
    public Conditions with(ConditionReason reason, String message) {
        return set(reason.type(), reason.status().text(), reason.reason(), message);
    }

    /**
     * With one of which somebody else has said all.
     *
     * @param status {@code True}, {@code False} or {@code Unknown}
     */
    public Conditions with(String type, String status, String reason, String message) {
        return set(type, status, reason, message);
    }

    /** With one that is {@code Unknown}. */
    public Conditions withUnknown(String type, String reason, String message) {
        return set(type, "Unknown", reason, message);
    }

    /** Without that of a type. */
    public Conditions without(String type) {
        return new Conditions(
                list.stream()
                        .filter(condition -> !condition.getType().equals(type))
                        .toList(),
                generation,
                now);
    }

    /** The one of a type. */
    public Optional<Condition> find(String type) {
        return find(list, type);
    }

    /** Whether the one of a type is there, and {@code True} for this reason. */
    public boolean isTrue(String type, String reason) {
        return isTrue(list, type)
                && find(type).map(Condition::getReason).filter(reason::equals).isPresent();
    }

    /** For the status. */
    public List<Condition> list() {
        return list;
    }

    /**
     * For the status: the object's generation, which those that were set are about; 0 for an object that was never
     * stored.
     */
    public long observedGeneration() {
        return generation;
    }

    private Conditions set(String type, String status, String reason, String message) {
        List<Condition> result = new ArrayList<>(list);
        Optional<Condition> before = find(type);
        Condition condition = new ConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .withMessage(cut(message))
                .withObservedGeneration(generation)
                .withLastTransitionTime(before.filter(known -> known.getStatus().equals(status))
                        .map(Condition::getLastTransitionTime)
                        .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString()))
                .build();
        if (before.isPresent()) {
            result.set(list.indexOf(before.get()), condition);
        } else {
            result.add(condition);
        }
        return new Conditions(result, generation, now);
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_MESSAGE ? text : text.substring(0, LONGEST_MESSAGE) + "…";
    }
}
