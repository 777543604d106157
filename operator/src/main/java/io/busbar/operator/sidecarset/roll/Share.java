package io.busbar.operator.sidecarset.roll;

import io.fabric8.kubernetes.api.model.IntOrString;

/**
 * A number of Pods that is given absolutely or as a percentage.
 *
 * <p>Immutable.
 */
record Share(int value, boolean percent) {

    /**
     * @throws IllegalArgumentException when it is neither, or negative
     */
    static Share of(IntOrString given) {
        String text = given.getIntVal() == null ? String.valueOf(given.getStrVal()) : given.getIntVal() + "";
        boolean percent = given.getIntVal() == null && text.endsWith("%");
        try {
            int value = Integer.parseInt(percent ? text.substring(0, text.length() - 1) : text);
            if (value >= 0 && (percent || given.getIntVal() != null)) {
                return new Share(value, percent);
            }
            throw invalid(text);
        } catch (NumberFormatException notANumber) {
            throw invalid(text);
        }
    }

    /** How many that is of so many; a percentage is rounded up. */
    int of(int total) {
        return percent ? (int) Math.min(Integer.MAX_VALUE, ((long) value * total + 99) / 100) : value;
    }

    private static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException(
                "not a number of Pods: '" + text + "', allowed: a non-negative integer or percentage");
    }
}
