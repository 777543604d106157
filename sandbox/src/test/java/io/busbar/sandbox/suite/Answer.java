package io.busbar.sandbox.suite;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;

/** What a server answered. */
record Answer(int code, JsonNode body, HttpHeaders headers) {

    String message() {
        return body.path("message").asText();
    }

    String reason() {
        return body.path("reason").asText();
    }

    /** {@code reason field: message} of each cause. */
    List<String> causes() {
        List<String> causes = new ArrayList<>();
        body.at("/details/causes")
                .forEach(cause -> causes.add(cause.path("reason").asText() + " "
                        + cause.path("field").asText() + ": "
                        + cause.path("message").asText()));
        return causes;
    }

    /** A value by its JSON pointer; empty for none. */
    String text(String pointer) {
        return body.at(pointer).asText("");
    }

    long revision() {
        return body.at("/metadata/resourceVersion").asLong();
    }

    List<String> names() {
        List<String> names = new ArrayList<>();
        body.path("items").forEach(item -> names.add(item.at("/metadata/name").asText()));
        return names;
    }
}
