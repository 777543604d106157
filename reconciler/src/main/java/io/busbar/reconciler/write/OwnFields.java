package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Which fields a manager owns by applying, and which by other writes.
 *
 * <p>To the API server these are two owners of one name: what a manager created, an apply of the same manager neither
 * takes away when it is desired no longer, nor changes without a conflict. So what it owns by creating or updating is
 * made its own by applying, as kubectl does for what client-side apply has left. Pure; any thread.
 */
final class OwnFields {

    private OwnFields() {}

    /**
     * The managedFields with the manager's entries joined; empty when there is nothing to join.
     *
     * @param managers of an object, as the API server gives them
     */
    @SuppressWarnings("ReferenceEquality") // Two of them may be equal.
    static Optional<ArrayNode> joined(List<ManagedFieldsEntry> managers, String manager, ApiRequests api) {
        Optional<ManagedFieldsEntry> updated = managers.stream()
                .filter(entry -> isOf(manager, "Update", entry))
                .findFirst();
        if (updated.isEmpty()) {
            return Optional.empty();
        }
        String version = updated.get().getApiVersion();
        Optional<ManagedFieldsEntry> applied = managers.stream()
                .filter(entry -> isOf(manager, "Apply", entry))
                .filter(entry -> Objects.equals(entry.getApiVersion(), version))
                .findFirst();
        ObjectNode own = api.json(applied.orElse(updated.get()));
        own.put("operation", "Apply");
        if (applied.isPresent()) {
            JsonNode fields = api.json(updated.get()).path("fieldsV1");
            if (fields instanceof ObjectNode object) {
                add(object, own.withObjectProperty("fieldsV1"));
            }
        }
        ArrayNode joined = own.arrayNode();
        managers.stream()
                .filter(entry -> entry != updated.get() && entry != applied.orElse(null))
                .map(api::json)
                .forEach(joined::add);
        return Optional.of(joined.add(own));
    }

    private static boolean isOf(String manager, String operation, ManagedFieldsEntry entry) {
        return manager.equals(entry.getManager())
                && operation.equals(entry.getOperation())
                && (entry.getSubresource() == null || entry.getSubresource().isEmpty());
    }

    private static void add(ObjectNode fields, ObjectNode target) {
        fields.properties().forEach(field -> {
            if (field.getValue() instanceof ObjectNode below) {
                add(below, target.withObjectProperty(field.getKey()));
            }
        });
    }
}
