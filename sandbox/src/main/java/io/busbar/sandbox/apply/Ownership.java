package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The managedFields of an object while they change. One thread. */
final class Ownership {

    /**
     * @param apiVersion that the fields are of
     * @param time when the owner last changed something; empty for never, or unknown
     */
    private record Share(FieldSet fields, String apiVersion, String time) {

        Share with(FieldSet others) {
            return new Share(others, apiVersion, time);
        }
    }

    /** Sees each owner, with the version of its fields and the time of its last change. */
    interface Visitor {

        void visit(Owner owner, String apiVersion, String time);
    }

    /** How many owners by update are told apart. */
    private static final int MOST_UPDATERS = 10;

    /** Whose what the others had becomes. */
    private static final String ANCIENT = "ancient-changes";

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

    private static final Comparator<Map.Entry<Owner, Share>> OLDEST_FIRST =
            Comparator.<Map.Entry<Owner, Share>, String>comparing(
                            entry -> entry.getValue().time())
                    .thenComparing(entry -> entry.getKey().manager())
                    .thenComparing(entry -> entry.getValue().apiVersion())
                    .thenComparing(entry -> entry.getKey().subresource());

    private final Map<Owner, Share> shares = new HashMap<>();

    Ownership() {}

    /** Reads an object's managedFields; null when there is an entry that can't be read. */
    static @Nullable Ownership of(ObjectNode object) {
        Ownership ownership = new Ownership();
        for (JsonNode entry : object.path("metadata").path("managedFields")) {
            if (!ownership.read(entry)) {
                return null;
            }
        }
        return ownership;
    }

    private boolean read(JsonNode entry) {
        String operation = entry.path("operation").asText();
        String apiVersion = entry.path("apiVersion").asText();
        boolean applied = operation.equals(Owner.APPLY);
        if (!(applied || operation.equals(Owner.UPDATE))
                || apiVersion.isEmpty()
                || !entry.path("fieldsType").asText().equals("FieldsV1")) {
            return false;
        }
        Owner owner = new Owner(
                operation,
                entry.path("manager").asText(),
                applied ? "" : apiVersion,
                entry.path("subresource").asText());
        try {
            FieldSet fields = FieldSet.parse(entry.path("fieldsV1"));
            shares.put(owner, new Share(fields, apiVersion, entry.path("time").asText()));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    boolean isEmpty() {
        return shares.isEmpty();
    }

    FieldSet fields(Owner owner) {
        Share share = shares.get(owner);
        return share == null ? FieldSet.EMPTY : share.fields();
    }

    /** The version of an owner's fields; null for one that owns nothing. */
    @Nullable
    String apiVersion(Owner owner) {
        Share share = shares.get(owner);
        return share == null ? null : share.apiVersion();
    }

    /** Everything that anybody owns, by version. */
    Map<String, FieldSet> byVersion() {
        Map<String, FieldSet> all = new TreeMap<>();
        shares.values().forEach(share -> all.merge(share.apiVersion(), share.fields(), FieldSet::union));
        return all;
    }

    /** Forgets who speaks a version that is served no more. */
    void forgetObsolete(@Nullable Owner self, Changes changes) {
        shares.entrySet()
                .removeIf(entry -> !entry.getKey().equals(self)
                        && changes.in(entry.getValue().apiVersion()) == null);
    }

    /** What others own of that which changes. */
    Map<Owner, FieldSet> conflicts(@Nullable Owner self, Changes changes) {
        Map<Owner, FieldSet> conflicts = new HashMap<>();
        shares.forEach((owner, share) -> {
            Difference difference = owner.equals(self) ? null : changes.in(share.apiVersion());
            FieldSet common =
                    difference == null ? FieldSet.EMPTY : share.fields().intersection(difference.touched());
            if (!common.isEmpty()) {
                conflicts.put(owner, common);
            }
        });
        return conflicts;
    }

    /** Takes from all others what changes and what goes. */
    void take(@Nullable Owner self, Changes changes) {
        shares.replaceAll((owner, share) -> {
            Difference difference = owner.equals(self) ? null : changes.in(share.apiVersion());
            return difference == null
                    ? share
                    : share.with(share.fields().minus(difference.touched()).minus(difference.removed()));
        });
        shares.entrySet()
                .removeIf(entry -> !entry.getKey().equals(self)
                        && entry.getValue().fields().isEmpty());
    }

    /** Gives an owner just these fields, in this version. */
    void set(Owner owner, FieldSet fields, String apiVersion) {
        Share share = shares.get(owner);
        shares.put(owner, new Share(fields, apiVersion, share == null ? "" : share.time()));
    }

    /** Notes that an owner changed something. */
    void touch(Owner owner, @Nullable Instant time) {
        if (time != null) {
            setTime(owner, time.truncatedTo(ChronoUnit.SECONDS).toString());
        }
    }

    void setTime(Owner owner, String time) {
        shares.computeIfPresent(owner, (key, share) -> new Share(share.fields(), share.apiVersion(), time));
    }

    void forEach(Visitor visitor) {
        shares.forEach((owner, share) -> visitor.visit(owner, share.apiVersion(), share.time()));
    }

    /** Puts what the oldest owners by update have in one entry for each version, until there are not too many. */
    void limitUpdaters() {
        List<Map.Entry<Owner, Share>> updaters = shares.entrySet().stream()
                .filter(entry -> !entry.getKey().applies())
                .sorted(OLDEST_FIRST)
                .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                .toList();
        int left = updaters.size();
        Map<String, Owner> firsts = new HashMap<>();
        for (Map.Entry<Owner, Share> updater : updaters) {
            if (left <= MOST_UPDATERS) {
                return;
            }
            Share share = updater.getValue();
            Owner first = firsts.putIfAbsent(share.apiVersion(), updater.getKey());
            if (first != null) {
                Owner bucket = new Owner(Owner.UPDATE, ANCIENT, share.apiVersion(), "");
                Share older = Objects.requireNonNull(shares.remove(shares.containsKey(bucket) ? bucket : first));
                shares.remove(updater.getKey());
                shares.put(bucket, share.with(share.fields().union(older.fields())));
                left--;
            }
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
                        .thenComparing(OLDEST_FIRST))
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
                .put("apiVersion", share.apiVersion());
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
