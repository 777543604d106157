package io.busbar.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;

/** Numbers that may be given as a percentage. Any thread. */
public final class IntOrPercent {

    private IntOrPercent() {}

    public static boolean isPercent(JsonNode value) {
        return value.isTextual() && value.textValue().endsWith("%");
    }

    /** @param value 0 when it is missing or neither a number nor a percentage */
    public static int of(JsonNode value, int total, boolean roundUp) {
        if (!isPercent(value)) {
            return value.asInt();
        }
        String digits = value.textValue().substring(0, value.textValue().length() - 1);
        if (!digits.matches("[0-9]{1,9}")) {
            return 0;
        }
        double exact = Integer.parseInt(digits) * (double) total / 100;
        return (int) (roundUp ? Math.ceil(exact) : Math.floor(exact));
    }
}
