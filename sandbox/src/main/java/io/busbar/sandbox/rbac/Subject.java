package io.busbar.sandbox.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.syntax.GoText;

/**
 * A user or a group; a service account is the user that it is known as.
 *
 * <p>Immutable.
 */
record Subject(boolean group, String name) {

    static Subject user(String name) {
        return new Subject(false, name);
    }

    static Subject group(String name) {
        return new Subject(true, name);
    }

    /** @param namespace of the binding */
    static Subject of(JsonNode subject, String namespace) {
        String name = subject.path("name").asText();
        return switch (subject.path("kind").asText()) {
            case "Group" -> group(name);
            case "ServiceAccount" ->
                user("system:serviceaccount:" + subject.path("namespace").asText(namespace) + ":" + name);
            default -> user(name);
        };
    }

    /** As the API server tells why something is allowed. */
    static String describe(JsonNode subject, String namespace) {
        String kind = subject.path("kind").asText();
        String name = subject.path("name").asText();
        return kind + " "
                + GoText.quote(
                        kind.equals("ServiceAccount")
                                ? name + "/" + subject.path("namespace").asText(namespace)
                                : name);
    }
}
