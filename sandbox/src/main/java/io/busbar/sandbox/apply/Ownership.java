package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The managedFields of an object while they change. One thread. */
final class Ownership {

    /** @param time when the owner last took a field; empty when unknown */
    private record Share(FieldSet fields, String time) {}

    /** What the API server alone writes is nobody's. */
    static final FieldSet NOBODYS = FieldSet.of("apiVersion")
            .union(FieldSet.of("kind"))
            .union(FieldSet.of("metadata"))
            .union(FieldSet.of("metadata", "name"))
            .union(FieldSet.of("metadata", "namespace"))
            .union(FieldSet.of("metadata", "creationTimestamp"))
            .union(FieldSet.of("metadata", "selfLink"))
            .union(FieldSet.of("metadata", "uid"))
            .union(FieldSet.of("metadata", "clusterName"))
            .union(FieldSet.of("metadata", "generation"))
            .union(FieldSet.of("metadata", "managedFields"))
            .union(FieldSet.of("metadata", "resourceVersion"));

    private final Map<Owner, Share> shares = new HashMap<>();

    private Ownership() {}

    /** Reads an object's managedFields; entries that can't be read are left out. */
    static Ownership of(@Nullable ObjectNode object) {
        Ownership ownership = new Ownership();
        if (object != null) {
            object.path("metadata").path("managedFields").forEach(ownership::read);
        }
        return ownership;
    }

    private void read(JsonNode entry) {
        Owner owner = new Owner(
                entry.path("operation").asText(),
                entry.path("manager").asText(),
                entry.path("apiVersion").asText(),
                entry.path("subresource").asText());
        if (owner.operation().isEmpty() || !entry.path("fieldsV1").isObject()) {
            return;
        }
        try {
            FieldSet fields = FieldSet.parse(entry.path("fieldsV1"));
            shares.put(owner, new Share(fields, entry.path("time").asText()));
        } catch (IllegalArgumentException e) {
            return; // Fields that are none are nobody's.
        }
    }

    boolean isEmpty() {
        return shares.isEmpty();
    }

    FieldSet fields(Owner owner) {
        Share share = shares.get(owner);
        return share == null ? FieldSet.EMPTY : share.fields();
    }

    /** Everything that anybody owns. */
    FieldSet all() {
        return shares.values().stream().map(Share::fields).reduce(FieldSet.EMPTY, FieldSet::union);
    }

    /** What others own of a set. */
    Map<Owner, FieldSet> others(Owner self, FieldSet fields) {
        Map<Owner, FieldSet> others = new HashMap<>();
        shares.forEach((owner, share) -> {
            FieldSet common = share.fields().intersection(fields);
            if (!owner.equals(self) && !common.isEmpty()) {
                others.put(owner, common);
            }
        });
        return others;
    }

    /** Takes a set away from all others. */
    void takeFromOthers(Owner self, FieldSet fields) {
        for (Map.Entry<Owner, Share> entry : shares.entrySet()) {
            if (!entry.getKey().equals(self)) {
                Share share = entry.getValue();
                entry.setValue(new Share(share.fields().minus(fields), share.time()));
            }
        }
    }

    /** Gives an owner just these fields; the time moves when they are others than before, or on demand. */
    void set(Owner owner, FieldSet fields, Instant time, boolean touch) {
        Share share = shares.get(owner);
        if (touch || share == null || !share.fields().equals(fields)) {
            shares.put(
                    owner,
                    new Share(fields, time.truncatedTo(ChronoUnit.SECONDS).toString()));
        }
    }

    /** A shallow copy of the object with these managedFields; without any when nobody owns anything. */
    ObjectNode writeTo(ObjectNode object) {
        ObjectNode written = object.objectNode().setAll(object);
        ObjectNode metadata = object.objectNode();
        if (object.path("metadata") instanceof ObjectNode before) {
            metadata.setAll(before);
        }
        metadata.remove("managedFields");
        ArrayNode entries = object.arrayNode();
        shares.entrySet().stream()
                .filter(entry -> !entry.getValue().fields().isEmpty())
                .sorted(Map.Entry.<Owner, Share>comparingByKey(Comparator.comparing(Owner::operation))
                        .thenComparing(entry -> entry.getValue().time())
                        .thenComparing(Map.Entry.comparingByKey(Owner.BY_NAME)))
                .forEach(entry -> entries.add(entry(object, entry.getKey(), entry.getValue())));
        if (!entries.isEmpty()) {
            metadata.set("managedFields", entries);
        }
        written.set("metadata", metadata);
        return written;
    }

    private static ObjectNode entry(ObjectNode nodes, Owner owner, Share share) {
        ObjectNode entry = nodes.objectNode()
                .put("manager", owner.manager())
                .put("operation", owner.operation())
                .put("apiVersion", owner.apiVersion());
        if (!share.time().isEmpty()) {
            entry.put("time", share.time());
        }
        entry.put("fieldsType", "FieldsV1").set("fieldsV1", share.fields().toJson());
        if (!owner.subresource().isEmpty()) {
            entry.put("subresource", owner.subresource());
        }
        return entry;
    }
}
