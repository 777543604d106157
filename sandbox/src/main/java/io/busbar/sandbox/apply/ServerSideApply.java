package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.patch.PatchException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Server-side apply: lays a configuration over the live object, field by field, minding who owns what.
 *
 * <p>Applying the same configuration twice changes nothing the second time. What the manager applied before, applies no longer and
 * nobody else owns is removed. Any thread.
 */
public final class ServerSideApply {

    private static final String STATUS = "status";

    private ServerSideApply() {}

    /**
     * Applies a configuration.
     *
     * <p>On the status subresource only the status counts. On the object itself a status counts like any field: a kind that keeps
     * its status apart needs it taken out of {@code config} first.
     *
     * @param live null when there is no such object yet; not altered
     * @param config not altered
     * @throws PatchException 400 when the configuration holds managedFields, 500 when a list of it holds an item twice or
     *     without its key
     */
    public static ApplyResult apply(
            @Nullable ObjectNode live, ObjectNode config, ApplyOptions options, ListTopology lists) {
        if (config.path("metadata").hasNonNull("managedFields")) {
            throw new PatchException(400, "metadata.managedFields must be nil");
        }
        ObjectNode wanted = options.subresource().equals(STATUS) ? statusOf(config) : config;
        ObjectNode before = live == null ? lists.blank() : live;
        Owner self = Owner.applying(options);
        Ownership owners = ownersOf(live, options, lists);
        FieldSet last = owners.fields(self);
        FieldSet applied = Typed.fields("", wanted, lists).minus(Ownership.NOBODYS);
        ObjectNode merged = (ObjectNode) Objects.requireNonNull(Typed.merge(before, wanted, lists));
        FieldSet owned = applied.union(ofOthers(owners, self));
        // Of metadata there is always something that stays, whoever gives up the rest.
        FieldSet staying = owned.union(Ownership.NOBODYS);
        FieldSet givenUp = last.withFieldsOnTheWay().minus(staying.withFieldsOnTheWay());
        ObjectNode after = (ObjectNode) Typed.remove(merged, givenUp, owned, lists);

        Difference difference = Difference.between(before, after, lists).without(Ownership.NOBODYS);
        Map<Owner, FieldSet> conflicts = owners.others(self, difference.touched());
        if (!conflicts.isEmpty() && !options.force()) {
            return new ApplyResult.Conflicts(list(conflicts));
        }
        owners.takeFromOthers(self, difference.touched().union(difference.removed()));
        owners.set(self, applied, options.time(), !difference.isNone());
        return new ApplyResult.Applied(owners.writeTo(after));
    }

    /** An object that has never been tracked belongs to one manager of that name. */
    private static Ownership ownersOf(@Nullable ObjectNode live, ApplyOptions options, ListTopology lists) {
        Ownership owners = Ownership.of(live);
        if (live != null && owners.isEmpty()) {
            FieldSet all = Difference.between(lists.blank(), live, lists)
                    .without(Ownership.NOBODYS)
                    .touched();
            owners.set(
                    new Owner(Owner.UPDATE, "before-first-apply", options.apiVersion(), ""), all, options.time(), true);
        }
        return owners;
    }

    private static FieldSet ofOthers(Ownership owners, Owner self) {
        return owners.others(self, owners.all()).values().stream().reduce(FieldSet.EMPTY, FieldSet::union);
    }

    private static List<ApplyResult.Conflict> list(Map<Owner, FieldSet> conflicts) {
        return conflicts.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Comparator.comparing(Owner::toString)))
                .flatMap(entry -> entry.getValue().paths().stream()
                        .map(path -> new ApplyResult.Conflict(entry.getKey().toString(), path)))
                .toList();
    }

    private static ObjectNode statusOf(ObjectNode config) {
        ObjectNode status = config.objectNode();
        for (String field : List.of("apiVersion", "kind", STATUS)) {
            if (config.has(field)) {
                status.set(field, config.get(field));
            }
        }
        return status;
    }
}
