package io.busbar.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Times as objects have them. Any thread. */
public final class Times {

    private Times() {}

    /** Empty for a missing one, and for a text that is no time. */
    public static Optional<Instant> read(JsonNode time) {
        try {
            return time.isTextual() ? Optional.of(Instant.parse(time.textValue())) : Optional.empty();
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
