package io.busbar.common.condition;

/**
 * A reason that a condition may give, declared once: the code that gives it and the reference that explains it read the
 * same constant.
 *
 * <pre>{@code
 * static final ConditionReason SOLD_OUT = ConditionReason.ofFalse("Available", "SoldOut", "the shop has no crate left");
 * // …
 * conditions.with(SOLD_OUT, "0 of 12 crates are left");
 * }</pre>
 *
 * <p>Immutable.
 *
 * @param type of the condition
 * @param status that the condition has with this reason
 * @param reason in CamelCase, for programs
 * @param meaning when it is given: a clause for people, in lower case and without a full stop
 */
public record ConditionReason(String type, Status status, String reason, String meaning) {

    /** What a condition may be. */
    public enum Status {
        TRUE("True"),
        FALSE("False"),
        UNKNOWN("Unknown");

        private final String text;

        Status(String text) {
            this.text = text;
        }

        /** As conditions write it. */
        public String text() {
            return text;
        }
    }

    /** Of a condition that is {@code True}. */
    public static ConditionReason ofTrue(String type, String reason, String meaning) {
        return new ConditionReason(type, Status.TRUE, reason, meaning);
    }

    /** Of a condition that is {@code False}. */
    public static ConditionReason ofFalse(String type, String reason, String meaning) {
        return new ConditionReason(type, Status.FALSE, reason, meaning);
    }

    /** Of a condition that is {@code Unknown}. */
    public static ConditionReason ofUnknown(String type, String reason, String meaning) {
        return new ConditionReason(type, Status.UNKNOWN, reason, meaning);
    }
}
