package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.Fields;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which of the names that a definition asks for it gets: those that no other of its group has.
 *
 * <p>Immutable. The rules are those of apiextensions-apiserver's naming controller.
 *
 * @param names to be {@code status.acceptedNames}
 * @param reason {@code NoConflicts}, or the last kind of conflict
 */
record NameClaims(ObjectNode names, boolean accepted, String reason, String message) {

    /** @param all definitions, the one itself may be among them */
    static NameClaims of(ObjectNode definition, Collection<ObjectNode> all) {
        Set<String> resources = new HashSet<>();
        Set<String> kinds = new HashSet<>();
        for (ObjectNode other : all) {
            if (isRival(definition, other)) {
                JsonNode names = other.path("status").path("acceptedNames");
                resources.add(names.path("plural").asText());
                resources.add(names.path("singular").asText());
                names.path("shortNames").forEach(name -> resources.add(name.asText()));
                kinds.add(names.path("kind").asText());
                kinds.add(names.path("listKind").asText());
            }
        }
        resources.remove("");
        kinds.remove("");
        return new Search(definition, resources, kinds).result();
    }

    private static boolean isRival(ObjectNode definition, ObjectNode other) {
        return other.path("spec").path("group").equals(definition.path("spec").path("group"))
                && !other.path("metadata")
                        .path("name")
                        .equals(definition.path("metadata").path("name"));
    }

    /** One search for conflicts; what is not free keeps its accepted form. One thread. */
    private static final class Search {

        private final JsonNode wanted;
        private final ObjectNode accepted;
        private final Set<String> resources;
        private final Set<String> kinds;
        private String reason = "";
        private String message = "";

        Search(ObjectNode definition, Set<String> resources, Set<String> kinds) {
            this.wanted = definition.path("spec").path("names");
            this.accepted = definition.path("status").path("acceptedNames") instanceof ObjectNode names
                    ? names.deepCopy()
                    : definition.objectNode();
            this.resources = resources;
            this.kinds = kinds;
        }

        NameClaims result() {
            claim("plural", "PluralConflict", resources);
            claim("singular", "SingularConflict", resources);
            claimShortNames();
            claim("kind", "KindConflict", kinds);
            claim("listKind", "ListKindConflict", kinds);
            keep("categories");
            return reason.isEmpty()
                    ? new NameClaims(accepted, true, "NoConflicts", "no conflicts found")
                    : new NameClaims(accepted, false, reason, message);
        }

        private void claim(String field, String conflict, Set<String> taken) {
            if (taken.contains(wanted.path(field).asText())) {
                reason = conflict;
                message = inUse(wanted.path(field).asText());
            } else {
                keep(field);
            }
        }

        private void claimShortNames() {
            List<String> conflicts = new ArrayList<>();
            wanted.path("shortNames").forEach(name -> {
                if (resources.contains(name.asText())) {
                    conflicts.add(inUse(name.asText()));
                }
            });
            if (conflicts.isEmpty()) {
                keep("shortNames");
            } else {
                reason = "ShortNamesConflict";
                message = conflicts.size() == 1 ? conflicts.get(0) : "[" + String.join(", ", conflicts) + "]";
            }
        }

        private void keep(String field) {
            Fields.restore(accepted, wanted, field);
        }

        private static String inUse(String name) {
            return "\"" + name + "\" is already in use";
        }
    }
}
