package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.FieldCause;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What became of an apply.
 *
 * <p>Immutable.
 */
public sealed interface ApplyResult {

    /**
     * It went through.
     *
     * @param object with its new managedFields; equal to the live one when nothing changed
     */
    record Applied(ObjectNode object) implements ApplyResult {}

    /**
     * Others own what it would change: a 409.
     *
     * @param list ordered by owner, then by path; never empty
     */
    record Conflicts(List<Conflict> list) implements ApplyResult {

        public Conflicts {
            list = List.copyOf(list);
        }

        /** The message of the Status. */
        public String message() {
            if (list.size() == 1) {
                Conflict only = list.get(0);
                return "Apply failed with 1 conflict: conflict with " + only.owner() + ": " + only.path();
            }
            Map<String, String> paths = list.stream()
                    .collect(Collectors.groupingBy(
                            Conflict::owner,
                            LinkedHashMap::new,
                            Collectors.mapping(conflict -> "\n- " + conflict.path(), Collectors.joining())));
            return paths.entrySet().stream()
                    .map(owner -> "conflicts with " + owner.getKey() + ":" + owner.getValue())
                    .collect(Collectors.joining("\n", "Apply failed with " + list.size() + " conflicts: ", ""));
        }

        /** The causes in the Status' details. */
        public List<FieldCause> causes() {
            return list.stream()
                    .map(conflict -> new FieldCause(
                            "FieldManagerConflict", conflict.path(), "conflict with " + conflict.owner()))
                    .toList();
        }
    }

    /**
     * One field, one owner.
     *
     * @param owner as messages name it: {@code "kubectl" using v1}
     * @param path such as {@code .spec.replicas}
     */
    record Conflict(String owner, String path) {}
}
